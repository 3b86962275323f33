/**
 * Brings the schema to the version of this program. However many replicas start in the same moment,
 * one of them does it, and the others wait for its transaction.
 */
import { type KnowledgeError, unsupported } from '../../core/domain/error.ts'
import type { Database } from './database.ts'
import { codeOf } from './explain-trouble.ts'
import { MIGRATIONS, SCHEMA } from './schema.ts'

/** Among the advisory locks of the database, this one is ours ("cairn"). */
export const LOCK = 0x63_61_69_72_6e
/** To make all tables takes a slow database longer than anybody waits for another's write. */
const WAIT_MS = 120_000

export async function migrate(database: Database): Promise<void> {
  if ((await versionOf(database)) === MIGRATIONS.length) return
  await database.transaction(async (asking) => {
    await asking.rows(`SET LOCAL lock_timeout = ${WAIT_MS}`)
    await asking.rows('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await requireUtf8(asking)
    const [known] = await asking.rows('SELECT 1 AS n FROM pg_namespace WHERE nspname = $1', [
      SCHEMA,
    ])
    if (!known) await asking.rows(`CREATE SCHEMA ${SCHEMA}`)
    await asking.rows(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.version (version integer NOT NULL)`)
    const [row] = await asking.rows(`SELECT version FROM ${SCHEMA}.version`)
    const version = Number(row?.['version'] ?? 0)
    if (version > MIGRATIONS.length) throw tooNew(version)
    for (const step of MIGRATIONS.slice(version)) await asking.rows(step)
    await asking.rows(`DELETE FROM ${SCHEMA}.version`)
    await asking.rows(`INSERT INTO ${SCHEMA}.version VALUES ($1)`, [MIGRATIONS.length])
  })
}

const NO_SUCH_TABLE = '42P01'
const NO_SUCH_SCHEMA = '3F000'

/** Undefined where there is nothing of ours yet. */
async function versionOf(database: Database): Promise<number | undefined> {
  try {
    const [row] = await database.rows(`SELECT version FROM ${SCHEMA}.version`)
    const version = row && Number(row['version'])
    if (version !== undefined && version > MIGRATIONS.length) throw tooNew(version)
    return version
  } catch (error) {
    if ([NO_SUCH_TABLE, NO_SUCH_SCHEMA].includes(codeOf(error))) return undefined
    throw error
  }
}

async function requireUtf8(asking: Pick<Database, 'rows'>): Promise<void> {
  const [row] = await asking.rows(
    'SELECT pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()',
  )
  if (row?.['encoding'] === 'UTF8') return
  throw unsupported(
    `The database keeps texts as ${String(row?.['encoding'])}, which cannot hold all of them.`,
    "Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
  )
}

function tooNew(version: number): KnowledgeError {
  return unsupported(
    `The tables in the database are of a newer Cairn (version ${version}, this one knows ${MIGRATIONS.length}).`,
    'Nothing was changed. Update this Cairn, or give it a database of its own.',
  )
}
