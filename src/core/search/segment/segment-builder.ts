/**
 * Turns documents into a segment. Text becomes term numbers in one pass: every distinct span is
 * analysed once and remembered by its bytes. Sorting by counting then brings the occurrences of
 * each term together.
 */
import type { Field, IndexableDocument, SegmentStreams } from '../contract.ts'
import { analyseSpan } from '../analysis/analyser.ts'
import { detectLanguage, LANGUAGES } from '../analysis/languages/language.ts'
import type { Language } from '../analysis/languages/language.ts'
import { scanSpans, Spans, unitsOf } from '../analysis/scan.ts'
import { isName, namesOf } from '../names.ts'
import type { NameKind } from '../names.ts'
import { ByteWriter, MAX_VARINT, NumberList, sizesOf } from './bytes.ts'
import { DocumentTableBuilder } from './document-table.ts'
import type { DocumentTable } from './document-table.ts'
import {
  BODY,
  FIELD_COUNT,
  fieldNumber,
  FORMAT_VERSION,
  HEADING,
  SHARES_POSITION,
} from './format.ts'
import type { AboutSegment } from './format.ts'
import { ListWriter } from './list-writer.ts'
import { SpanTable, TermNumbers } from './span-table.ts'
import { compareAsUtf8, TermTableBuilder } from './term-table.ts'
import type { TermTable } from './term-table.ts'

/** How a posting tells what kind of name it is: by its field, and a title by standing there twice. */
export const NAME_PLACES = {
  title: { field: 'title', times: 2 },
  alias: { field: 'title', times: 1 },
  file: { field: 'path', times: 1 },
  heading: { field: 'heading', times: 1 },
} as const satisfies Record<NameKind, { field: Field; times: number }>

/** What spans mean, for the segments of one run: most words of a batch were met in the one before. */
export class Vocabulary {
  readonly terms = new TermNumbers()
  /** One table per language, because the same span has other stems in another. */
  readonly spanTables = new Map<Language, SpanTable>()
}

export class SegmentBuilder {
  readonly #spans = new Spans()
  readonly #terms: TermNumbers
  readonly #spanTables: Map<Language, SpanTable>
  /** Every token of every document, as term numbers. */
  readonly #tokens = new NumberList(1 << 16)
  /** Runs of tokens in one field: field, end in `#tokens`. Each run starts after a gap. */
  readonly #runs = new NumberList()
  /** Where each document's runs end in `#runs`. */
  readonly #documentRuns = new NumberList()
  readonly #documents = new DocumentTableBuilder()

  constructor({ terms, spanTables } = new Vocabulary()) {
    this.#terms = terms
    this.#spanTables = spanTables
  }

  /** How much has been added, for callers that keep segments below a size. */
  get tokens(): number {
    return this.#tokens.length
  }

  get documents(): number {
    return this.#documents.count
  }

  add(document: IndexableDocument): void {
    const [tokens, runs] = [this.#tokens.length, this.#runs.length]
    try {
      this.#add(document)
    } catch (error) {
      // What was taken of it would count for the next one.
      this.#tokens.length = tokens
      this.#runs.length = runs
      throw error
    }
  }

  #add(document: IndexableDocument): void {
    const lengths = new Uint32Array(FIELD_COUNT)
    const { text } = document
    const units =
      typeof text === 'string'
        ? unitsOf(text)
        : text instanceof Uint8Array
          ? Uint16Array.from(text)
          : text
    const language = detectLanguage(units, document.bodyStart, units.length)
    const table = this.#spanTableOf(language)
    const chunkPlaces = addRuns(document, lengths, (field, from, to, times) =>
      this.#addRun(field, table, units, from, to, times),
    )
    const addField = (field: Field, value: string): void => {
      const number = fieldNumber(field)
      // File names of some systems come decomposed, which pairs of characters do not fold.
      const composed = value.normalize('NFC')
      lengths[number]! += this.#addRun(number, table, unitsOf(composed), 0, composed.length)
    }
    addField('title', document.title)
    for (const alias of document.aliases) addField('title', alias)
    for (const tag of document.tags) addField('tags', tag)
    addField('path', document.path)
    this.#addNames(document)
    this.#documents.add(document.doc, lengths, chunkPlaces, LANGUAGES.indexOf(language))
    this.#documentRuns.push(this.#runs.length)
  }

  finish(): SegmentStreams {
    const documents = this.#documents.finish()
    const writer = new ListWriter()
    const table = this.#writeLists(this.#terms.texts, writer)
    return segmentStreams(documents, table, writer)
  }

  /** Returns how many positions the run takes; what counts several times takes no more. */
  #addRun(
    field: number,
    table: SpanTable,
    units: Uint16Array,
    from: number,
    to: number,
    times = 1,
  ): number {
    const tokens = this.#tokens
    const start = tokens.length
    let sharing = 0
    let at = from
    while (at < to) {
      at = scanSpans(units, at, to, this.#spans)
      sharing += table.append(units, this.#spans, tokens)
    }
    const end = tokens.length
    for (let more = 1; more < times; more++) {
      for (let i = start; i < end; i++) tokens.push(tokens.values[i]! | SHARES_POSITION)
    }
    this.#runs.push(field)
    this.#runs.push(tokens.length)
    return end - start - sharing
  }

  /** A name stands for no place in the text: it takes no position and lengthens no field. */
  #addNames(document: IndexableDocument): void {
    for (const { kind, term } of namesOf(document)) {
      const number = this.#terms.numberOf(term)
      const { field, times } = NAME_PLACES[kind]
      for (let i = 0; i < times; i++) this.#tokens.push(number + SHARES_POSITION)
      this.#runs.push(fieldNumber(field))
      this.#runs.push(this.#tokens.length)
    }
  }

  #spanTableOf(language: Language): SpanTable {
    const known = this.#spanTables.get(language)
    if (known !== undefined) return known
    const table = new SpanTable((span) => analyseSpan(span, language), this.#terms, {
      asSpelt: true,
    })
    this.#spanTables.set(language, table)
    return table
  }

  /** Brings the tokens into term order and writes each term's documents and positions. */
  #writeLists(terms: readonly string[], writer: ListWriter): TermTable {
    const occurrences = this.#sortByTerm(terms.length)
    const { starts, documents, places } = occurrences
    const order = sortedTerms(terms, (term) => starts[term + 1]! > starts[term]!)
    const table = new TermTableBuilder()
    const frequencies = new Uint32Array(FIELD_COUNT)
    const positions = new ByteWriter()
    for (const term of order) {
      writer.startTerm({ hasPositions: !isName(terms[term]?.charCodeAt(0)) })
      let i = starts[term]!
      const end = starts[term + 1]!
      // One reservation for the term keeps the loop over its occurrences free of checks.
      positions.clear()
      positions.reserve((end - i) * MAX_VARINT)
      const { bytes } = positions
      let at = 0
      while (i < end) {
        const document = documents[i]!
        const from = at
        frequencies.fill(0)
        let last = 0
        for (; i < end && documents[i] === document; i++) {
          const place = places[i]!
          frequencies[place & 7]!++
          let delta = (place >>> 3) - last
          last += delta
          while (delta > 127) {
            bytes[at++] = (delta & 127) | 128
            delta >>>= 7
          }
          bytes[at++] = delta
        }
        writer.add(document, frequencies, bytes, from, at)
      }
      if (writer.endTerm()) table.addText(terms[term] ?? '')
    }
    writer.finish()
    return table.finish()
  }

  #sortByTerm(termCount: number): Occurrences {
    const tokens = this.#tokens.values
    const total = this.#tokens.length
    const starts = new Uint32Array(termCount + 1)
    for (let i = 0; i < total; i++) starts[(tokens[i]! & ~SHARES_POSITION) + 1]!++
    for (let t = 0; t < termCount; t++) starts[t + 1]! += starts[t]!

    const occurrences = {
      next: starts.slice(0, termCount),
      documents: new Uint32Array(total),
      places: new Uint32Array(total),
    }
    let run = 0
    for (let document = 0; document < this.#documentRuns.length; document++) {
      const lastRun = this.#documentRuns.values[document]!
      this.#sortDocument(document, run, lastRun, occurrences)
      run = lastRun
    }
    const { documents, places } = occurrences
    return { starts, documents, places }
  }

  /** Apart from the loop over all documents: V8 would leave compiled code at the end of each. */
  #sortDocument(
    document: number,
    from: number,
    to: number,
    { next, documents, places }: Record<'next' | 'documents' | 'places', Uint32Array>,
  ): void {
    const tokens = this.#tokens.values
    const runs = this.#runs.values
    let i = from === 0 ? 0 : runs[from - 1]!
    let position = 0
    for (let run = from; run < to; run += 2) {
      const field = runs[run]!
      const end = runs[run + 1]!
      // Titles, tags and the like stand apart from what is before them, so no phrase crosses.
      if (field !== BODY && field !== HEADING) position += 1
      for (; i < end; i++) {
        const token = tokens[i]!
        const slot = next[token & ~SHARES_POSITION]!++
        documents[slot] = document
        places[slot] = (position << 3) | field
        if (token < SHARES_POSITION) position++
      }
    }
  }
}

/**
 * The running text, cut where headings begin and end and where passages begin. `addRun` tells how
 * many positions a run takes. Returns the positions at which passages begin.
 */
export function addRuns(
  { text, bodyStart, headings, chunkStarts, headingTimes = 1 }: IndexableDocument,
  lengths: Uint32Array,
  addRun: (field: number, from: number, to: number, times: number) => number,
): number[] {
  const places: number[] = []
  let heading = 0
  let at = bodyStart
  while (at < text.length) {
    while ((chunkStarts[places.length] ?? Infinity) <= at) {
      places.push(lengths[BODY]! + lengths[HEADING]!)
    }
    while (heading < headings.length && (headings[heading]?.end ?? 0) <= at) heading++
    const headingStart = headings[heading]?.start ?? Infinity
    const inHeading = headingStart <= at
    const edge = inHeading ? (headings[heading]?.end ?? Infinity) : headingStart
    const end = Math.min(text.length, edge, chunkStarts[places.length] ?? Infinity)
    const field = inHeading ? HEADING : BODY
    lengths[field]! += addRun(field, at, end, inHeading ? headingTimes : 1)
    at = end
  }
  while (places.length < chunkStarts.length) places.push(lengths[BODY]! + lengths[HEADING]!)
  return places
}

/** Numbers of the terms that occur, in the order of the terms' UTF-8 bytes. */
function sortedTerms(terms: readonly string[], occurs: (term: number) => boolean): number[] {
  const order = Array.from(terms.keys()).filter(occurs)
  const inOrder = (a: number, b: number): number => compareAsUtf8(terms[a]!, terms[b]!)
  if (terms.length > MOST_NUMBERED) return order.toSorted(inOrder)
  // Radix by beginnings: numbers sort natively, and only few terms begin alike.
  const keys = Float64Array.from(order, (term) => beginningOf(terms[term]!) * MOST_NUMBERED + term)
  keys.sort()
  const sorted = Array.from(keys, (key) => key % MOST_NUMBERED)
  const beginning = (at: number): number => Math.floor(keys[at]! / MOST_NUMBERED)
  for (let from = 0, to; from < sorted.length; from = to) {
    to = from + 1
    while (to < sorted.length && beginning(to) === beginning(from)) to++
    if (to === from + 1) continue
    const alike = sorted.slice(from, to).toSorted(inOrder)
    for (let at = from; at < to; at++) sorted[at] = alike[at - from]!
  }
  return sorted
}

/** With a beginning of 32 bits a number of a term fits into what a double counts exactly. */
const MOST_NUMBERED = 2 ** 20

/** The first four letters as a number; those behind one that is not plain do not count. */
function beginningOf(term: string): number {
  let key = 0
  let isPlain = true
  for (let at = 0; at < 4; at++) {
    const code: number = isPlain && at < term.length ? term.charCodeAt(at) : 0
    isPlain &&= code < 0x80
    key = key * 256 + Math.min(code, 0x80)
  }
  return key
}

interface Occurrences {
  /** Where each term's occurrences begin. */
  readonly starts: Uint32Array
  readonly documents: Uint32Array
  /** Position * 8 + field. */
  readonly places: Uint32Array
}

/** Puts the parts of a finished segment together; also the last step of a merge. */
export function segmentStreams(
  documents: DocumentTable,
  terms: TermTable,
  { lists, offsets }: ListWriter,
): SegmentStreams {
  const about: AboutSegment = {
    version: FORMAT_VERSION,
    documents: documents.count,
    terms: terms.count,
  }
  return {
    resident: {
      about: new TextEncoder().encode(JSON.stringify(about)),
      ...documents.streams(),
      ...terms.streams(),
      listSizes: sizesOf(offsets.finish()),
    },
    paged: { lists: lists.finish() },
  }
}
