/**
 * History in the database: every server of a base sees the same operations, and takes back what
 * another one did. What of it is damaged is left out when it is read, as it is of files.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type KnowledgeError, alreadyThere, unavailable } from '../../core/domain/error.ts'
import type {
  Begun,
  Change,
  History,
  HistoryDamage,
  HistoryKeep,
  HistoryNames,
  LoggedOperation,
  Operation,
  OperationState,
  PrunedHistory,
} from '../../core/domain/history.ts'
import { LockLost } from '../../core/domain/write-lock.ts'
import { rowsOf } from './base-rows.ts'
import type { BaseRows } from './base-rows.ts'
import type { Clock } from './clock.ts'
import type { Asking, Database, Row } from './database.ts'
import { codeOf, isDamage } from './explain-trouble.ts'
import {
  contentsOf,
  inRecord,
  LISTED,
  loggedOf,
  putOperations,
  recordedIn,
  unpack,
} from './history-table.ts'
import type { Recorded } from './history-table.ts'
import { textArray } from './values.ts'

export interface HistoryParts {
  readonly database: Database
  /** The number of the base, which may become another one. */
  readonly base: () => number
  readonly keep: HistoryKeep
  /** Throws where somebody else has the lock by now; holds on to it until the transaction ends. */
  readonly requireLock?: (rows: BaseRows) => Promise<void>
  /** How far the clock of the database is ahead of ours, as whoever holds the lock knows it. */
  readonly aheadMs?: () => number
  readonly clock?: Clock
  /** Whether this server can tell what became of the documents of a source. */
  readonly isHere?: ((source: string) => boolean) | undefined
}

/** Pages of the log grow: most who look want the last few. */
const FIRST_PAGE = 50
const LAST_PAGE = 800
const NAMES_AT_ONCE = 5_000
const CHECKED_AT_ONCE = 100
/** What is older than what is kept goes with every so many operations. */
const PRUNED_EVERY = 256

export function openPostgresHistory(parts: HistoryParts): History {
  return new PostgresHistory(parts)
}

class PostgresHistory implements History {
  readonly #parts: HistoryParts
  readonly #reading: BaseRows
  readonly #writing: BaseRows
  readonly #recorded = new WeakMap<LoggedOperation, { ordinal: number; recorded: Recorded }>()
  #names: { pruned: number; last: number; documents: Set<string>; authors: Set<string> } | undefined

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.#reading = sound(rowsOf(parts.database, parts.base))
    this.#writing = sound(rowsOf(parts.database.writing, parts.base))
  }

  async begin(...operations: readonly Operation[]): Promise<Begun> {
    const { aheadMs } = this.#parts
    const last = await this.#change(
      async (rows) => {
        await this.#parts.requireLock?.(rows)
        return putOperations(rows, operations, { state: 'open', aheadMs: aheadMs?.() })
      },
      // Whether it was written down where nobody heard the confirmation.
      async () => (await this.stateOf(operations.at(-1)?.id ?? '')) !== undefined,
    )
    const isTime = last % PRUNED_EVERY < operations.length
    if (isTime) await this.prune().catch(() => {})
    return { flushed: Promise.resolve() }
  }

  async amend(id: string, instead: Operation): Promise<void> {
    const { aheadMs } = this.#parts
    await this.#change(
      async (rows) => {
        await this.#parts.requireLock?.(rows)
        await this.#end(rows, [id], 'failed')
        await putOperations(rows, [instead], { state: 'done', aheadMs: aheadMs?.() })
      },
      async () => (await this.stateOf(instead.id)) !== undefined,
    )
  }

  async settle(ids: string | readonly string[], state: 'done' | 'failed'): Promise<void> {
    const ended = [ids].flat()
    const isSaid = async (): Promise<boolean> => {
      for (const id of ended) if ((await this.stateOf(id)) !== state) return false
      return true
    }
    try {
      await this.#change(async (rows) => {
        await this.#parts.requireLock?.(rows)
        await this.#end(rows, ended, state)
      }, isSaid)
    } catch (error) {
      // Whoever took over has found out the same.
      if (error instanceof LockLost && (await isSaid())) return
      throw error
    }
  }

  async #end(rows: BaseRows, ids: readonly string[], state: 'done' | 'failed'): Promise<void> {
    await rows.rows(
      `UPDATE cairn.operations SET state = $3
       WHERE base = $1 AND id = ANY($2::text[]) AND state = 'open'`,
      textArray(ids),
      state,
    )
  }

  async unsettled(): Promise<readonly LoggedOperation[]> {
    // Asked of the primary: a standby may not know yet.
    const rows = await this.#writing.rows(
      `SELECT ${LISTED} FROM cairn.operations WHERE base = $1 AND state = 'open' ORDER BY ordinal`,
    )
    const { isHere } = this.#parts
    return rows
      .flatMap((row) => this.#logged(row, undefined) ?? [])
      .filter(({ changes }) => changes.every(({ source }) => isHere?.(source) ?? true))
  }

  async each(
    visit: (operation: LoggedOperation) => boolean,
    mentions?: string,
    unread?: (what: 'line' | 'file') => void,
  ): Promise<void> {
    const wanted = mentions === undefined ? null : inRecord(mentions)
    await this.#newestFirst(
      `($4::text IS NULL OR takes_back OR id = $4 OR strpos(record, $4) > 0)`,
      wanted,
      visit,
      unread,
    )
  }

  async find(id: string): Promise<LoggedOperation | undefined> {
    let found: LoggedOperation | undefined
    // Whatever took it back came later.
    await this.#newestFirst(
      `(id = $4 OR takes_back AND ordinal > (SELECT ordinal FROM cairn.operations
         WHERE base = $1 AND id = $4))`,
      id,
      (operation) => {
        if (operation.id === id) found = operation
        return found === undefined
      },
    )
    return found
  }

  /** Asked of the primary: a standby may not know yet. */
  async stateOf(id: string): Promise<OperationState | undefined> {
    const row = await this.#writing.row(
      `SELECT state FROM cairn.operations WHERE base = $1 AND id = $2 AND state <> '${DAMAGED}'`,
      id,
    )
    return row && (String(row['state']) as OperationState)
  }

  async #newestFirst(
    where: string,
    value: string | null,
    visit: (operation: LoggedOperation) => boolean,
    unread?: (what: 'line' | 'file') => void,
  ): Promise<void> {
    const undone = new Map<string, string>()
    let before = Number.MAX_SAFE_INTEGER
    for (let page = FIRST_PAGE; ; page = Math.min(page * 4, LAST_PAGE)) {
      const rows = await this.#reading.rows(
        `SELECT ${LISTED} FROM cairn.operations
         WHERE base = $1 AND ordinal < $2 AND state <> '${DAMAGED}' AND ${where}
         ORDER BY ordinal DESC LIMIT $3`,
        before,
        page,
        value,
      )
      for (const row of rows) {
        before = Number(row['ordinal'])
        const logged = this.#logged(row, undone.get(String(row['id'])))
        if (!logged) unread?.('line')
        if (!logged) continue
        // Newest first: whatever took this operation back was seen before it.
        if (logged.state === 'done' && logged.undoneBy === undefined) {
          for (const id of logged.undoes ?? []) undone.set(id, logged.id)
        }
        if (!visit(logged)) return
      }
      if (rows.length < page) return
    }
  }

  /** Names only grow until something is forgotten, so only what is new is read. */
  async names(): Promise<HistoryNames> {
    const row = await this.#reading.row('SELECT pruned, last FROM cairn.histories WHERE base = $1')
    const pruned = Number(row?.['pruned'] ?? 0)
    const last = Number(row?.['last'] ?? 0)
    const isKnown = this.#names?.pruned === pruned && this.#names.last <= last
    const names = isKnown
      ? this.#names!
      : { pruned, last: 0, documents: new Set<string>(), authors: new Set<string>() }
    let after = names.last
    while (after < last) {
      const rows = await this.#reading.rows(
        `SELECT ordinal, names FROM cairn.operations
         WHERE base = $1 AND ordinal > $2 AND state <> '${DAMAGED}' ORDER BY ordinal LIMIT $3`,
        after,
        NAMES_AT_ONCE,
      )
      for (const { names: text } of rows) {
        const some = JSON.parse(String(text)) as { documents: string[]; authors: string[] }
        for (const name of some.documents) names.documents.add(name)
        for (const name of some.authors) names.authors.add(name)
      }
      after = rows.length < NAMES_AT_ONCE ? last : Number(rows.at(-1)!['ordinal'])
      names.last = after
    }
    this.#names = names
    return names
  }

  async changesOf(operation: LoggedOperation): Promise<readonly Change[]> {
    const known = this.#recorded.get(operation)
    if (!known) return []
    const row = await this.#reading.row(
      'SELECT data, data_sum FROM cairn.operations WHERE base = $1 AND ordinal = $2',
      known.ordinal,
    )
    if (!row) throw lost('is gone from the database', operation.id)
    const data = row['data'] as Buffer
    if (crc32(data) !== row['data_sum']) throw lost('was damaged in the database', operation.id)
    const contents = new Map<string, Buffer>()
    for (const digest of new Set(contentsOf(known.recorded))) {
      const content = await this.#reading.row(
        `SELECT data FROM cairn.operation_contents WHERE base = $1 AND digest = decode($2, 'hex')`,
        digest,
      )
      if (!content) throw lost('is missing from the database', digest)
      const bytes = content['data'] as Buffer
      const isSound = createHash('sha256').update(bytes).digest('hex') === digest
      if (!isSound) throw lost('was damaged in the database', digest)
      contents.set(digest, bytes)
    }
    return unpack(known.recorded, data, (digest) => contents.get(digest)!)
  }

  async examine(): Promise<HistoryDamage> {
    return (await this.#examined()).damage
  }

  async repair(): Promise<HistoryDamage> {
    const { damage, damaged } = await this.#examined()
    for (const ordinal of damaged) {
      await this.#writing.rows(
        `UPDATE cairn.operations SET state = '${DAMAGED}' WHERE base = $1 AND ordinal = $2`,
        ordinal,
      )
    }
    return damage
  }

  async #examined(): Promise<{ damage: HistoryDamage; damaged: readonly number[] }> {
    const kept = await this.#reading.rows(
      `SELECT encode(digest, 'hex') AS digest FROM cairn.operation_contents
       WHERE base = $1 AND sha256(data) = digest`,
    )
    const contents = new Set(kept.map((row) => String(row['digest'])))
    const damaged: number[] = []
    const withoutContent: string[] = []
    let operations = 0
    for (let after = 0; ;) {
      const rows = await this.#reading.rows(
        `SELECT ${LISTED}, data, data_sum FROM cairn.operations
         WHERE base = $1 AND ordinal > $2 AND state <> '${DAMAGED}' ORDER BY ordinal LIMIT $3`,
        after,
        CHECKED_AT_ONCE,
      )
      for (const row of rows) {
        after = Number(row['ordinal'])
        const recorded = recordedIn(row)
        if (!recorded) {
          damaged.push(after)
          continue
        }
        operations++
        const isWhole =
          crc32(row['data'] as Buffer) === row['data_sum'] &&
          contentsOf(recorded).every((digest) => contents.has(digest))
        if (!isWhole) withoutContent.push(String(row['id']))
      }
      if (rows.length < CHECKED_AT_ONCE) break
    }
    const damagedLines = damaged.length
    return { damage: { operations, damagedLines, unreadable: [], withoutContent }, damaged }
  }

  async aheadMs(): Promise<number> {
    return (await this.#parts.clock?.aheadMs()) ?? 0
  }

  async isOutgrown(): Promise<boolean> {
    const { ageMs } = this.#parts.keep
    if (ageMs === undefined) return false
    const row = await this.#reading.row(
      'SELECT at FROM cairn.operations WHERE base = $1 ORDER BY ordinal LIMIT 1',
    )
    return row !== undefined && Number(row['at']) < Date.now() + (await this.aheadMs()) - ageMs
  }

  async prune(
    keep: HistoryKeep = this.#parts.keep,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<PrunedHistory> {
    const now = Date.now() + (await this.aheadMs())
    const oldest = keep.ageMs === undefined ? null : now - keep.ageMs
    const room = keep.bytes ?? null
    return this.#change(async (rows) => {
      // A content belongs to the last operation that needs it, which goes last of those that do.
      const row = await rows.row(
        `WITH sized AS (
           SELECT ordinal, at, bytes + coalesce((SELECT sum(size) FROM cairn.operation_contents AS c
             WHERE c.base = $1 AND c.ordinal = o.ordinal), 0) AS bytes
           FROM cairn.operations AS o WHERE base = $1 AND state <> '${DAMAGED}'),
         used AS (
           SELECT *, sum(bytes) OVER (ORDER BY ordinal DESC) AS total FROM sized),
         -- What came behind the first that is young enough is no older, whatever its date.
         young AS (
           SELECT coalesce(min(ordinal), 9223372036854775807) AS ordinal FROM used
           WHERE at >= $2::float8),
         cut AS (
           SELECT coalesce(max(ordinal), 0) AS ordinal FROM used
           WHERE at < $2::float8 AND ordinal < (SELECT ordinal FROM young)
             OR total > $3::float8)
         SELECT (SELECT ordinal FROM cut) AS cut,
           count(*) FILTER (WHERE ordinal <= (SELECT ordinal FROM cut)) AS operations,
           coalesce(sum(bytes) FILTER (WHERE ordinal <= (SELECT ordinal FROM cut)), 0) AS bytes,
           count(*) FILTER (WHERE ordinal > (SELECT ordinal FROM cut)) AS kept
         FROM used`,
        oldest,
        room,
      )
      const number = (name: string): number => Number(row?.[name] ?? 0)
      if (!dryRun && number('operations') > 0) {
        for (const table of ['operations', 'operation_contents']) {
          await rows.rows(
            `DELETE FROM cairn.${table} WHERE base = $1 AND ordinal <= $2`,
            number('cut'),
          )
        }
        await rows.rows('UPDATE cairn.histories SET pruned = pruned + 1 WHERE base = $1')
      }
      return { operations: number('operations'), bytes: number('bytes'), kept: number('kept') }
    })
  }

  #logged(row: Row, undoneBy: string | undefined): LoggedOperation | undefined {
    const recorded = recordedIn(row)
    if (!recorded) return undefined
    const logged = loggedOf(row, recorded, undoneBy)
    this.#recorded.set(logged, { ordinal: Number(row['ordinal']), recorded })
    return logged
  }

  async #change<Result>(
    work: (rows: BaseRows) => Promise<Result>,
    settle?: () => Promise<boolean>,
  ): Promise<Result> {
    const { database, base } = this.#parts
    try {
      return await database.transaction((asking: Asking) => work(rowsOf(asking, base)), settle)
    } catch (error) {
      throw explained(error)
    }
  }
}

/** Stands for the state of what was set aside. */
const DAMAGED = 'damaged'

/** What PostgreSQL says of damaged pages, in words; the index beside it is not concerned. */
function sound(rows: BaseRows): BaseRows {
  const asked = async <Result>(asking: Promise<Result>): Promise<Result> => {
    try {
      return await asking
    } catch (error) {
      throw explained(error)
    }
  }
  return {
    rows: (sql, ...values) => asked(rows.rows(sql, ...values)),
    row: (sql, ...values) => asked(rows.row(sql, ...values)),
    numbers: (sql, ...values) => asked(rows.numbers(sql, ...values)),
  }
}

const KEY_EXISTS = '23505'

function explained(error: unknown): unknown {
  if (codeOf(error) === KEY_EXISTS) {
    const what = 'The operation is in the history already.'
    return alreadyThere(what, 'Look there for how it ended; it is not done twice.')
  }
  if (!isDamage(error)) return error
  return unavailable(
    'PostgreSQL says that a page of the history is damaged.',
    'Bring the table back from a backup of the database (docs/scaling.md). Documents and search are not concerned.',
  )
}

function lost(what: string, name: string): KnowledgeError {
  return unavailable(
    `A content that history needs ${what} (${name.slice(0, 24)}…).`,
    'It cannot be restored from here; look for a backup of the database. Everything else in the history still works.',
  )
}
