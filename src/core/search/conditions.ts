/** Which documents of a segment meet a condition of the query? */
import type { Field } from './contract.ts'
import type { RankedSegment } from './live-segment.ts'
import { SCORE_UNIT } from './ranking/bm25f.ts'
import { Occurrences } from './ranking/occurrences.ts'
import type { DecodedList, ScoreSums } from './ranking/score-sums.ts'
import { NumberList } from './segment/bytes.ts'
import { FIELD_COUNT, fieldNumber } from './segment/format.ts'
import type { TermList } from './segment/term-list.ts'

export interface PhraseWord {
  /** Alternatives, one of which stands there. */
  readonly lists: readonly TermList[]
  /** Where one of these stands, the word does not. */
  readonly otherForms: readonly TermList[]
  /** Where in the phrase it stands; a word that is said again is read once. */
  readonly offsets: readonly number[]
}

/**
 * Looks for words in a segment, in room that ranking has not begun to use: the sums serve to count
 * how many of the words a document has.
 */
export class Conditions {
  readonly #segment: RankedSegment
  readonly #room: ScoreSums

  constructor(segment: RankedSegment, room: ScoreSums) {
    this.#segment = segment
    this.#room = room
  }

  /** Ordinals of documents that have one of the terms, in the field if one is named. Rising. */
  documentsWith(lists: readonly TermList[], field: Field | undefined): Int32Array {
    return this.#documentsWithAll([{ lists }], field).candidates
  }

  /** Ordinals of documents in which the words stand at their offsets. */
  documentsWithPhrase(words: readonly PhraseWord[], field: Field | undefined): Int32Array {
    // The rarest first: what it leaves is all that is read of the others.
    const byLength = words.toSorted((a, b) => frequencyOf(a.lists) - frequencyOf(b.lists))
    const { candidates, decoded } = this.#documentsWithAll(byLength, field)
    const found = new Beginnings(candidates)
    if (candidates.length === 0) return candidates
    for (const [i, { offsets }] of byLength.entries()) {
      const [first, ...others] = offsets
      if (i === 0) found.begin(this.#read(found, decoded[i]!), first!, this.#isInside(field))
      const left = i === 0 ? others : offsets
      if (left.length > 0) found.keep(this.#read(found, decoded[i]!), left, true)
    }
    for (const { otherForms, offsets } of byLength) {
      for (const form of otherForms) {
        if (found.documents.length === 0) return found.documents
        found.keep(this.#read(found, this.#count([form], found.documents, NOWHERE)), offsets, false)
      }
    }
    return found.documents
  }

  #documentsWithAll(
    words: readonly { readonly lists: readonly TermList[] }[],
    field: Field | undefined,
  ): { candidates: Int32Array; decoded: DecodedList[][] } {
    const { sums } = this.#room
    this.#room.forget()
    const fieldWeights = EVERYWHERE.map((_, f) =>
      field === undefined || f === fieldNumber(field) ? 1 : 0,
    )
    let candidates: Int32Array | undefined
    const decoded: DecodedList[][] = []
    for (const { lists } of words) {
      decoded.push(this.#count(lists, candidates, fieldWeights))
      candidates = candidates
        ? candidates.filter((ordinal) => sums[ordinal] === decoded.length)
        : field === undefined && lists.length === 1
          ? this.#documentsOf(decoded[0]![0]!)
          : this.#counted()
      if (candidates.length === 0) break
    }
    sums.fill(0, 0, this.#segment.live.segment.documents.count)
    return { candidates: candidates ?? new Int32Array(), decoded }
  }

  /** Adds one to every document that has one of the terms. */
  #count(
    lists: readonly TermList[],
    among: Int32Array | undefined,
    fieldWeights: Float64Array,
  ): DecodedList[] {
    const scorer = { weight: SCORE_UNIT, fieldWeights, inverseNorms: this.#segment.inverseNorms }
    return this.#room.add(
      lists.map((list) => [list, scorer]),
      0,
      among,
    )
  }

  #documentsOf([list, start]: DecodedList): Int32Array {
    return this.#room.documents.slice(start, start + list.df)
  }

  #counted(): Int32Array {
    const { sums } = this.#room
    const { count } = this.#segment.live.segment.documents
    const ordinals = new Int32Array(count)
    let found = 0
    for (let ordinal = 0; ordinal < count; ordinal++) {
      if (sums[ordinal]! > 0) ordinals[found++] = ordinal
    }
    return ordinals.subarray(0, found)
  }

  #read({ documents }: Beginnings, lists: readonly DecodedList[]): Occurrences {
    const occurrences = new Occurrences(documents, 1, this.#room)
    occurrences.read(0, lists)
    return occurrences
  }

  /** Running text comes first in a document's positions, title, aliases, tags and path follow. */
  #isInside(
    field: Field | undefined,
  ): ((ordinal: number, position: number) => boolean) | undefined {
    if (field === undefined) return undefined
    const { documents } = this.#segment.live.segment
    const isText = field === 'body' || field === 'heading'
    return (ordinal, position) => position < documents.textLength(ordinal) === isText
  }
}

const EVERYWHERE = new Float64Array(FIELD_COUNT).fill(1)
const NOWHERE = new Float64Array(FIELD_COUNT)

/** Where a phrase may begin, in documents that grow fewer with every word of it. */
class Beginnings {
  documents: Int32Array
  /** Those of a document end at its place here, and begin where the one before it ends. */
  #ends: Uint32Array
  readonly #places = new NumberList(4096)
  #settled = 0

  constructor(documents: Int32Array) {
    this.documents = documents
    this.#ends = new Uint32Array(documents.length)
  }

  begin(
    { positions, ends }: Occurrences,
    offset: number,
    isInside: ((ordinal: number, position: number) => boolean) | undefined,
  ): void {
    let at = 0
    for (let index = 0; index < this.documents.length; index++) {
      for (; at < ends[index]!; at++) {
        const place = positions[at]! - offset
        if (place < 0 || isInside?.(this.documents[index]!, place) === false) continue
        this.#places.push(place)
      }
      this.#settle(index, this.#places.length)
    }
    this.#end()
  }

  /** Keeps the beginnings from which the word stands at all of its offsets, or at none. */
  keep(
    { positions, starts, ends }: Occurrences,
    offsets: readonly number[],
    stands: boolean,
  ): void {
    const { values } = this.#places
    let kept = 0
    let next = 0
    for (let index = 0; index < this.documents.length; index++) {
      const end = ends[index]!
      const first = kept
      let [at, last] = [next, this.#ends[index]!]
      next = last
      for (const offset of offsets) {
        kept = first
        let p = starts[index]!
        for (; at < last; at++) {
          const wanted = values[at]! + offset
          while (p < end && positions[p]! < wanted) p++
          if ((p < end && positions[p] === wanted) === stands) values[kept++] = values[at]!
        }
        at = first
        last = kept
      }
      this.#settle(index, kept)
    }
    this.#end()
  }

  /** A document without a beginning gives up its place. */
  #settle(index: number, end: number): void {
    if (end === (this.#settled === 0 ? 0 : this.#ends[this.#settled - 1]!)) return
    this.documents[this.#settled] = this.documents[index]!
    this.#ends[this.#settled++] = end
  }

  #end(): void {
    this.documents = this.documents.subarray(0, this.#settled)
    this.#settled = 0
  }
}

function frequencyOf(lists: readonly TermList[]): number {
  return lists.reduce((sum, list) => sum + list.df, 0)
}

/** Those of `a` that are in `b` too; both rise. */
export function intersect(a: Int32Array, b: Int32Array): Int32Array {
  return a.filter(isIn(b))
}

/** Those of `a` that are not in `b`; both rise. */
export function without(a: Int32Array, b: Int32Array): Int32Array {
  const has = isIn(b)
  return a.filter((document) => !has(document))
}

/** Must be asked in rising order. */
function isIn(documents: Int32Array): (document: number) => boolean {
  let at = 0
  return (document) => {
    while (at < documents.length && documents[at]! < document) at++
    return documents[at] === document
  }
}
