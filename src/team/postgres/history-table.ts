/**
 * Operations in a table. What lists show is a record; the bytes that went and came lie beside it,
 * one after the other, and long ones in rows of their own under their digest. A sum tells whether
 * either was changed since.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { documentId } from '../../core/domain/document.ts'
import type {
  Change,
  ChangeRecord,
  LoggedOperation,
  Operation,
  OperationState,
} from '../../core/domain/history.ts'
import type { BaseRows } from './base-rows.ts'
import { sumOf } from './rows.ts'
import type { Row } from './database.ts'
import { bytesArray, kept, numberArray, textArray } from './values.ts'

/** Longer contents have a row of their own, which several operations may share. */
const INLINE_BYTES = 16 * 1024

/** Bytes of a change: so many of those beside the record, or a content by its digest. */
type Piece = number | string

export interface RecordedChange extends Omit<ChangeRecord, 'before' | 'after'> {
  readonly before?: string
  readonly after?: string
  readonly at: number
  /** What went and what came, then what stood before and behind it. */
  readonly pieces: readonly Piece[]
}

export interface Recorded extends Omit<Operation, 'id' | 'at' | 'changes'> {
  readonly changes: readonly RecordedChange[]
}

interface Packed {
  readonly operation: Operation
  readonly record: string
  readonly data: Buffer
  readonly contents: ReadonlyMap<string, Uint8Array>
}

export interface PutOptions {
  readonly state: OperationState
  /** How far the clock of the database is ahead of the one that the operations were dated by. */
  readonly aheadMs?: number
}

/**
 * Writes operations down, in the order given. In a transaction of the caller, who may change
 * documents in the same one; nobody else writes to this history until it ends.
 */
export async function putOperations(
  rows: BaseRows,
  operations: readonly Operation[],
  { state, aheadMs = 0 }: PutOptions,
): Promise<number> {
  if (operations.length === 0) return 0
  const numbered = await rows.row(
    'UPDATE cairn.histories SET last = last + $2 WHERE base = $1 RETURNING last',
    operations.length,
  )
  const last = Number(numbered?.['last'])
  const ordinalOf = (place: number): number => last - operations.length + 1 + place
  const packed = operations.map(pack)
  for (const [place, { contents }] of packed.entries()) {
    for (const [digest, bytes] of contents) {
      // One that was damaged since is written again.
      await rows.rows(
        `INSERT INTO cairn.operation_contents (base, digest, ordinal, size, data)
         VALUES ($1, decode($2, 'hex'), $3, $4, $5)
         ON CONFLICT (base, digest) DO UPDATE SET ordinal = excluded.ordinal, data = excluded.data`,
        digest,
        ordinalOf(place),
        bytes.length,
        bytes,
      )
    }
  }
  const at = operations.map((operation) => operation.at + aheadMs)
  await rows.rows(
    `INSERT INTO cairn.operations (base, ordinal, id, at, state, takes_back, bytes, sum, data_sum,
       names, record, data)
     SELECT $1, ordinal, id, at, $5, takes_back, octet_length(record) + octet_length(data), sum,
       data_sum, names, record, data
     FROM unnest($2::bigint[], $3::text[], $4::float8[], $6::boolean[], $7::bigint[], $8::bigint[],
       $9::text[], $10::text[], $11::bytea[])
       AS o (ordinal, id, at, takes_back, sum, data_sum, names, record, data)`,
    numberArray(operations.map((_, place) => ordinalOf(place))),
    textArray(operations.map(({ id }) => id)),
    numberArray(at),
    state,
    textArray(operations.map(({ undoes }) => ((undoes?.length ?? 0) > 0 ? 't' : 'f'))),
    numberArray(packed.map(({ operation: { id }, record }, place) => sumOf(id, at[place], record))),
    numberArray(packed.map(({ data }) => crc32(data))),
    textArray(operations.map(namesIn)),
    textArray(packed.map(({ record }) => record)),
    bytesArray(packed.map(({ data }) => data)),
  )
  return last
}

function pack(operation: Operation): Packed {
  const { id: _id, at: _at, changes, ...rest } = operation
  const contents = new Map<string, Uint8Array>()
  const inline: Uint8Array[] = []
  const piece = (bytes: Uint8Array): Piece => {
    if (bytes.length <= INLINE_BYTES) return (inline.push(bytes), bytes.length)
    const digest = createHash('sha256').update(bytes).digest('hex')
    contents.set(digest, bytes)
    return digest
  }
  const recorded: Recorded = {
    ...rest,
    changes: changes.map(({ splice, around, ...record }) => ({
      ...record,
      at: splice.at,
      pieces: [splice.removed, splice.added, ...(around ? [around.before, around.behind] : [])].map(
        piece,
      ),
    })),
  }
  return { operation, record: JSON.stringify(recorded), data: Buffer.concat(inline), contents }
}

function namesIn({ changes, by }: Operation): string {
  const documents = changes.flatMap(({ source, path, from = path }) => [
    documentId({ source, path }),
    documentId({ source, path: from }),
  ])
  const authors = [by.client, by.principal].filter((name) => name !== undefined)
  return JSON.stringify({ documents: [...new Set(documents)], authors })
}

/** The columns that `loggedOf` reads. */
export const LISTED = 'ordinal, id, at, state, sum, record'

/** Undefined for a row that is not what was written. */
export function recordedIn(row: Row): Recorded | undefined {
  const record = String(row['record'])
  if (sumOf(String(row['id']), Number(row['at']), record) !== row['sum']) return undefined
  return JSON.parse(record) as Recorded
}

export function loggedOf(
  row: Row,
  { changes, ...rest }: Recorded,
  undoneBy: string | undefined,
): LoggedOperation {
  return {
    ...rest,
    id: String(row['id']),
    at: Number(row['at']),
    changes: changes.map(recordOf),
    state: String(row['state']) as OperationState,
    undoneBy,
  }
}

function recordOf({ at: _at, pieces: _pieces, ...record }: RecordedChange): ChangeRecord {
  return { ...record, before: record.before, after: record.after }
}

/** Contents that have a row of their own. */
export function contentsOf({ changes }: Recorded): string[] {
  return changes.flatMap(({ pieces }) => pieces).filter((piece) => typeof piece === 'string')
}

/** Puts the bytes back into their places. */
export function unpack(
  { changes }: Recorded,
  data: Buffer,
  contents: (digest: string) => Uint8Array,
): Change[] {
  let at = 0
  const bytesOf = (piece: Piece): Uint8Array => {
    if (typeof piece === 'string') return contents(piece)
    at += piece
    return data.subarray(at - piece, at)
  }
  return changes.map((change) => {
    const [removed, added, before, behind] = change.pieces.map(bytesOf)
    return {
      ...recordOf(change),
      splice: { at: change.at, removed: removed!, added: added! },
      ...(before && behind && { around: { before, behind } }),
    }
  })
}

/** As a text stands in a record, where quotes and the like are escaped. */
export function inRecord(text: string): string {
  return kept(JSON.stringify(text).slice(1, -1))
}
