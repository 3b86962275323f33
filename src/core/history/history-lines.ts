/**
 * Lines of the log and how they are read back. Each carries a checksum of itself, so that a bit
 * that flipped on the disk is told from what was written.
 */
import { crc32 } from 'node:zlib'
import type { ChangeRecord, Operation } from './history.ts'

/** Bytes in a line: text as it is, anything else encoded, long ones by name. */
export type Packed = string | { readonly base64: string } | { readonly blob: string }

export interface PackedChange extends Omit<ChangeRecord, 'before' | 'after'> {
  readonly before?: string
  readonly after?: string
  readonly at: number
  readonly removed: Packed
  readonly added: Packed
  /** What stood before and behind it. */
  readonly around?: readonly [Packed, Packed]
}

export interface OperationLine extends Omit<Operation, 'changes' | 'id' | 'at'> {
  readonly op: string
  readonly at: string
  readonly changes: readonly PackedChange[]
  /** The operation that failed, where this one, which is done, is what was left of it. */
  readonly instead_of?: string
}

export interface EndLine {
  readonly end: string
  readonly state: 'done' | 'failed'
}

export type Line = OperationLine | EndLine

export function writeLine(line: Line): string {
  const text = JSON.stringify(line)
  return `${text.slice(0, -1)},"sum":"${checksum(text)}"}`
}

const SUM = /,"sum":"([0-9a-f]{8})"\}$/

const SUM_LENGTH = ',"sum":"00000000"}'.length

/** Undefined for what is no line of ours any more: torn, or changed since it was written. */
export function parseLine(text: string): Line | undefined {
  const sum = SUM.exec(text)
  const plain = sum ? `${text.slice(0, sum.index)}}` : text
  // Lines of earlier versions have no checksum.
  if (sum && checksum(plain) !== sum[1]) return undefined
  try {
    const line = JSON.parse(plain) as Line
    if ('end' in line) return typeof line.end === 'string' ? line : undefined
    return 'op' in line && Array.isArray(line.changes) ? line : undefined
  } catch {
    return undefined
  }
}

/** Begun by a process that was killed: what it was about to say had not happened yet. */
export function isTorn(text: string): boolean {
  const isWhole = text.endsWith('}') || /^,"sum":"[0-9a-f]{8}"/.test(text.slice(-SUM_LENGTH))
  return text.startsWith('{"') && !isWhole
}

/** Contents that a line needs and that stand in files of their own. */
export function contentsOf(line: Line): string[] {
  if (!('changes' in line)) return []
  return line.changes
    .flatMap(({ removed, added, around = ['', ''] as const }) => [removed, added, ...around])
    .flatMap((packed) => (typeof packed === 'object' && 'blob' in packed ? [packed.blob] : []))
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
