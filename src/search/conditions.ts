/** Which documents of a segment meet a condition of the query? */
import type { Field } from './contract.ts'
import { FIELD_COUNT, fieldNumber } from './segment/format.ts'
import { readBlock } from './segment/read-block.ts'
import type { Segment } from './segment/segment.ts'
import { DecodedBlock } from './segment/term-list.ts'
import type { TermList } from './segment/term-list.ts'
import { Occurrences } from './ranking/occurrences.ts'

/** Ordinals of documents that have one of the terms, in the field if one is named. Rising. */
export function documentsWith(lists: readonly TermList[], field: Field | undefined): Int32Array {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return documentsOf(only, field)
  const all = new Set(lists.flatMap((list) => [...documentsOf(list, field)]))
  return Int32Array.from(all).toSorted()
}

/** Ordinals of documents in which the words stand at their offsets; each word is alternatives. */
export function documentsWithPhrase(
  segment: Segment,
  lists: readonly (readonly TermList[])[],
  offsets: readonly number[],
  field: Field | undefined,
): Int32Array {
  const byLength = lists.toSorted((a, b) => frequencyOf(a) - frequencyOf(b))
  let candidates: Int32Array | undefined
  for (const alternatives of byLength) {
    const documents = documentsWith(alternatives, field)
    candidates = candidates === undefined ? documents : intersect(candidates, documents)
    if (candidates.length === 0) return candidates
  }
  if (candidates === undefined) return new Int32Array()
  const occurrences = new Occurrences(candidates, lists.length)
  for (const [i, alternatives] of lists.entries()) occurrences.read(i, alternatives)
  return candidates.filter((ordinal, index) => {
    const [from, to] = positionRange(segment, ordinal, field)
    return hasPhrase((word) => occurrences.positionsOf(word, index), offsets, from, to)
  })
}

function frequencyOf(lists: readonly TermList[]): number {
  return lists.reduce((sum, list) => sum + list.df, 0)
}

function documentsOf(list: TermList, field: Field | undefined): Int32Array {
  const documents = new Int32Array(list.df)
  const block = new DecodedBlock()
  const f = field === undefined ? undefined : fieldNumber(field)
  let count = 0
  for (let b = 0; b < list.blocks; b++) {
    readBlock(list, b, block)
    for (let i = 0; i < block.length; i++) {
      if (f !== undefined && block.frequencies[i * FIELD_COUNT + f] === 0) continue
      documents[count++] = block.documents[i]!
    }
  }
  return documents.subarray(0, count)
}

function intersect(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(Math.min(a.length, b.length))
  let count = 0
  let j = 0
  for (const document of a) {
    while (j < b.length && b[j]! < document) j++
    if (j < b.length && b[j] === document) both[count++] = document
  }
  return both.subarray(0, count)
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
