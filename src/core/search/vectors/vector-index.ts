/**
 * Which passages mean something similar? An exact scan over rows of bytes, or of half bytes where
 * nothing else was given: no graph to build, nothing to tune, a change costs a copy. Beyond a few
 * hundred thousand rows, where reading all takes too long, a scan over one bit per dimension chooses
 * the rows that are then compared exactly.
 *
 * The rows of a document lie together in passage order; removed rows are skipped until so many have
 * gathered that closing the gaps is worth it.
 */
import type { DocNo } from '../../domain/document.ts'
import {
  areFactors,
  createRowEncoder,
  encodeQuery,
  halved,
  HEADER,
  headOfRows,
  parseRows,
  rowBytesOf,
  valuesOf,
  type EncodedQuery,
  type EncodedRows,
  type RowBits,
  type RowEncoder,
} from './encoded-rows.ts'
import type { KernelKind } from '../../kit/kernel-memory.ts'
import { STRIDE_UNIT } from './kernels.ts'
import { createRotation, type Rotation } from '../../kit/rotate.ts'
import { BLOCK_ROWS, RowMemory } from './row-memory.ts'
import { TopHits, type CompareDocs, type VectorHit } from './top-hits.ts'

export type { CompareDocs, VectorHit } from './top-hits.ts'

export interface VectorIndexOptions {
  readonly dimensions: number
  /** `plain` computes in JavaScript, as happens by itself where WebAssembly SIMD is missing. */
  readonly kernels?: KernelKind
  /** From so many rows on, bits choose which rows are compared. */
  readonly bitsFrom?: number
}

export interface VectorSearchOptions {
  readonly limit: number
  /** Only these documents may be found. */
  readonly filter?: { has(doc: DocNo): boolean }
  /** Whether a document is found once, by its best passage (the default), or by every passage. */
  readonly perDocument?: boolean
  /** Decides between documents of equal similarity; by number unless given. */
  readonly compare?: CompareDocs
  /** Documents that other evidence has found: the best passage of each stands behind the hits. */
  readonly also?: readonly DocNo[]
  /** How many rows the bits choose, where they choose. */
  readonly candidates?: number
}

export interface VectorIndex {
  readonly dimensions: number
  /** Living rows. */
  readonly rows: number
  readonly documents: number
  readonly bytes: number
  readonly kernels: KernelKind
  /** Makes these the rows of the document, in passage order, in place of any it had. */
  setRows(doc: DocNo, rows: EncodedRows | readonly Float32Array[]): void
  /** The same with rows as a store keeps them; false when these bytes are none, and nothing changes. */
  setStored(doc: DocNo, data: Uint8Array): boolean
  /** Adds passages behind those the document has, for embedders that deliver in parts. */
  append(doc: DocNo, rows: EncodedRows | readonly Float32Array[]): void
  /** Tells whether there was something to remove. */
  remove(doc: DocNo): boolean
  has(doc: DocNo): boolean
  /** Every document that has rows. */
  docs(): readonly DocNo[]
  /** The document's rows, as a store would keep them. */
  rowsOf(doc: DocNo): EncodedRows | undefined
  search(query: Float32Array, options: VectorSearchOptions): VectorHit[]
  /** How close every passage of each of these documents is, in passage order. */
  eachSimilarity(query: Float32Array, docs: readonly DocNo[]): (readonly number[] | undefined)[]
  clear(): void
}

/** Marks a row nobody owns any more. */
const NOBODY = 0xffff_ffff

const DEFAULT_BITS_FROM = 300_000

/** Bits are a rough measure: this many rows, and ten per wanted hit, are looked at again. */
const MIN_CANDIDATES = 2_000
const CANDIDATES_PER_HIT = 10

/** Gaps are closed when they are a quarter of all rows and worth the trouble. */
const MIN_GAPS = 1_024

export function createVectorIndex(options: VectorIndexOptions): VectorIndex {
  return new ScannedIndex(options)
}

class ScannedIndex implements VectorIndex {
  readonly dimensions: number
  readonly #encoder: RowEncoder
  readonly #rotation: Rotation
  readonly #kind: KernelKind
  readonly #bitsFrom: number
  /** How the rows in memory are written. */
  #width: RowBits = 8
  #kernel: 'dot' | 'halfDot' = 'dot'
  #stride = 0
  #memory: RowMemory
  #bits: RowMemory | undefined
  /** The rows before this one have their bits; those behind it get them when bits are asked for. */
  #bitsEnd = 0
  /** Rows in memory, removed ones included. */
  #end = 0
  #gaps = 0
  #docOf = new Uint32Array(64)
  #factorOf = new Float32Array(64)
  #factorBytes = new Uint8Array(this.#factorOf.buffer)
  #firstRow = new Map<DocNo, number>()

  constructor({ dimensions, kernels = 'simd', bitsFrom = DEFAULT_BITS_FROM }: VectorIndexOptions) {
    this.dimensions = dimensions
    this.#encoder = createRowEncoder(dimensions)
    this.#rotation = createRotation(dimensions)
    this.#kind = kernels
    this.#bitsFrom = bitsFrom
    this.#memory = this.#emptyRows()
  }

  get rows(): number {
    return this.#end - this.#gaps
  }

  get documents(): number {
    return this.#firstRow.size
  }

  get bytes(): number {
    return this.#memory.bytes + (this.#bits?.bytes ?? 0) + 8 * this.#docOf.length
  }

  get kernels(): KernelKind {
    return this.#memory.kind
  }

  setRows(doc: DocNo, rows: EncodedRows | readonly Float32Array[]): void {
    const encoded = this.#encoded(rows)
    this.remove(doc)
    this.#add(doc, encoded)
  }

  /** Without an object for anything: every document of a base comes this way before the first answer. */
  setStored(doc: DocNo, data: Uint8Array): boolean {
    const head = headOfRows(data)
    if (!head) return false
    const { count, factorsAt } = head
    const rowBytes = rowBytesOf(this.dimensions, this.#width)
    const isAsHere = head.dimensions === this.dimensions && head.bits === this.#width
    if (!isAsHere || this.#stride !== rowBytes) {
      const rows = parseRows(data)
      if (rows) this.setRows(doc, rows)
      return rows !== undefined
    }
    const first = this.#end
    this.#reserve(first + count)
    this.#factorBytes.set(data.subarray(factorsAt), 4 * first)
    if (!areFactors(this.#factorOf, first, first + count)) return false
    this.remove(doc)
    if (this.#end !== first) return this.setStored(doc, data)
    if (count === 0) return true
    this.#memory.put(first, data.subarray(HEADER, factorsAt))
    this.#added(doc, first, count)
    return true
  }

  append(doc: DocNo, rows: EncodedRows | readonly Float32Array[]): void {
    const encoded = this.#encoded(rows)
    const known = this.rowsOf(doc)
    if (known && this.#rowEnd(doc) < this.#end) {
      this.remove(doc)
      this.#add(doc, known)
    }
    this.#add(doc, encoded)
  }

  remove(doc: DocNo): boolean {
    const first = this.#firstRow.get(doc)
    if (first === undefined) return false
    const end = this.#rowEnd(doc)
    this.#docOf.fill(NOBODY, first, end)
    this.#factorOf.fill(0, first, end)
    this.#gaps += end - first
    this.#firstRow.delete(doc)
    if (this.#gaps >= MIN_GAPS && this.#gaps * 4 >= this.#end) this.#closeGaps()
    return true
  }

  docs(): readonly DocNo[] {
    return [...this.#firstRow.keys()]
  }

  has(doc: DocNo): boolean {
    return this.#firstRow.has(doc)
  }

  rowsOf(doc: DocNo): EncodedRows | undefined {
    const first = this.#firstRow.get(doc)
    if (first === undefined) return undefined
    const count = this.#rowEnd(doc) - first
    return this.#rowsAt(first, count)
  }

  #rowsAt(first: number, count: number): EncodedRows {
    const { dimensions } = this
    const bits = this.#width
    const rowBytes = rowBytesOf(dimensions, bits)
    const bytes = new Uint8Array(count * rowBytes)
    const padded = this.#memory.rows(first, count)
    const stride = this.#stride
    for (let row = 0; row < count; row++) {
      const start = row * stride
      bytes.set(padded.subarray(start, start + rowBytes), row * rowBytes)
    }
    return {
      dimensions,
      count,
      bits,
      bytes,
      factors: this.#factorOf.slice(first, first + count),
    }
  }

  search(query: Float32Array, options: VectorSearchOptions): VectorHit[] {
    const { limit, filter, also, perDocument = true, compare = (a, b) => a - b } = options
    const encoded = encodeQuery(query, this.#rotation)
    if (encoded.factor === 0 || limit <= 0) return []
    const top = new TopHits(limit, compare)
    this.#memory.setQuery(this.#width === 8 ? encoded.values : halved(encoded.values, this.#stride))
    const byBits = this.rows >= this.#bitsFrom
    // Threshold seeding: what words have found is compared in any case. Compared first, it sets a floor
    // that few rows of the scan reach.
    const given = new Map<DocNo, VectorHit>()
    for (const doc of also ?? []) {
      const hit = this.#bestOf(doc, encoded)
      if (!hit) continue
      given.set(doc, hit)
      if (perDocument && !byBits && (!filter || filter.has(doc))) top.offer(hit)
    }
    const offered = perDocument && !byBits ? given : NO_HITS
    const offers = new Offers(this.#docOf, this.#firstRow, top, filter, perDocument, offered)
    if (byBits) {
      const wanted = options.candidates ?? Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT)
      for (const row of this.#chooseByBits(encoded, wanted, filter)) {
        offers.row(row, this.#similarity(row, encoded))
      }
    } else {
      this.#scan(encoded, offers)
    }
    offers.finish()
    const hits = top.sorted()
    if (!also) return hits
    for (const { doc } of hits) given.delete(doc)
    hits.push(...given.values())
    return hits
  }

  #bestOf(doc: DocNo, { factor }: EncodedQuery): VectorHit | undefined {
    const first = this.#firstRow.get(doc)
    if (first === undefined) return undefined
    const end = this.#rowEnd(doc)
    let [chunk, best] = [-1, -Infinity]
    for (let from = first; from < end; from += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, end - from)
      const products = this.#memory.compare(this.#kernel, from, count)
      for (let i = 0; i < count; i++) {
        const similarity = products[i]! * this.#factorOf[from + i]! * factor
        if (similarity <= best || this.#factorOf[from + i] === 0) continue
        best = similarity
        chunk = from + i - first
      }
    }
    return chunk < 0 ? undefined : { doc, chunk, similarity: best }
  }

  eachSimilarity(query: Float32Array, docs: readonly DocNo[]): (readonly number[] | undefined)[] {
    const encoded = encodeQuery(query, this.#rotation)
    this.#memory.setQuery(this.#width === 8 ? encoded.values : halved(encoded.values, this.#stride))
    return docs.map((doc) => {
      const first = this.#firstRow.get(doc)
      if (first === undefined || encoded.factor === 0) return undefined
      const count = this.#rowEnd(doc) - first
      return Array.from({ length: count }, (_, row) => this.#similarity(first + row, encoded))
    })
  }

  clear(): void {
    this.#memory = this.#emptyRows()
    this.#bits = undefined
    this.#bitsEnd = 0
    this.#end = 0
    this.#gaps = 0
    this.#docOf = new Uint32Array(64)
    this.#factorOf = new Float32Array(64)
    this.#factorBytes = new Uint8Array(this.#factorOf.buffer)
    this.#firstRow = new Map()
  }

  #emptyRows(): RowMemory {
    const rowBytes = rowBytesOf(this.dimensions, this.#width)
    this.#stride = Math.ceil(rowBytes / STRIDE_UNIT) * STRIDE_UNIT
    this.#kernel = this.#width === 8 ? 'dot' : 'halfDot'
    const queryBytes = this.#width === 8 ? 2 * this.#stride : 4 * this.#stride + STRIDE_UNIT
    return new RowMemory(this.#stride, queryBytes, this.#kind)
  }

  #encoded(rows: EncodedRows | readonly Float32Array[]): EncodedRows {
    const encoded = isEncoded(rows) ? rows : this.#encoder.encode(rows)
    if (encoded.dimensions === this.dimensions) return encoded
    throw new RangeError(
      `Rows of ${encoded.dimensions} dimensions were given to an index of ${this.dimensions}.`,
    )
  }

  /** Writes rows at the end; the document's own, if it has any, must lie just before. */
  #add(doc: DocNo, rows: EncodedRows): void {
    const { count, bits, factors } = rows
    if (count === 0) return
    if (bits !== this.#width) this.#makeRoomFor(bits)
    const first = this.#end
    this.#reserve(first + count)
    this.#write(first, rows)
    this.#factorOf.set(factors, first)
    this.#added(doc, first, count)
  }

  #added(doc: DocNo, first: number, count: number): void {
    this.#docOf.fill(doc, first, first + count)
    if (!this.#firstRow.has(doc)) this.#firstRow.set(doc, first)
    this.#end = first + count
    const waits = this.#end - this.#bitsEnd
    if (this.#bits ? waits >= BLOCK_ROWS : this.#end >= this.#bitsFrom) this.#writeBits()
  }

  /** An empty memory takes the form of what comes; later on, half bytes become bytes and stay so. */
  #makeRoomFor(bits: RowBits): void {
    if (this.#end > 0 && bits === 4) return
    const before = this.#end > 0 ? this.#rowsAt(0, this.#end) : undefined
    this.#width = bits
    this.#memory = this.#emptyRows()
    if (!before) return
    this.#memory.reserve(this.#end)
    this.#write(0, before)
  }

  #write(first: number, rows: EncodedRows): void {
    const given = rows.bits === this.#width ? rows.bytes : valuesOf(rows)
    const bytes = new Uint8Array(given.buffer, given.byteOffset, given.length)
    const room = this.#memory.rows(first, rows.count)
    // Of the same type as what is copied: only then it is copied in one go.
    const padded = new Uint8Array(room.buffer, room.byteOffset, room.length)
    const rowBytes = rowBytesOf(this.dimensions, this.#width)
    const stride = this.#stride
    if (stride === rowBytes) return padded.set(bytes)
    padded.fill(0)
    for (let row = 0; row < rows.count; row++) {
      padded.set(bytes.subarray(row * rowBytes, (row + 1) * rowBytes), row * stride)
    }
  }

  #reserve(rows: number): void {
    this.#memory.reserve(rows)
    if (rows <= this.#docOf.length) return
    const room = Math.max(rows, Math.ceil(this.#docOf.length * 1.5))
    const docOf = new Uint32Array(room)
    const factorOf = new Float32Array(room)
    docOf.set(this.#docOf)
    factorOf.set(this.#factorOf)
    this.#docOf = docOf
    this.#factorOf = factorOf
    this.#factorBytes = new Uint8Array(factorOf.buffer)
  }

  #rowEnd(doc: DocNo): number {
    let row = this.#firstRow.get(doc) ?? this.#end
    while (row < this.#end && this.#docOf[row] === doc) row++
    return row
  }

  #closeGaps(): void {
    if (this.#bits) this.#writeBits()
    let to = 0
    let row = 0
    while (row < this.#end) {
      const doc = this.#docOf[row]!
      let next = row + 1
      while (next < this.#end && this.#docOf[next] === doc) next++
      if (doc !== NOBODY) {
        const count = next - row
        if (to < row) {
          this.#memory.move(row, to, count)
          this.#bits?.move(row, to, count)
          this.#docOf.copyWithin(to, row, next)
          this.#factorOf.copyWithin(to, row, next)
          this.#firstRow.set(doc, to)
        }
        to += count
      }
      row = next
    }
    this.#end = to
    this.#bitsEnd = Math.min(this.#bitsEnd, to)
    this.#gaps = 0
  }

  #similarity(row: number, { factor }: EncodedQuery): number {
    return this.#memory.compare(this.#kernel, row, 1)[0]! * this.#factorOf[row]! * factor
  }

  #scan({ factor }: EncodedQuery, offers: Offers): void {
    const factorOf = this.#factorOf
    for (let first = 0; first < this.#end; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.#end - first)
      const products = this.#memory.compare(this.#kernel, first, count)
      const floor = offers.floor
      for (let i = 0; i < count; i++) {
        const similarity = products[i]! * factorOf[first + i]! * factor
        // The floor only rises, so yesterday's is a safe and cheap first test.
        if (similarity >= floor && factorOf[first + i] !== 0) offers.row(first + i, similarity)
      }
    }
  }

  /** One bit per dimension, the sign, for all rows that have none yet. */
  #writeBits(): RowMemory {
    const stride = this.#bitsStride
    const rowStride = this.#stride
    const setBits = this.#width === 8 ? setSigns : setSignsOfHalves
    const memory = (this.#bits ??= new RowMemory(stride, stride, this.#kind))
    memory.reserve(this.#docOf.length)
    for (let first = this.#bitsEnd; first < this.#end; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.#end - first)
      const rows = this.#memory.rows(first, count)
      const bits = memory.rows(first, count)
      setBits(rows, rowStride, bits, stride, this.dimensions)
    }
    this.#bitsEnd = this.#end
    return memory
  }

  get #bitsStride(): number {
    return Math.ceil(this.dimensions / (8 * STRIDE_UNIT)) * STRIDE_UNIT
  }

  /**
   * The rows nearest by bits, in row order: the given number and all others that are as near as the
   * farthest of them, so that the choice does not depend on where rows lie.
   */
  #chooseByBits(
    query: EncodedQuery,
    wanted: number,
    filter: VectorSearchOptions['filter'],
  ): number[] {
    const bits = this.#writeBits()
    bits.setQuery(signsOf(query.values, this.#bitsStride))

    // `reach` is the distance within which the wanted number was found so far. It only shrinks, so
    // after the first blocks hardly a row needs more than a comparison.
    let reach = this.dimensions
    const atDistance = new Uint32Array(this.dimensions + 1)
    const near: { readonly row: number; readonly distance: number }[] = []
    const allowed = filter && allowedRows(this.#docOf, filter)
    for (let first = 0; first < this.#end; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.#end - first)
      const distances = bits.compare('hamming', first, count)
      for (let i = 0; i < count; i++) {
        const distance = distances[i]!
        if (distance > reach) continue
        const row = first + i
        if (this.#factorOf[row] === 0 || (allowed && !allowed(row))) continue
        atDistance[distance]!++
        near.push({ row, distance })
      }
      reach = reachOf(atDistance, wanted)
    }
    return near.filter(({ distance }) => distance <= reach).map(({ row }) => row)
  }
}

/** The distance within which there are as many as wanted. */
function reachOf(atDistance: Uint32Array, wanted: number): number {
  let within = atDistance[0]!
  let distance = 0
  while (within < wanted && distance < atDistance.length - 1) within += atDistance[++distance]!
  return distance
}

const NO_HITS: ReadonlyMap<DocNo, VectorHit> = new Map()

/** Takes rows in ascending order and passes the hits they make on. */
class Offers {
  readonly #docOf: Uint32Array
  readonly #firstRow: ReadonlyMap<DocNo, number>
  readonly #top: TopHits
  readonly #filter: VectorSearchOptions['filter']
  readonly #perDocument: boolean
  /** Documents whose best row is among the hits already. */
  readonly #offered: Pick<ReadonlyMap<DocNo, unknown>, 'has'>
  /** The best row so far of the document at hand. */
  #doc = NOBODY
  #bestRow = 0
  #best = -Infinity

  constructor(
    docOf: Uint32Array,
    firstRow: ReadonlyMap<DocNo, number>,
    top: TopHits,
    filter: VectorSearchOptions['filter'],
    perDocument: boolean,
    offered: Pick<ReadonlyMap<DocNo, unknown>, 'has'>,
  ) {
    this.#docOf = docOf
    this.#firstRow = firstRow
    this.#top = top
    this.#filter = filter
    this.#perDocument = perDocument
    this.#offered = offered
  }

  get floor(): number {
    return this.#top.floor
  }

  row(row: number, similarity: number): void {
    const doc = this.#docOf[row]!
    if (this.#perDocument && doc === this.#doc) {
      if (similarity > this.#best) {
        this.#best = similarity
        this.#bestRow = row
      }
      return
    }
    this.finish()
    this.#doc = doc
    this.#best = similarity
    this.#bestRow = row
  }

  finish(): void {
    const doc = this.#doc
    this.#doc = NOBODY
    if (doc === NOBODY || this.#best < this.#top.floor || this.#offered.has(doc)) return
    if (this.#filter && !this.#filter.has(doc)) return
    const chunk = this.#bestRow - (this.#firstRow.get(doc) ?? 0)
    this.#top.offer({ doc, chunk, similarity: this.#best })
  }
}

/** Asks the filter once per document: its rows lie together. */
function allowedRows(
  docOf: Uint32Array,
  filter: NonNullable<VectorSearchOptions['filter']>,
): (row: number) => boolean {
  let doc = NOBODY
  let allowed = false
  return (row) => {
    if (docOf[row] !== doc) {
      doc = docOf[row]!
      allowed = filter.has(doc)
    }
    return allowed
  }
}

/** A bit for each number, lowest first: whether it is below zero. */
function signsOf(values: Int16Array, stride: number): Uint8Array {
  const bits = new Uint8Array(stride)
  for (let i = 0; i < values.length; i++) if (values[i]! < 0) bits[i >> 3]! |= 1 << (i & 7)
  return bits
}

/** The same for each of some rows of bytes: a large base has them made before its first answer. */
function setSigns(
  rows: Int8Array<ArrayBuffer>,
  rowStride: number,
  bits: Int8Array<ArrayBuffer>,
  stride: number,
  dimensions: number,
): void {
  const words = new Int32Array(rows.buffer, rows.byteOffset, rows.length >> 2)
  const bytesUsed = Math.ceil(dimensions / 8)
  const wordsPerRow = rowStride >> 2
  for (let row = 0, to = 0; to < bits.length; row += wordsPerRow, to += stride) {
    for (let i = 0; i < bytesUsed; i++) {
      bits[to + i] =
        signsOfBytes(words[row + 2 * i]!) | (signsOfBytes(words[row + 2 * i + 1]!) << 4)
    }
  }
}

/** The signs of four bytes in four bits. */
function signsOfBytes(word: number): number {
  const signs = (word >>> 7) & 0x0101_0101
  return (signs | (signs >>> 7) | (signs >>> 14) | (signs >>> 21)) & 15
}

/** The same of places in LEVELS: half of these are below zero. */
function setSignsOfHalves(
  rows: Int8Array<ArrayBuffer>,
  rowStride: number,
  bits: Int8Array<ArrayBuffer>,
  stride: number,
  dimensions: number,
): void {
  const words = new Int32Array(rows.buffer, rows.byteOffset, rows.length >> 2)
  const bytesUsed = Math.ceil(dimensions / 8)
  const wordsPerRow = rowStride >> 2
  // Behind the last dimension a row has zeros, and zero is a place below zero.
  const lastUsed = dimensions % 8 === 0 ? 255 : (1 << (dimensions % 8)) - 1
  for (let row = 0, to = 0; to < bits.length; row += wordsPerRow, to += stride) {
    for (let i = 0; i < bytesUsed; i++) bits[to + i] = signsOfHalves(words[row + i]!)
    bits[to + bytesUsed - 1]! &= lastUsed
  }
}

/** Eight half bytes: a bit of each moves beside its neighbour, then pairs of them, then fours. */
function signsOfHalves(word: number): number {
  let signs = (~word >>> 3) & 0x1111_1111
  signs = (signs | (signs >>> 3)) & 0x0303_0303
  signs = (signs | (signs >>> 6)) & 0x000f_000f
  return (signs | (signs >>> 12)) & 255
}

function isEncoded(rows: EncodedRows | readonly Float32Array[]): rows is EncodedRows {
  return 'bits' in rows
}
