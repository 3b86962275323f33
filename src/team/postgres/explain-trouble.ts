/** What went wrong between us and the database, in words that say what to do. Never the password. */
import { KnowledgeError, unavailable } from '../../core/domain/error.ts'
import { hostsOf, maskAddress } from '../../core/domain/store-address.ts'
import type { StoreAddress } from '../../core/domain/store-address.ts'

type Words = readonly [what: string, hint: string]

const WHERE_PASSWORDS_ARE =
  'Put it into PGPASSWORD, into the file that PGPASSFILE names (~/.pgpass), or into the address.'

const WHAT_A_SERVER_NEEDS =
  'A server of Cairn has up to 14 for each base, and a first index six more for each of its processes.'

/** A restore under running servers, and a question to a standby that has to keep up. */
const stoodInTheWay = (): Words => [
  'The database gave this up: it stood in the way of other work there.',
  'Nothing was changed. Try again in a moment.',
]

/** Codes of PostgreSQL and of the system, with what they mean here and what helps. */
const KNOWN: Record<string, (address: StoreAddress, why: string) => Words> = {
  '28P01': ({ user }) => [
    `PostgreSQL does not accept the password of ${nameOf(user)}.`,
    WHERE_PASSWORDS_ARE,
  ],
  '28000': ({ user }) => [
    `PostgreSQL does not let ${nameOf(user)} in from here.`,
    'Check the name of the role in the address, and pg_hba.conf of the server.',
  ],
  '3D000': ({ database, user }) => [
    `There is no database "${database ?? user ?? ''}".`,
    'Name one in the address behind the host, or make it with createdb.',
  ],
  '42501': ({ user }, why) => [
    `PostgreSQL does not let ${nameOf(user)} do this: ${why}.`,
    'Use one role for all servers, the owner of the schema "cairn". Where there is no such schema yet: GRANT CREATE ON DATABASE … TO …. ' +
      'Another role than its owner needs, from the owner: GRANT USAGE ON SCHEMA cairn TO …; GRANT ALL ON ALL TABLES IN SCHEMA cairn TO …; GRANT ALL ON ALL SEQUENCES IN SCHEMA cairn TO ….',
  ],
  '53300': ({ user }, why) => {
    const [, what = '', name = ''] = /connections for (role|database) "(.*)"/.exec(why) ?? []
    if (what === 'role') {
      return [
        `The role "${name}" has as many connections to PostgreSQL as it may have.`,
        `Raise its limit: ALTER ROLE "${name}" CONNECTION LIMIT …. ${WHAT_A_SERVER_NEEDS}`,
      ]
    }
    if (what === 'database') {
      return [
        `The database "${name}" has as many connections as it may have.`,
        `Raise its limit: ALTER DATABASE "${name}" CONNECTION LIMIT …. ${WHAT_A_SERVER_NEEDS}`,
      ]
    }
    return [
      `PostgreSQL accepts no more connections of ${nameOf(user)}: max_connections is reached (${why}).`,
      `Raise max_connections in postgresql.conf and restart it, or put pgbouncer in transaction mode in front of it. ${WHAT_A_SERVER_NEEDS}`,
    ]
  },
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
  '40P01': stoodInTheWay,
  '40001': stoodInTheWay,
  '25P03': () => [
    'The database gave this change up, because it was not finished in time.',
    'Nothing was changed. Try again.',
  ],
}

/** What the driver and Node.js say of a connection before it is one; the code is none of PostgreSQL's. */
function unconnected(error: unknown, address: StoreAddress, why: string): Words | undefined {
  const { user, sslmode, sslrootcert } = address
  if (/client password must be/.test(why)) {
    return [
      `PostgreSQL asks for the password of ${nameOf(user)}, and none was given.`,
      WHERE_PASSWORDS_ARE,
    ]
  }
  if (/does not support SSL/.test(why)) {
    return [
      `PostgreSQL at ${hostsOf(address)} does not encrypt connections, and sslmode=${sslmode} asks for it.`,
      'Turn ssl on in postgresql.conf, or write sslmode=prefer where the network is safe.',
    ]
  }
  if (sslrootcert !== undefined && (error as { path?: unknown } | null)?.path === sslrootcert) {
    return [
      `The certificate for PostgreSQL cannot be read: ${why}.`,
      'Name a file that can be read behind sslrootcert= in the address.',
    ]
  }
  if (sslmode === 'verify-full' && /CERT|SIGNATURE/.test(codeOf(error))) {
    return [
      `The certificate of PostgreSQL at ${hostsOf(address)} is not accepted: ${why}.`,
      'Name the file of the certificate that signed it with sslrootcert=FILE, and the host by the name that the certificate has. sslmode=require encrypts without checking.',
    ]
  }
  return undefined
}

/** What pgbouncer says of its own limits, under a code that stands for any broken connection. */
function pooled(why: string): Words | undefined {
  const [, setting] = /no more connections allowed \((\w+)\)/.exec(why) ?? []
  if (setting !== undefined) {
    return [
      `pgbouncer accepts no more connections: ${setting} is reached.`,
      `Raise ${setting} in pgbouncer.ini and reload it. ${WHAT_A_SERVER_NEEDS}`,
    ]
  }
  if (/query_wait_timeout/.test(why)) {
    return [
      'pgbouncer had no connection to PostgreSQL free for too long (query_wait_timeout).',
      'Nothing was changed. Raise default_pool_size in pgbouncer.ini, and max_connections of PostgreSQL where that is the limit; or PostgreSQL behind it does not answer.',
    ]
  }
  return undefined
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

const SILENT = 'ESILENT'

/** Of a server that keeps its connections open and answers nobody, as if it had been reset. */
export function silence(): Error {
  const what = 'it keeps its connections open and says nothing'
  return Object.assign(new Error(what), { code: SILENT })
}

export function isSilence(error: unknown): boolean {
  return codeOf(error) === SILENT
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
  const why = reasonIn(error)
  const words =
    KNOWN[codeOf(error)]?.(address, why) ?? pooled(why) ?? unconnected(error, address, why)
  if (words) return unavailable(...words)
  if (isLost(error) || error instanceof AggregateError) {
    return unavailable(
      `PostgreSQL at ${hostsOf(address)} does not answer${why === '' ? '' : `: ${why}`}.`,
      'Nothing was changed. A running server still searches from memory, and fetches what it has met before; everything else works again as soon as the database answers. If it stays so, check the address (--store or CAIRN_STORE), and that the database is running.',
    )
  }
  return error
}

/** For whoever cannot go on, whatever it was. */
export function unusable(error: unknown, address: StoreAddress): KnowledgeError {
  const known = explained(error, address)
  if (known instanceof KnowledgeError) return known
  const { database } = address
  return unavailable(
    `${database === undefined ? 'The database' : `The database "${database}"`} of PostgreSQL at ${hostsOf(address)} cannot be used: ${reasonIn(error)}.`,
    'Check what the address names (--store or CAIRN_STORE): hosts, database, role, sslmode; and the log of PostgreSQL.',
  )
}

/** Without the dot at its end, and without any password. */
function reasonIn(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  return maskAddress(why).replace(/\.$/, '')
}
