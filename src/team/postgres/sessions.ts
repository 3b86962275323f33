/**
 * Connections to the database, a few of them, kept for the next who needs one. Of several servers
 * the primary is preferred; while none answers, a standby is read from. Nothing is remembered by a
 * connection, so pgbouncer may hand out another one for every transaction.
 */
import type { StoreAddress } from '../../core/domain/store-address.ts'
import { connectTo, cut, end, hostAt } from './connect-to.ts'
import type { Session } from './connect-to.ts'
import { codeOf, isSilence, silence } from './explain-trouble.ts'
import { SilentHosts } from './silent-hosts.ts'

export type { Session } from './connect-to.ts'
export type Row = Record<string, null | number | string | Buffer>

/** More at once would only wait for each other: searching happens here, not there. */
const MOST = 6
/** Writers may all wait for a standby that is away; whoever only asks is not kept by them. */
const MOST_WRITERS = 4
/** A connection to a standby is given up after this long: the primary may be back. */
const STANDBY_MS = 1_000
const IDLE_MS = 60_000

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
  /** All that are open, whoever has them. */
  readonly #all = new Set<Session>()
  readonly #silent: SilentHosts

  constructor(address: StoreAddress, writersWaitMs = 20_000) {
    this.#address = address
    this.#silent = new SilentHosts(address, (host, sign) => this.#cutAll(host, sign === 'queues'))
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

  /** Whoever asks on a connection has it looked after until the answer is there. */
  watch(session: Session): () => void {
    return this.#silent.watch(session)
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
    this.#silent.close()
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
    const { hosts } = this.#address
    const host = hostAt(this.#address, place)
    if (this.#silent.has(host)) throw silence()
    try {
      const session = await connectTo(this.#address, place, this.#silent.signalOf(host))
      this.#all.add(session)
      // One that lies idle is let go; whoever uses it is told by the call that fails.
      for (const event of ['error', 'end'] as const)
        session.client.on(event, () => this.#lost(session))
      return session
    } catch (error) {
      const isKnown = hosts.length > 1 || this.#silent.wasHeard(host)
      if (isSilence(error) && isKnown) this.#silent.leave(place)
      throw error
    }
  }

  #lost(session: Session): void {
    this.#all.delete(session)
    const place = this.#idle.findIndex((each) => each.session === session)
    if (place < 0) return
    this.#idle.splice(place, 1)
    this.#leave()
  }

  /**
   * What a reset would do, for a server that says nothing. Whoever changes something behind
   * somebody who let us in may only have to wait: there it is left to its own patience.
   */
  #cutAll(host: string, isQueue: boolean): void {
    const { length } = this.#address.hosts
    for (const session of this.#all) {
      if (session.host !== host || (isQueue && this.#writers.has(session))) continue
      // Of two that say they are the primary, the one that was frozen is asked last.
      if (session.place === this.#favourite) this.#favourite = (session.place + 1) % length
      cut(session.client)
    }
  }
}

function isCrowded(error: unknown): boolean {
  return codeOf(error) === '53300'
}
