/** An open segment together with its tombstones and what ranking needs of both. */
import type { DocSet, SegmentReader } from './contract.ts'
import { inverseNorms, totalsOf } from './ranking/statistics.ts'
import type { Statistics, Totals } from './ranking/statistics.ts'
import type { Segment } from './segment/segment.ts'
import { DecodedBlock, readBlock } from './segment/term-list.ts'
import type { TermList } from './segment/term-list.ts'

/** A segment as the store hands it over. */
export interface SegmentSource {
  /** Never used for two different segments. */
  readonly id: string
  readonly reader: SegmentReader
  /** Documents of this segment that are gone. Hand over a new set when it changes. */
  readonly deleted: DocSet
}

export class LiveSegment {
  readonly source: SegmentSource
  readonly segment: Segment
  readonly totals: Totals
  /** How large the set of tombstones was when it was read. */
  readonly deletedSize: number
  /** Tombstoned ordinals in rising order, and the same as one byte per ordinal. */
  readonly deletedOrdinals: readonly number[]
  readonly isDeleted: Uint8Array | undefined
  readonly #deletedWith = new Map<string, number>()

  constructor(source: SegmentSource, segment: Segment) {
    this.source = source
    this.segment = segment
    this.deletedSize = source.deleted.size
    this.deletedOrdinals = ordinalsOf(segment, source.deleted)
    this.isDeleted = bytesOf(this.deletedOrdinals, segment.documents.count)
    this.totals = totalsOf(segment.documents, this.isDeleted)
  }

  /** How many live documents have the term. Tombstones are looked up once per term. */
  liveFrequency(term: string, list: TermList): number {
    if (this.deletedOrdinals.length === 0) return list.df
    let deleted = this.#deletedWith.get(term)
    if (deleted === undefined) {
      deleted = countIn(list, this.deletedOrdinals)
      this.#deletedWith.set(term, deleted)
    }
    return list.df - deleted
  }
}

/** A live segment under the statistics of the whole index. */
export interface RankedSegment {
  readonly live: LiveSegment
  readonly inverseNorms: Float64Array
}

export function rankSegment(live: LiveSegment, { averages }: Statistics): RankedSegment {
  return { live, inverseNorms: inverseNorms(live.segment.documents, averages) }
}

function ordinalsOf(segment: Segment, set: DocSet): number[] {
  if (set.size === 0) return []
  const ordinals: number[] = []
  segment.documents.numbers.forEach((doc, ordinal) => {
    if (set.has(doc)) ordinals.push(ordinal)
  })
  return ordinals
}

function bytesOf(ordinals: readonly number[], count: number): Uint8Array | undefined {
  if (ordinals.length === 0) return undefined
  const bytes = new Uint8Array(count)
  for (const ordinal of ordinals) bytes[ordinal] = 1
  return bytes
}

function countIn(list: TermList, ordinals: readonly number[]): number {
  const block = new DecodedBlock()
  let loaded = -1
  let at = 0
  let count = 0
  for (const ordinal of ordinals) {
    at = list.blockOf(ordinal, at)
    if (at === list.blocks) break
    if (loaded !== at) readBlock(list, at, block)
    loaded = at
    if (block.indexOf(ordinal) >= 0) count++
  }
  return count
}
