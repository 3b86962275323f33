/**
 * Where is the index kept when it is not in a file? The address of a PostgreSQL database, as other
 * programs write it, with the name of the base in it. No word of ours ever repeats its password.
 */
import { invalid, quoted } from './error.ts'

export interface StoreAddress {
  /** In the order in which they are tried. A host that begins with a slash is a folder of sockets. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  /** Which of the bases in the database. */
  readonly base: string
  readonly sslmode: (typeof SSL_MODES)[number]
  readonly sslrootcert: string | undefined
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-full'] as const
const PARAMETERS = ['base', 'host', 'sslmode', 'sslrootcert']
const DEFAULT_PORT = 5432
export const DEFAULT_BASE = 'main'
const LONGEST_NAME = 100
const EXAMPLE = 'postgres://cairn@db.example.org/knowledge?base=handbook'

/** `scheme://user:password@hosts/database?parameters`; hosts may be several, which no URL class reads. */
const FORM =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

export function parseStoreAddress(text: string): StoreAddress {
  const parts = FORM.exec(text)
  if (!parts) throw notAnAddress(text)
  const [, user, password, hosts = '', database, query = ''] = parts
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  // Whatever stands before the last @ may be the end of a password, and is repeated nowhere.
  if ([hosts, database, ...names].some((part) => part?.includes('@'))) throw notAnAddress(text)
  for (const [at, name] of names.entries()) {
    if (!PARAMETERS.includes(name)) throw unknownParameter(name)
    if (names.indexOf(name) < at) throw saidTwice(name)
  }
  const sslmode = parameters.get('sslmode') ?? 'prefer'
  if (!isSslMode(sslmode)) {
    throw invalid(
      `${quoted(sslmode)} is no way to encrypt a connection.`,
      `Write sslmode=${SSL_MODES.join(', sslmode=')} or nothing.`,
    )
  }
  return {
    hosts: hostsIn(parameters.get('host') ?? hosts, text),
    user: decoded(user, text),
    password: decoded(password, text),
    database: decoded(database, text),
    base: checkedName(parameters.get('base') ?? DEFAULT_BASE),
    sslmode,
    sslrootcert: parameters.get('sslrootcert') ?? undefined,
  }
}

/** The same without its password, for everything that a person or a log may see. */
export function maskAddress(text: string): string {
  return text
    .replace(/([a-z]+:\/\/[^:/?#\s]*):\S*@/gi, '$1:***@')
    .replace(/([?&][^=&#\s]*pass[^=&#\s]*=)[^&#\s]*/gi, '$1***')
}

/** Where it leads, for messages. */
export function hostsOf({ hosts }: Pick<StoreAddress, 'hosts'>): string {
  return hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
}

function hostsIn(text: string, address: string): StoreAddress['hosts'] {
  const hosts = (text === '' ? 'localhost' : text).split(',').map((each) => {
    if (each.startsWith('/') || each.startsWith('%2F')) {
      return { host: decodeURIComponent(each), port: DEFAULT_PORT }
    }
    const parts = /^(\[[0-9a-fA-F:.]+\]|[^:@[\]\s]+)(?::(\d{1,5}))?$/.exec(each)
    const port = Number(parts?.[2] ?? DEFAULT_PORT)
    if (!parts || port === 0 || port > 65_535) throw notAnAddress(address)
    return { host: (parts[1] ?? '').replace(/^\[|\]$/g, ''), port }
  })
  return hosts
}

function decoded(text: string | undefined, address: string): string | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    throw notAnAddress(address)
  }
}

/** A name is data and never part of a statement; it only has to be one that a person can repeat. */
function checkedName(name: string): string {
  const odd = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) || !name.isWellFormed()
  if (name.trim() !== '' && name.length <= LONGEST_NAME && !odd) return name
  throw invalid(
    `${quoted(name)} is no name for a base.`,
    `Give it a name of 1 to ${LONGEST_NAME} characters on one line, such as base=handbook.`,
  )
}

function isSslMode(text: string): text is StoreAddress['sslmode'] {
  return (SSL_MODES as readonly string[]).includes(text)
}

function notAnAddress(text: string) {
  return invalid(
    `${quoted(maskAddress(text))} is no address of a PostgreSQL database.`,
    `Write it like ${EXAMPLE}; characters with a meaning of their own, such as @ in a password, as %40.`,
  )
}

function unknownParameter(name: string) {
  return invalid(
    `The address of the store has an unknown parameter ${quoted(name)}.`,
    `Known are ${PARAMETERS.join(', ')}.`,
  )
}

function saidTwice(name: string) {
  return invalid(
    `The address of the store says ${name} more than once.`,
    'Write it once: one address leads to one base.',
  )
}
