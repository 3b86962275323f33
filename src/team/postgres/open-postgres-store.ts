/**
 * The index in a PostgreSQL database that several servers share. Every batch is one transaction
 * that locks the row of its base, so batches of one base follow each other wherever they come from.
 * Searching happens here, in memory, with the same code as on an embedded index.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Contents } from '../../core/domain/contents.ts'
import { type KnowledgeError, conflict, quoted } from '../../core/domain/error.ts'
import type { History, HistoryKeep } from '../../core/domain/history.ts'
import type { Homes } from '../homes/homes.ts'
import type { SharedSessions } from '../../core/domain/shared-sessions.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import type { StoreAddress } from '../../core/domain/store-address.ts'
import { summarizeChanges } from '../../core/store/changes.ts'
import type { Stamps, Store } from '../../core/store/store.ts'
import { rowsOf } from './base-rows.ts'
import type { BaseRows } from './base-rows.ts'
import { changesUpToNow } from './changes-table.ts'
import { checkIndex } from './check-index.ts'
import { isDamaged } from './rows.ts'
import { createClock } from './clock.ts'
import { commitBatch } from './commit-batch.ts'
import { contentTable } from './contents-table.ts'
import { Database, newMark } from './database.ts'
import type { Patience } from './database.ts'
import { documentTable } from './documents-table.ts'
import { codeOf, isDamage } from './explain-trouble.ts'
import { fileTable } from './files-table.ts'
import { openHints } from './hints.ts'
import type { Hints } from './hints.ts'
import { leaseRow } from './lease-row.ts'
import { linkTable } from './links-table.ts'
import { openLocalCopies } from './local-copies.ts'
import { migrate } from './migrate.ts'
import { openPostgresHistory } from './open-postgres-history.ts'
import { openHomes } from './open-homes.ts'
import type { HomesPatience } from './open-homes.ts'
import { openWriteLease } from './open-write-lease.ts'
import type { WriteLease, WriteLeaseOptions } from './open-write-lease.ts'
import { CONTENT_TABLES, MIGRATIONS } from './schema.ts'
import { fetchSegment, segmentTable } from './segments-table.ts'
import { serverFacts } from './server-facts.ts'
import type { ServerFacts } from './server-facts.ts'
import { sharedSessions } from './shared-sessions.ts'
import { signInsTable } from './sign-ins-table.ts'
import { STEPS_KEPT } from './steps.ts'
import type { Changing } from './steps.ts'
import { vectorTable } from './vectors-table.ts'

export interface PostgresOptions {
  readonly address: StoreAddress
  /** What the index is made by; content of another format is forgotten. */
  readonly format: string
  /** Which files the base is of: two that differ cannot have the same name. */
  readonly sources: string
  /** Where copies of segments are kept. */
  readonly copies: string
  /** For tests: how long something is waited for. */
  readonly patience?: Partial<Patience>
}

export interface WritingOptions {
  readonly keep: HistoryKeep
  /** Whether this machine has the files of a source, and not another copy; so unless said. */
  readonly isHere?: ((source: string) => boolean) | undefined
  /** For tests: how long the right to write lasts. */
  readonly lease?: Omit<WriteLeaseOptions, 'owner'>
  readonly homes?: Partial<HomesPatience>
}

export interface DatabaseWriting {
  readonly lease: WriteLease
  readonly history: History
  readonly homes: Homes
}

export interface PostgresStore extends Store {
  /** What it takes to change the base besides its documents, the same for every server. */
  openWriting(options: WritingOptions): Promise<DatabaseWriting>
  /** Documents that have no file. */
  readonly contents: Contents
  /** Messages to the server so far. */
  trips(): number
  /** What is to be known of the server behind it. */
  facts(): Promise<ServerFacts>
  /** Calls whenever another server says that it has changed the base, until told to stop. */
  listen(listener: () => void): () => void
  /** Of clients that any server of the base may be asked by. */
  readonly sessions: SharedSessions
  readonly signIns: SignIns
  heard(): ReturnType<Hints['heard']>
  /** Who keeps the index at the moment, unless it is this owner. */
  leader(owner: string): Promise<{ readonly owner: string; readonly until: number } | undefined>
  copies(): { readonly bytes: number; readonly found: number; readonly fetched: number }
}

export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const database = new Database(options.address, options.patience)
  try {
    const known = await knownBase(database, options)
    if (known === undefined) await migrate(database)
    return storeOver(database, known ?? (await openBase(database, options)), options)
  } catch (error) {
    await database.close()
    throw error
  }
}

const NOTHING_YET = new Set(['42P01', '3F000', '42703'])

/**
 * What most openings need, in one message: the number of a base that is there as it should be.
 * Undefined where something is to be made, brought up to date or refused first.
 */
async function knownBase(
  database: Database,
  { address, format, sources }: PostgresOptions,
): Promise<number | undefined> {
  try {
    const [row] = await database.rows(
      `SELECT b.id, v.version FROM cairn.version AS v, cairn.bases AS b
       WHERE b.name = $1 AND b.format = $2 AND b.sources = $3`,
      [address.base, format, sources],
    )
    return Number(row?.['version']) === MIGRATIONS.length ? Number(row?.['id']) : undefined
  } catch (error) {
    if (NOTHING_YET.has(codeOf(error)) || isDamage(error)) return undefined
    throw error
  }
}

/** The number of the base, made where it is new. */
async function openBase(database: Database, options: PostgresOptions): Promise<number> {
  try {
    return await openNamed(database, options)
  } catch (error) {
    if (!isDamage(error)) throw error
    await forgetAll(database)
    return openNamed(database, options)
  }
}

/**
 * What lies on a page that PostgreSQL itself cannot read can be neither deleted nor written beside.
 * All bases share the tables, so the index of all of them begins again, each when it is asked next.
 */
async function forgetAll(database: Database): Promise<void> {
  await database.transaction(async (asking) => {
    const tables = CONTENT_TABLES.map((table) => `cairn.${table}`)
    await asking.rows(`TRUNCATE ${tables.join(', ')}`)
    await asking.rows('UPDATE cairn.bases SET format = $1', [DAMAGED])
  })
}

async function openNamed(database: Database, options: PostgresOptions): Promise<number> {
  const { address, format, sources } = options
  const select = 'SELECT id, sources, format FROM cairn.bases WHERE name = $1'
  const [known] = await database.rows(select, [address.base])
  if (known?.['format'] === format && known['sources'] === sources) return Number(known['id'])
  return database.transaction(async (asking) => {
    // A base whose row is gone gets its number again, because its history is kept under it.
    const [former] = await asking.rows('SELECT base FROM cairn.histories WHERE name = $1', [
      address.base,
    ])
    await asking.rows(
      `INSERT INTO cairn.bases (id, name, sources, format, epoch) OVERRIDING SYSTEM VALUE
       VALUES (coalesce($5, greatest(nextval(pg_get_serial_sequence('cairn.bases', 'id')),
         (SELECT max(base) + 1 FROM cairn.histories))), $1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [address.base, sources, former ? FORGOTTEN : format, newEpoch(), former?.['base'] ?? null],
    )
    const [row] = await asking.rows(`${select} FOR UPDATE`, [address.base])
    const id = Number(row?.['id'])
    await asking.rows(
      'INSERT INTO cairn.histories (base, name) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [id, address.base],
    )
    await asking.rows('INSERT INTO cairn.numbers (base) VALUES ($1) ON CONFLICT DO NOTHING', [id])
    if (row?.['sources'] !== sources) throw otherSources(address.base)
    if (row['format'] === format) return id
    // Content that was made another way than this version makes it is forgotten.
    const begun = row['format'] === FORGOTTEN ? ['steps'] : []
    for (const table of [...CONTENT_TABLES, ...begun]) {
      await asking.rows(`DELETE FROM cairn.${table} WHERE base = $1`, [id])
    }
    await asking.rows(
      `UPDATE cairn.bases SET format = $2, epoch = $3, embedder = NULL, generation = generation + 1
       WHERE id = $1`,
      [id, format, newEpoch()],
    )
    return id
  })
}

function storeOver(
  database: Database,
  id: number,
  { address, format, sources, copies: folder }: PostgresOptions,
): PostgresStore {
  let current = id
  const base = rowsOf(database, () => current)
  const writing = rowsOf(database.writing, () => current)
  const copies = openLocalCopies(folder, (segment) => fetchSegment(base, segment))
  const hasMark = async (mark: string): Promise<boolean> => {
    // Whoever holds the row has come to an end, one way or the other, when it is ours.
    const found = await database.transaction((asking) =>
      asking.rows(
        `SELECT 1 AS n FROM (SELECT id FROM cairn.bases WHERE id = $1 FOR UPDATE) AS b
         JOIN cairn.steps AS s ON s.base = b.id AND s.mark = $2`,
        [current, mark],
      ),
    )
    return found.length > 0
  }
  const hints = openHints(database, address.base)
  const change: Changing = async (work) => {
    const mark = newMark()
    const result = await database.transaction(
      (asking) =>
        work(
          rowsOf(asking, () => current),
          mark,
        ),
      () => hasMark(mark),
    )
    hints.tell()
    return result
  }
  /** The generation before the batch; nobody else commits to this base until the transaction ends. */
  const lock = async (rows: BaseRows): Promise<number> => {
    const row = await rows.row(
      'SELECT generation, format FROM cairn.bases WHERE id = $1 FOR UPDATE',
    )
    if (row?.['format'] !== format) throw otherVersion()
    return Number(row['generation'])
  }

  /** The last step that was seen, to find out whether it is still part of the history. */
  let seen: { readonly epoch: string; readonly step: number; readonly mark: string } | undefined
  /** Whoever has looked need not ask who makes the vectors. */
  const embedders = new WeakMap<Stamps, { readonly id: string | undefined }>()
  const look = async (): Promise<Stamps> => {
    // Several look at once, and one may be answered after a later one: it knows what it asked about.
    const before = seen
    const [row] = await database.rows(
      `SELECT b.epoch, b.generation, b.graph, b.vectors, b.step, b.format, b.embedder,
         (SELECT mark FROM cairn.steps WHERE base = $1 AND step = b.step) AS mark,
         (SELECT mark FROM cairn.steps WHERE base = $1 AND step = $2) AS seen
       FROM cairn.bases AS b WHERE b.id = $1`,
      [current, before?.step ?? 0],
      LOOK_MS,
    )
    if (!row || row['format'] === DAMAGED) {
      // Somebody has emptied the tables, or found damage: the base begins again.
      current = await openBase(database, { address, format, sources, copies: folder })
      seen = undefined
      return look()
    }
    const epoch = String(row['epoch'])
    const step = Number(row['step'])
    const forgotten = before !== undefined && step - before.step >= STEPS_KEPT
    const isKnown =
      before === undefined ||
      before.epoch !== epoch ||
      before.step === 0 ||
      (step >= before.step && (forgotten || row['seen'] === before.mark))
    if (!isKnown) {
      seen = undefined
      await database.transaction((asking) =>
        asking.rows('UPDATE cairn.bases SET epoch = $3 WHERE id = $1 AND epoch = $2', [
          current,
          epoch,
          newEpoch(),
        ]),
      )
      return look()
    }
    const overtaken = seen !== before && seen?.epoch === epoch && seen.step > step
    if (!overtaken) seen = { epoch, step, mark: String(row['mark'] ?? '') }
    const stamps: Stamps = {
      epoch,
      generation: Number(row['generation']),
      graph: Number(row['graph']),
      vectors: Number(row['vectors']),
    }
    embedders.set(stamps, { id: row['embedder'] ? String(row['embedder']) : undefined })
    return stamps
  }

  const store: PostgresStore = {
    ...documentTable(base),
    ...fileTable(base),
    ...linkTable(base),
    ...segmentTable(base, copies),
    ...vectorTable({ base, writing, change, copies, embedderAt: (at) => embedders.get(at) }),
    ...leaseRow(base, writing),

    contents: contentTable({ base, change, lock }),
    stamps: look,

    async reserveNumbers(count) {
      const row = await writing.row(
        'UPDATE cairn.numbers SET next_no = next_no + $2 WHERE base = $1 RETURNING next_no',
        count,
      )
      return Number(row?.['next_no']) - count
    },

    async commit(batch, resolve) {
      const { generation, forgotten } = await change((rows, mark) =>
        commitBatch(rows, batch, resolve, { mark, lock }),
      )
      copies.drop(forgotten)
      return generation
    },

    async changesSince(since) {
      const { generation, changes } = await changesUpToNow(base, since)
      return summarizeChanges(changes, { since, generation })
    },

    async getMeta(key) {
      const row = await base.row('SELECT value FROM cairn.meta WHERE base = $1 AND key = $2', key)
      return row && String(row['value'])
    },
    async putMeta(key, value) {
      await writing.rows(
        `INSERT INTO cairn.meta (base, key, value) VALUES ($1, $2, $3)
         ON CONFLICT (base, key) DO UPDATE SET value = excluded.value`,
        key,
        value,
      )
    },
    check: () => database.snapshot((asking) => checkIndex(rowsOf(asking, () => current))),
    async openWriting({ keep, isHere, lease: options, homes: patience }) {
      const owner = writerName()
      const lease = openWriteLease(writing, { owner, ...options })
      const homes = openHomes({ base, writing, hints, owner, patience, isHere })
      const history = openPostgresHistory({
        database,
        base: () => current,
        keep,
        requireLock: lease.requireIn,
        aheadMs: lease.aheadMs,
        clock: createClock(writing),
        isHere,
      })
      return { lease, history, homes }
    },
    async leader(owner) {
      const row = await base.row(
        `SELECT owner, extract(epoch FROM expires_at)::float8 * 1000 AS until FROM cairn.leases
         WHERE base = $1 AND role = 'indexing' AND owner <> $2 AND expires_at > clock_timestamp()`,
        owner,
      )
      return row && { owner: String(row['owner']), until: Number(row['until']) }
    },
    facts: () => serverFacts(base),
    trips: () => database.trips,
    copies: copies.usage,
    listen: hints.listen,
    sessions: sharedSessions(base, writing),
    signIns: signInsTable(base, writing),
    heard: hints.heard,
    async close() {
      copies.close()
      await hints.close()
      await database.close()
    },
  }
  return mending(store, async () => {
    const marked = 'UPDATE cairn.bases SET format = $2 WHERE id = $1'
    await writing.rows(marked, DAMAGED)
  })
}

/** Every answer waits for a look, and a look is small: it is tried on another connection soon. */
const LOOK_MS = 2_000

/** Stands for the format of a base that begins again under its number. */
const FORGOTTEN = 'forgotten'

/** Stands for a format while the content is not to be believed. */
const DAMAGED = 'damaged'

/** Not asked of the database, or not by a method of the store. */
const PLAIN = new Set([
  'trips',
  'copies',
  'listen',
  'heard',
  'sessions',
  'signIns',
  'contents',
  'close',
])

/**
 * Damage shows when that part is read. Whoever meets it says so in the database; the next look at
 * the stamps begins the base again under a new epoch, and whoever indexes reads every file.
 */
function mending(store: PostgresStore, mark: () => Promise<void>): PostgresStore {
  const call = async (method: (...values: never[]) => unknown, values: never[], name: string) => {
    try {
      const result = await method.apply(store, values)
      if (name === 'check' && (result as readonly string[]).length > 0) await mark().catch(() => {})
      return result
    } catch (error) {
      if (isDamage(error) || isDamaged(error)) await mark().catch(() => {})
      throw error
    }
  }
  const watched = Object.entries(store).map(([name, method]) => {
    const isPlain = PLAIN.has(name)
    return [name, isPlain ? method : (...values: never[]) => call(method as never, values, name)]
  })
  return Object.fromEntries(watched) as PostgresStore
}

/** Says where to look for who writes. */
function writerName(): string {
  return `${process.pid}@${hostname()}:${randomBytes(6).toString('hex')}`
}

function newEpoch(): string {
  return randomBytes(8).toString('hex')
}

function otherSources(base: string): KnowledgeError {
  return conflict(
    `The base ${quoted(base)} in the database is of other sources than these.`,
    'Give this one a name of its own at the end of the address, such as ?base=handbook, or start it with the same sources.',
  )
}

function otherVersion(): KnowledgeError {
  return conflict(
    'Another version of Cairn keeps this base now.',
    'Nothing was changed. Run the same version on every server.',
  )
}
