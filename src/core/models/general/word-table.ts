/**
 * What English words mean in general: a vector for each of some fifty thousand stems, in one file
 * that comes with the package (`scripts/word-table` makes it, docs/decisions/0027 says how). It is
 * used as it lies: no object per term. Who only asks questions needs the terms, which are a tenth of
 * it, and a row for each word: rows may stay in the file until somebody copies them.
 *
 *     'CWT1', dimensions, terms, bytes of the terms, 8 bytes digest, 8 bytes of the analysis
 *     the terms in order, each with a line feed, padded to four bytes
 *     a scale per term (four bytes), then the rows: two dimensions to a byte, low half first,
 *     each 1 to 15 for -7 to 7
 */
import { fstatSync, readSync } from 'node:fs'
import { placesIn } from '../term-places.ts'

export interface WordTable {
  /** Digest of the file's content. */
  readonly id: string
  /** Digest of how words became stems when it was made; see `analysisDigest`. */
  readonly analysis: string
  readonly dimensions: number
  readonly terms: number
  /** The row of a term, or -1. */
  rowOf(term: string): number
  /** Adds a row, times a weight, to a vector; to a shorter one its first dimensions, which tell most. */
  add(row: number, weight: number, into: Float64Array): void
  /** Writes a row as bytes, to be multiplied by the scale that is returned; as many as there is room. */
  copyRow(row: number, into: Int8Array): number
}

const MAGIC = 0x31545743

export const WORD_TABLE_HEADER = 32

/** What the first bytes say; undefined where they are not of such a table, or of one of another size. */
export function readTableHeader(header: Uint8Array, size: number) {
  if (header.length < WORD_TABLE_HEADER) return undefined
  const view = new DataView(header.buffer, header.byteOffset, WORD_TABLE_HEADER)
  const dimensions = view.getUint32(4, true)
  const count = view.getUint32(8, true)
  const scalesAt = WORD_TABLE_HEADER + view.getUint32(12, true)
  const rowsAt = scalesAt + 4 * count
  const isWhole = size === rowsAt + count * (dimensions / 2)
  if (view.getUint32(0, true) !== MAGIC || !isWhole) return undefined
  const [id, analysis] = [hex(header.subarray(16, 24)), hex(header.subarray(24, 32))]
  return { id, analysis, dimensions, count, scalesAt, rowsAt }
}

/** A file of which parts are read when they are needed. */
export interface TableFile {
  readonly size: number
  /** Fills the bytes with what stands from there on. */
  read(into: Uint8Array, from: number): void
}

/** One that is open; it is closed by whoever opened it. */
export function openedFile(file: number): TableFile {
  return {
    size: fstatSync(file).size,
    read(into, from) {
      const length = readSync(file, into, 0, into.length, from)
      if (length < into.length) throw new Error('The table of words ends too early.')
    },
  }
}

/**
 * Undefined when the file is no such table, or not all of it. Its rows stay there as long as questions
 * are asked and no row is copied.
 */
export function openWordTable(file: TableFile): WordTable | undefined {
  const head = new Uint8Array(Math.min(WORD_TABLE_HEADER, file.size))
  file.read(head, 0)
  const header = readTableHeader(head, file.size)
  if (!header) return undefined
  const { id, analysis, dimensions, count, scalesAt, rowsAt } = header
  const bytes = new Uint8Array(rowsAt)
  file.read(bytes, 0)
  const view = new DataView(bytes.buffer)
  const rowBytes = dimensions / 2
  const one = new Uint8Array(rowBytes)
  let rows: Uint8Array | undefined
  const scaleOf = (row: number): number => view.getFloat32(scalesAt + 4 * row, true)
  const places = placesIn(bytes.subarray(WORD_TABLE_HEADER, scalesAt), count)
  return {
    id,
    analysis,
    dimensions,
    terms: count,
    rowOf: (term) => places.placeOf(term),
    add(row, weight, into) {
      const scale = weight * scaleOf(row)
      const from = rows ? row * rowBytes : 0
      const values = rows ?? one
      if (!rows) file.read(one, rowsAt + row * rowBytes)
      const pairs = into.length / 2
      for (let k = 0; k < pairs; k++) {
        const pair = values[from + k]!
        into[2 * k]! += scale * ((pair & 15) - 8)
        into[2 * k + 1]! += scale * ((pair >> 4) - 8)
      }
    },
    copyRow(row, into) {
      // Whoever copies one copies thousands.
      if (!rows) {
        rows = new Uint8Array(file.size - rowsAt)
        file.read(rows, rowsAt)
      }
      const from = row * rowBytes
      const pairs = into.length / 2
      for (let k = 0; k < pairs; k++) {
        const pair = rows[from + k]!
        into[2 * k] = (pair & 15) - 8
        into[2 * k + 1] = (pair >> 4) - 8
      }
      return scaleOf(row)
    },
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
