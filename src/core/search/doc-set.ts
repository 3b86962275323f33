/** A set of documents for filters and tombstones: one byte a number, so that asking costs nothing. */
import type { DocNo } from '../domain/document.ts'
import type { DocSet } from './contract.ts'

export function docSet(docs: Uint32Array): DocSet {
  const room = docs.reduce((largest, doc) => Math.max(largest, doc + 1), 0)
  const member = new Uint8Array(room)
  for (const doc of docs) member[doc] = 1
  return { has: (doc: DocNo) => member[doc] === 1, size: docs.length }
}
