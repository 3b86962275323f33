/** One connection to one host of an address, made within a time, and ended for certain. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterTurns } from '../../core/kit/after-turns.ts'
import type { StoreAddress } from '../../core/domain/store-address.ts'
import { silence } from './explain-trouble.ts'

export interface Session {
  readonly client: pg.Client
  readonly host: string
  /** Which of the hosts of the address. */
  readonly place: number
  readonly isStandby: boolean
  readonly openedAt: number
}

const CONNECT_MS = 4_000
const KEEP_ALIVE_MS = 10_000

/** Servers that speak no TLS, and when they said so: where both will do, they are not asked each time. */
const plain = new Map<string, number>()
const PLAIN_MS = 600_000

export async function connectTo(
  address: StoreAddress,
  place: number,
  signal: AbortSignal,
): Promise<Session> {
  const client = await signIn(address, place, CONNECT_MS, signal)
  try {
    const isStandby = address.hosts.length > 1 && (await isInRecovery(client, signal))
    const host = hostAt(address, place)
    return { client, host, place, isStandby, openedAt: performance.now() }
  } catch (error) {
    void end(client)
    throw error
  }
}

/** Where several servers are named, and in messages. */
export function hostAt({ hosts }: StoreAddress, place: number): string {
  const { host, port } = hosts[place]!
  return `${host}:${port}`
}

/** Fails with `silence` where it takes longer, or where the signal says that nobody waits any more. */
export async function signIn(
  address: StoreAddress,
  place: number,
  ms: number,
  signal?: AbortSignal,
): Promise<pg.Client> {
  const { sslmode, hosts } = address
  const server = hostAt(address, place)
  const known = performance.now() - (plain.get(server) ?? -Infinity) < PLAIN_MS
  const both = sslmode === 'prefer' && !hosts[place]!.host.startsWith('/')
  const ways = !both ? [sslmode] : known ? ['disable' as const] : (['require', 'disable'] as const)
  for (const way of ways) {
    const client = clientOf(address, place, way)
    try {
      await within(client, ms, client.connect(), signal)
      return client
    } catch (error) {
      void end(client)
      const hasNoSsl = /does not support SSL/.test(String(error))
      if (way !== 'require' || !both || !hasNoSsl) throw error
      plain.set(server, performance.now())
    }
  }
  throw new Error('unreachable')
}

/** What is asked of a connection; it is cut where that takes longer. */
export async function within<Result>(
  client: pg.Client,
  ms: number,
  asked: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const giveUp = (): void => cut(client)
  const stop = afterTurns(ms, giveUp)
  signal?.addEventListener('abort', giveUp)
  try {
    return await asked
  } finally {
    stop()
    signal?.removeEventListener('abort', giveUp)
  }
}

function clientOf(
  address: StoreAddress,
  place: number,
  sslmode: StoreAddress['sslmode'],
): pg.Client {
  const { user, password, database, sslrootcert } = address
  const { host, port } = address.hosts[place]!
  const ca = sslrootcert === undefined ? undefined : readFileSync(sslrootcert, 'utf8')
  const client = new pg.Client({
    host,
    port,
    user,
    password,
    database,
    application_name: 'cairn',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? asText } as never,
    ssl:
      sslmode === 'disable' || host.startsWith('/')
        ? false
        : { rejectUnauthorized: sslmode === 'verify-full', ...(ca && { ca }) },
  })
  // Whoever uses the connection is told by the call that fails.
  client.on('error', () => {})
  return client
}

async function isInRecovery(client: pg.Client, signal: AbortSignal): Promise<boolean> {
  const asked = client.query<{ standby: string }>('SELECT pg_is_in_recovery()::text AS standby')
  const { rows } = await within(client, CONNECT_MS, asked, signal)
  return rows[0]?.standby === 'true'
}

const END_MS = 2_000

/** Lets go politely, and after a while for good. */
export async function end(client: pg.Client): Promise<void> {
  const stream = streamOf(client)
  const gone = client.end().catch(() => {})
  await Promise.race([gone, sleep(END_MS, undefined, { ref: false })])
  stream?.destroy()
}

/** Ends a connection whose server says nothing; what is asked on it fails as after a reset. */
export function cut(client: pg.Client): void {
  streamOf(client)?.destroy(silence())
}

/** How much the server has said on this connection. */
export function bytesFrom(client: pg.Client): number {
  return streamOf(client)?.bytesRead ?? 0
}

function streamOf(client: pg.Client): Socket | undefined {
  return (client as unknown as { connection?: { stream?: Socket } }).connection?.stream
}

const asText = (text: string): string => text
const asNumber = (text: string): number => Number(text)
/** Numbers are numbers and bytes are bytes; everything else is a text. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [20, asNumber],
  [21, asNumber],
  [23, asNumber],
  [700, asNumber],
  [701, asNumber],
  [1700, asNumber],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
])
