/**
 * Which words stand in which passages, from the lists of an index instead of its texts: nothing is
 * read from a file, cut into words or stemmed a second time.
 */
import { Slices } from '../../kit/slices.ts'
import { STOP_WORDS } from '../analysis/stop-words.ts'
import { stem } from '../analysis/languages/language.ts'
import { WORDS_FROM } from '../names.ts'
import { NumberList } from './bytes.ts'
import { BLOCK_SIZE, FIELD_COUNT, fieldNumber, POSITION_GROUP } from './format.ts'
import type { Segment } from './segment.ts'
import { atLeastTerm, TermCursor } from './term-cursor.ts'
import { DecodedBlock, passNumbers, readBlock, readPositionGroups } from './term-list.ts'
import { encodeTerm } from './term-table.ts'

/** A segment, and where the rows of its documents begin: for each its title, then its passages. */
export interface RowedSegment {
  readonly segment: Segment
  /** By the document's place in the segment; -1 for one that is left out. */
  readonly firstRows: Int32Array
}

/** Row r has the entries from `rowStart[r]` to `rowStart[r + 1]`, in the order of their terms. */
export interface PassageTerms {
  /** In the order of their bytes, however the segments were made. */
  readonly terms: readonly string[]
  readonly rowStart: Uint32Array
  /** Places in `terms`. */
  readonly columns: Uint32Array
  readonly counts: Uint32Array
}

const TITLE = fieldNumber('title')

/** Whole identifiers that lie above their parts, and words that say nothing, are left out. */
export async function readPassageTerms(
  segments: readonly RowedSegment[],
  rows: number,
): Promise<PassageTerms> {
  const silent = new Set(Array.from(STOP_WORDS, (word) => stem(word, 'english')))
  const readers = segments.map((segment) => new PassageReader(segment))
  const terms: string[] = []
  const entries = new Entries()
  const slices = new Slices()
  for (;;) {
    const sharing = atLeastTerm(readers)
    const [least] = sharing
    if (least === undefined) break
    const term = least.segment.terms.text(least.next)
    const before = entries.length
    for (const reader of sharing) {
      if (slices.over) await slices.pause()
      if (reader.mustLoad) await reader.load()
      reader.read(entries, silent.has(term) ? undefined : terms.length)
      reader.next++
    }
    if (entries.length > before) terms.push(term)
  }
  return { terms, ...entries.byRow(rows) }
}

/** What was found, term after term. */
class Entries {
  readonly #rows = new NumberList(1 << 16)
  readonly #columns = new NumberList(1 << 16)
  readonly #counts = new NumberList(1 << 16)

  get length(): number {
    return this.#rows.length
  }

  add(row: number, column: number, count: number): void {
    this.#rows.push(row)
    this.#columns.push(column)
    this.#counts.push(count)
  }

  /** Sorts by counting. */
  byRow(rows: number): Omit<PassageTerms, 'terms'> {
    const rowStart = new Uint32Array(rows + 1)
    for (let e = 0; e < this.length; e++) rowStart[this.#rows.values[e]! + 1]!++
    for (let row = 0; row < rows; row++) rowStart[row + 1]! += rowStart[row]!
    const next = rowStart.slice(0, rows)
    const columns = new Uint32Array(this.length)
    const counts = new Uint32Array(this.length)
    for (let e = 0; e < this.length; e++) {
      const to = next[this.#rows.values[e]!]!++
      columns[to] = this.#columns.values[e]!
      counts[to] = this.#counts.values[e]!
    }
    return { rowStart, columns, counts }
  }
}

class PassageReader extends TermCursor {
  readonly #firstRows: Int32Array
  /**
   * A whole identifier shares its first part's place. The part comes first in the order of terms and
   * takes it; `places` says where those of a document begin.
   */
  readonly #taken: Uint8Array
  readonly #places: Uint32Array
  readonly #block = new DecodedBlock()
  readonly #groups = new Uint32Array(BLOCK_SIZE / POSITION_GROUP + 1)

  constructor({ segment, firstRows }: RowedSegment) {
    super(segment)
    this.#firstRows = firstRows
    const { count, lengths } = segment.documents
    this.#places = new Uint32Array(count + 1)
    for (let ordinal = 0; ordinal < count; ordinal++) {
      let places = GAPS
      for (let f = 0; f < FIELD_COUNT; f++) places += lengths[ordinal * FIELD_COUNT + f]!
      this.#places[ordinal + 1] = this.#places[ordinal]! + places
    }
    this.#taken = new Uint8Array(this.#places[count]!)
    this.next = segment.terms.lowerBound(encodeTerm(WORDS_FROM))
  }

  /** A term without a column says nothing, but takes its places: `t` of `T-cell`. */
  read(entries: Entries, column: number | undefined): void {
    const list = this.list()
    const { documents, frequencies } = this.#block
    for (let b = 0; b < list.blocks; b++) {
      readBlock(list, b, this.#block)
      readPositionGroups(list, b, this.#groups)
      let end = this.#groups[0]!
      for (let i = 0; i < this.#block.length; i++) {
        const start = end
        end = passNumbers(list.bytes, start, this.#block.times(i))
        const row = this.#firstRows[documents[i]!]!
        if (row < 0) continue
        const inTitle = frequencies[i * FIELD_COUNT + TITLE]!
        this.#count(entries, column, row, documents[i]!, inTitle, list.bytes, start, end)
      }
    }
  }

  /** Positions are the bytes `[start, end)`. No object for each of millions of postings. */
  #count(
    entries: Entries,
    column: number | undefined,
    row: number,
    ordinal: number,
    inTitle: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): void {
    const { documents } = this.segment
    const { chunkIndex, chunkStarts } = documents
    const [place, placesEnd] = [this.#places[ordinal]!, this.#places[ordinal + 1]!]
    const textEnd = documents.textLength(ordinal)
    const first = chunkIndex[ordinal]!
    const last = chunkIndex[ordinal + 1]! - 1
    let chunk = first
    let count = 0
    let titles = 0
    let beyond = 0
    let position = 0
    for (let at = start; at < end;) {
      let byte = bytes[at++]!
      let delta = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        delta |= (byte & 127) << shift
      }
      position += delta
      // Behind the text come the titles, then tags and path.
      const isText = position < textEnd
      if (!isText && beyond++ >= inTitle) break
      const slot = place + position
      if (slot < placesEnd) {
        if (this.#taken[slot] !== 0) continue
        this.#taken[slot] = 1
      }
      if (column === undefined) continue
      if (!isText) {
        titles++
        continue
      }
      for (; chunk < last && chunkStarts[chunk + 1]! <= position; chunk++) {
        if (count > 0) entries.add(row + 1 + chunk - first, column, count)
        count = 0
      }
      count++
    }
    if (column === undefined) return
    if (titles > 0) entries.add(row, column, titles)
    if (count > 0 && last >= first) entries.add(row + 1 + chunk - first, column, count)
  }
}

/** Titles, tags and path stand apart, by a place each; of more of them the last are not told apart. */
const GAPS = 16
