/** What went wrong between us and the database, in words that say what to do. Never the password. */
import { KnowledgeError } from '../../domain/error.ts'
import { hostsOf } from '../../domain/store-address.ts'
import type { StoreAddress } from '../../domain/store-address.ts'

/** Codes of PostgreSQL and of the system, with what they mean here and what helps. */
const KNOWN: Record<string, (address: StoreAddress) => readonly [what: string, hint: string]> = {
  '28P01': ({ user }) => [
    `PostgreSQL does not accept the password of ${nameOf(user)}.`,
    'Put it into PGPASSWORD, into the file that PGPASSFILE names (~/.pgpass), or into the address.',
  ],
  '28000': ({ user }) => [
    `PostgreSQL does not let ${nameOf(user)} in from here.`,
    'Check the name of the role in the address, and pg_hba.conf of the server.',
  ],
  '3D000': ({ database, user }) => [
    `There is no database "${database ?? user ?? ''}".`,
    'Name one in the address behind the host, or make it with createdb.',
  ],
  '42501': ({ user }) => [
    `${nameOf(user)} may not do this in the database.`,
    'Let it make the schema: GRANT CREATE ON DATABASE … TO …, or make a schema "cairn" that belongs to it.',
  ],
  '53300': () => [
    'PostgreSQL accepts no more connections.',
    'Raise max_connections, or put pgbouncer in transaction mode in front of it.',
  ],
  '53100': () => ['The disk of the database is full.', 'Nothing was changed. Make room there.'],
  '25006': () => [
    'The database may only be read at the moment: it is a standby, or no primary answers.',
    'Nothing was changed. Name all servers in the address, and try again when one is the primary.',
  ],
  '55P03': () => [
    'Other writers kept this base busy for too long.',
    'Nothing was changed. Try again in a moment.',
  ],
  '57014': () => ['The database took too long.', 'Nothing was changed. Try again in a moment.'],
  '25P03': () => [
    'The database gave this change up, because it was not finished in time.',
    'Nothing was changed. Try again.',
  ],
}

function nameOf(user: string | undefined): string {
  return user === undefined ? 'the role' : `the role "${user}"`
}

/** A call may fail on one connection and succeed on the next. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (error instanceof KnowledgeError) return false
  // 08: connections; 57P: the server is stopping, has crashed or is starting.
  if (/^(08...|57P0[1-5])$/.test(code)) return true
  if (/^E[A-Z_]+$/.test(code)) return true
  return /Connection terminated|Client has encountered|not queryable|timeout expired|client_login|server_login|pgbouncer|query_wait_timeout|ended/i.test(
    String((error as Error | undefined)?.message ?? error),
  )
}

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Damage that PostgreSQL found in its own pages. */
export function isDamage(error: unknown): boolean {
  return /^XX00[12]$/.test(codeOf(error))
}

export function explained(error: unknown, address: StoreAddress): unknown {
  if (error instanceof KnowledgeError) return error
  const words = KNOWN[codeOf(error)]?.(address)
  if (words) return new KnowledgeError('unavailable', ...words)
  const why = error instanceof Error ? error.message : String(error)
  if (isLost(error) || error instanceof AggregateError) {
    return new KnowledgeError(
      'unavailable',
      `PostgreSQL at ${hostsOf(address)} does not answer${why === '' ? '' : `: ${withoutDot(why)}`}.`,
      'Nothing was changed. Check the address (--store or CAIRN_STORE), and that the server is running.',
    )
  }
  return error
}

function withoutDot(text: string): string {
  return text.replace(/\.$/, '')
}
