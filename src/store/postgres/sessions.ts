/**
 * Connections to the database, a few of them, kept for the next who needs one. Of several servers
 * the primary is preferred; while none answers, a standby is read from. Nothing is remembered by a
 * connection, so pgbouncer may hand out another one for every transaction.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { StoreAddress } from '../../domain/store-address.ts'
import { codeOf } from './explain-trouble.ts'

export type Row = Record<string, null | number | string | Buffer>

export interface Session {
  readonly client: pg.Client
  readonly host: string
  readonly isStandby: boolean
  readonly openedAt: number
}

/** More at once would only wait for each other: searching happens here, not there. */
const MOST = 6
/** Writers may all wait for a standby that is away; whoever only asks is not kept by them. */
const MOST_WRITERS = 4
const CONNECT_MS = 4_000
/** A connection to a standby is given up after this long: the primary may be back. */
const STANDBY_MS = 1_000
const IDLE_MS = 60_000
const KEEP_ALIVE_MS = 10_000

/** Servers that speak no TLS, and when they said so: where both will do, they are not asked each time. */
const plain = new Map<string, number>()
const PLAIN_MS = 600_000

export class Sessions {
  readonly #address: StoreAddress
  readonly #idle: { session: Session; since: number }[] = []
  readonly #waiting: (() => void)[] = []
  readonly #writers = new Set<Session>()
  readonly #waitingWriters: (() => void)[] = []
  #writing = 0
  readonly #writersWaitMs: number
  #open = 0
  #closed = false
  /** Which of the hosts answered last as it should. */
  #favourite = 0
  readonly #sweeping: NodeJS.Timeout

  constructor(address: StoreAddress, writersWaitMs = 20_000) {
    this.#address = address
    this.#writersWaitMs = writersWaitMs
    this.#sweeping = setInterval(() => this.#sweep(), IDLE_MS / 2)
    this.#sweeping.unref()
  }

  /** `primary` for whoever changes something. */
  async take(primary: boolean): Promise<Session> {
    if (!primary) return this.#takeAny(false)
    await this.#begin()
    try {
      const session = await this.#takeAny(true)
      this.#writers.add(session)
      return session
    } catch (error) {
      this.#endWriting()
      throw error
    }
  }

  async #takeAny(primary: boolean): Promise<Session> {
    for (;;) {
      if (this.#closed) throw new Error('The store is closed.')
      const known = this.#takeIdle(primary)
      if (known) return known
      if (this.#open < MOST) {
        this.#open++
        try {
          return await this.#connect(primary)
        } catch (error) {
          // Where the server has no room for one more, one of ours will do.
          if (!isCrowded(error) || this.#open === 1) {
            this.#leave()
            throw error
          }
          this.#open--
          const given = this.#takeIdle(primary)
          if (given) return given
        }
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Waits until there are few enough who change something. */
  async #begin(): Promise<void> {
    if (this.#writing < MOST_WRITERS) {
      this.#writing++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#waitingWriters.splice(this.#waitingWriters.indexOf(resolve), 1)
      reject(Object.assign(new Error('Other writers are not done.'), { code: '55P03' }))
    }, this.#writersWaitMs)
    this.#waitingWriters.push(resolve)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whoever waits longest takes the place. */
  #endWriting(): void {
    const next = this.#waitingWriters.shift()
    if (next) next()
    else this.#writing--
  }

  /** A connection to the primary that is not one of the few: whoever asks for it ends it. */
  alone(): Promise<Session> {
    return this.#connect(true)
  }

  give(session: Session, broken = false): void {
    if (this.#writers.delete(session)) this.#endWriting()
    const { client, isStandby, openedAt } = session
    const outlived = isStandby && performance.now() - openedAt > STANDBY_MS
    if (broken || outlived || this.#closed) {
      this.#leave()
      void end(client)
      // The others went with it, mostly: whoever asks again had better begin a new one.
      if (broken) this.#drop((each) => each.host === session.host)
      return
    }
    this.#idle.push({ session, since: performance.now() })
    this.#waiting.shift()?.()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweeping)
    for (const waiting of [...this.#waiting.splice(0), ...this.#waitingWriters.splice(0)]) waiting()
    const idle = this.#idle.splice(0)
    this.#open -= idle.length
    await Promise.all(idle.map(({ session }) => end(session.client)))
  }

  #takeIdle(primary: boolean): Session | undefined {
    const now = performance.now()
    for (let place = this.#idle.length - 1; place >= 0; place--) {
      const { session } = this.#idle[place]!
      const fits = !session.isStandby || (!primary && now - session.openedAt < STANDBY_MS)
      if (!fits && this.#open < MOST) continue
      this.#idle.splice(place, 1)
      if (fits) return session
      this.#leave()
      void end(session.client)
    }
    return undefined
  }

  #leave(): void {
    this.#open--
    this.#waiting.shift()?.()
  }

  #sweep(): void {
    const old = performance.now() - IDLE_MS
    this.#drop((_, since) => since < old)
  }

  #drop(isOver: (session: Session, since: number) => boolean): void {
    for (const each of this.#idle.filter(({ session, since }) => isOver(session, since))) {
      this.#idle.splice(this.#idle.indexOf(each), 1)
      this.#leave()
      void end(each.session.client)
    }
  }

  /** Tries all hosts, beginning with the one that was right last. */
  async #connect(primary: boolean): Promise<Session> {
    const { hosts } = this.#address
    const order = hosts.map((_, place) => (this.#favourite + place) % hosts.length)
    let standby: Session | undefined
    let trouble: unknown
    for (const place of order) {
      try {
        const session = await this.#connectTo(place)
        if (!session.isStandby) {
          if (standby) void end(standby.client)
          this.#favourite = place
          return session
        }
        if (standby) void end(session.client)
        else standby = session
      } catch (error) {
        trouble ??= error
      }
    }
    if (!standby) throw trouble
    if (!primary) return standby
    void end(standby.client)
    throw Object.assign(new Error('No primary answers.'), { code: '25006' })
  }

  async #connectTo(place: number): Promise<Session> {
    const { hosts, sslmode } = this.#address
    const { host, port } = hosts[place]!
    const server = `${host}:${port}`
    const known = performance.now() - (plain.get(server) ?? -Infinity) < PLAIN_MS
    const both = sslmode === 'prefer' && !host.startsWith('/')
    const ways = !both ? [sslmode] : known ? ['disable'] : ['require', 'disable']
    for (const way of ways) {
      const client = this.#client(host, port, way as StoreAddress['sslmode'])
      try {
        await client.connect()
        const isStandby = hosts.length > 1 && (await isInRecovery(client))
        return { client, host: server, isStandby, openedAt: performance.now() }
      } catch (error) {
        void end(client)
        const hasNoSsl = /does not support SSL/.test(String(error))
        if (way !== 'require' || !both || !hasNoSsl) throw error
        plain.set(server, performance.now())
      }
    }
    throw new Error('unreachable')
  }

  #client(host: string, port: number, sslmode: StoreAddress['sslmode']): pg.Client {
    const { user, password, database, sslrootcert } = this.#address
    const ca = sslrootcert === undefined ? undefined : readFileSync(sslrootcert, 'utf8')
    const client = new pg.Client({
      host,
      port,
      user,
      password,
      database,
      application_name: 'cairn',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? asText } as never,
      ssl:
        sslmode === 'disable' || host.startsWith('/')
          ? false
          : { rejectUnauthorized: sslmode === 'verify-full', ...(ca && { ca }) },
    })
    // Whoever uses the connection is told by the call that fails; one that lies idle is let go.
    client.on('error', () => {
      const place = this.#idle.findIndex(({ session }) => session.client === client)
      if (place < 0) return
      this.#idle.splice(place, 1)
      this.#leave()
    })
    return client
  }
}

function isCrowded(error: unknown): boolean {
  return codeOf(error) === '53300'
}

async function isInRecovery(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: string }>(
    'SELECT pg_is_in_recovery()::text AS standby',
  )
  return rows[0]?.standby === 'true'
}

const END_MS = 2_000

/** Lets go politely, and after a while for good. */
export async function end(client: pg.Client): Promise<void> {
  const stream = (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection
    ?.stream
  const gone = client.end().catch(() => {})
  await Promise.race([gone, sleep(END_MS, undefined, { ref: false })])
  stream?.destroy()
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
