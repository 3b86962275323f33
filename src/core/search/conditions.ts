/** Which documents of a segment meet a condition of the query? */
import type { Field } from './contract.ts'
import type { RankedSegment } from './live-segment.ts'
import { FIELD_COUNT, fieldNumber } from './segment/format.ts'
import type { Segment } from './segment/segment.ts'
import { eachDocument } from './segment/term-list.ts'
import type { TermList } from './segment/term-list.ts'
import { Occurrences } from './ranking/occurrences.ts'
import type { DecodedList, ScoreSums } from './ranking/score-sums.ts'

/** Weights of the fields where nothing is scored. */
const NOTHING = new Float64Array(FIELD_COUNT)

/** Ordinals of documents that have one of the terms, in the field if one is named. Rising. */
export function documentsWith(lists: readonly TermList[], field: Field | undefined): Int32Array {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return documentsOf(only, field)
  const all = new Set(lists.flatMap((list) => [...documentsOf(list, field)]))
  return Int32Array.from(all).toSorted()
}

export interface PhraseWord {
  /** Alternatives, one of which stands there. */
  readonly lists: readonly TermList[]
  /** Where one of these stands, the word does not. */
  readonly otherForms: readonly TermList[]
  readonly offset: number
}

/** Ordinals of documents in which the words stand at their offsets. */
export function documentsWithPhrase(
  { live, inverseNorms }: RankedSegment,
  words: readonly PhraseWord[],
  field: Field | undefined,
  sums: ScoreSums,
): Int32Array {
  sums.forget()
  let candidates: Int32Array | undefined
  for (const { lists } of words.toSorted((a, b) => frequencyOf(a.lists) - frequencyOf(b.lists))) {
    const documents = documentsWith(lists, field)
    candidates = candidates === undefined ? documents : intersect(candidates, documents)
    if (candidates.length === 0) return candidates
  }
  if (candidates === undefined) return new Int32Array()
  const among = candidates
  const decode = (lists: readonly TermList[]): DecodedList[] =>
    sums.add(
      lists.map((list) => [list, { weight: 0, fieldWeights: NOTHING, inverseNorms }]),
      0,
      among,
    )
  const occurrences = new Occurrences(candidates, words.length, sums)
  const otherForms = new Occurrences(candidates, words.length, sums)
  for (const [i, word] of words.entries()) {
    occurrences.read(i, decode(word.lists))
    otherForms.read(i, decode(word.otherForms))
  }
  const offsets = words.map(({ offset }) => offset)
  return candidates.filter((_, index) => {
    const [from, to] = positionRange(live.segment, among[index]!, field)
    const positionsOf = (word: number): Uint32Array => {
      const positions = occurrences.positionsOf(word, index)
      const others = new Set(otherForms.positionsOf(word, index))
      return others.size === 0 ? positions : positions.filter((each) => !others.has(each))
    }
    return hasPhrase(positionsOf, offsets, from, to)
  })
}

function frequencyOf(lists: readonly TermList[]): number {
  return lists.reduce((sum, list) => sum + list.df, 0)
}

function documentsOf(list: TermList, field: Field | undefined): Int32Array {
  const documents = new Int32Array(list.df)
  const f = field === undefined ? undefined : fieldNumber(field)
  let count = 0
  eachDocument(list, (ordinal, frequencies, at) => {
    if (f === undefined || frequencies[at + f]! > 0) documents[count++] = ordinal
  })
  return documents.subarray(0, count)
}

export function intersect(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(Math.min(a.length, b.length))
  let count = 0
  let j = 0
  for (const document of a) {
    while (j < b.length && b[j]! < document) j++
    if (j < b.length && b[j] === document) both[count++] = document
  }
  return both.subarray(0, count)
}

/** Those of `a` that are not in `b`; both rise. */
export function without(a: Int32Array, b: Int32Array): Int32Array {
  let j = 0
  return a.filter((document) => {
    while (j < b.length && b[j]! < document) j++
    return b[j] !== document
  })
}

/** Running text comes first in a document's positions, title, aliases, tags and path follow. */
function positionRange(
  segment: Segment,
  ordinal: number,
  field: Field | undefined,
): [from: number, to: number] {
  const text = segment.documents.textLength(ordinal)
  if (field === undefined) return [0, Infinity]
  return field === 'body' || field === 'heading' ? [0, text] : [text, Infinity]
}

function hasPhrase(
  positionsOf: (word: number) => Uint32Array,
  offsets: readonly number[],
  from: number,
  to: number,
): boolean {
  const lists = offsets.map((_, word) => positionsOf(word))
  const cursors = offsets.map(() => 0)
  for (const start of lists[0] ?? []) {
    if (start < from || start >= to) continue
    const matches = offsets.every((offset, word) => {
      const list = lists[word] ?? new Uint32Array()
      let at = cursors[word] ?? 0
      while (at < list.length && list[at]! < start + offset) at++
      cursors[word] = at
      return at < list.length && list[at] === start + offset
    })
    if (matches) return true
  }
  return false
}
