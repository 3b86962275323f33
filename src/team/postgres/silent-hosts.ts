/**
 * Circuit breaker by host, with a heartbeat for whoever waits. A server that keeps its connections
 * open and says nothing (it is frozen, or a port swallows what is sent) is told from a slow one by
 * asking it on a new connection. While it is silent nobody connects to it and nobody waits for it;
 * it is tried all the time, and taken back when it answers.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterTurns } from '../../core/kit/after-turns.ts'
import type { StoreAddress } from '../../core/domain/store-address.ts'
import { bytesFrom, end, hostAt, signIn, within } from './connect-to.ts'
import type { Session } from './connect-to.ts'
import { codeOf } from './explain-trouble.ts'

/**
 * What a new connection tells. `queues`: somebody lets us in and does not answer, such as pgbouncer
 * in front of a silent server, or one whose connections are all taken.
 */
export type Sign = 'answers' | 'queues' | 'silent'

/** A question that takes longer makes suspicious. Turns of this process count, not its pauses. */
const ANSWER_MS = 700
const PROBE_MS = 1_100
/** Whoever lets us in lives; what is behind it gets longer. */
const QUEUE_MS = 5_000
/** For a server that is known to be silent, which hurries nobody. */
const RETURN_MS = 4_000
const TRY_EVERY_MS = 500

/** When each server last answered a question, whoever of this process asked. */
const heard = new Map<string, number>()

export function heardFrom(host: string): void {
  heard.set(host, performance.now())
}

export class SilentHosts {
  readonly #address: StoreAddress
  readonly #onSilence: (host: string, sign: Sign) => void
  readonly #silent = new Set<string>()
  /** One at a time for each host: those who wait for the same one learn the same. */
  readonly #examining = new Map<string, Promise<boolean>>()
  readonly #closing = new AbortController()
  /** For each host, who is on the way to it. */
  readonly #onTheWay = new Map<string, AbortController>()

  /** Told of a server that lets everybody wait: its connections are of no use. */
  constructor(address: StoreAddress, onSilence: (host: string, sign: Sign) => void) {
    this.#address = address
    this.#onSilence = onSilence
  }

  has(host: string): boolean {
    return this.#silent.has(host)
  }

  /** Who connects to this host turns back where it falls silent meanwhile. */
  signalOf(host: string): AbortSignal {
    const known = this.#onTheWay.get(host) ?? new AbortController()
    this.#onTheWay.set(host, known)
    return known.signal
  }

  /** Looks after a question that is under way until the function that it returns is called. */
  watch(session: Session): () => void {
    let over = false
    let before = bytesFrom(session.client)
    const look = async (): Promise<void> => {
      const now = bytesFrom(session.client)
      const isComing = now > before
      before = now
      if ((isComing || (await this.#lives(session))) && !over) stop = afterTurns(ANSWER_MS, suspect)
    }
    const suspect = (): void => void look()
    let stop = afterTurns(ANSWER_MS, suspect)
    return () => {
      over = true
      stop()
    }
  }

  /** Nobody connects to this host until it answers. */
  leave(place: number): void {
    const host = hostAt(this.#address, place)
    if (this.#silent.has(host) || this.#closing.signal.aborted) return
    this.#silent.add(host)
    this.#onTheWay.get(host)?.abort()
    this.#onTheWay.delete(host)
    void this.#untilItAnswers(place)
  }

  /** Whether this host has ever answered here: one that never did may only be slow to begin. */
  wasHeard(host: string): boolean {
    return heard.has(host)
  }

  close(): void {
    this.#closing.abort()
  }

  async #lives({ host, place }: Session): Promise<boolean> {
    if (performance.now() - (heard.get(host) ?? -Infinity) < ANSWER_MS) return true
    const known = this.#examining.get(host)
    if (known) return known
    const examined = this.#examine(host, place).finally(() => this.#examining.delete(host))
    this.#examining.set(host, examined)
    return examined
  }

  async #examine(host: string, place: number): Promise<boolean> {
    const began = performance.now()
    const sign = await this.#ask(place, PROBE_MS)
    const answered = sign === 'answers' || (heard.get(host) ?? -Infinity) > began
    if (answered || this.#closing.signal.aborted) return true
    this.leave(place)
    this.#onSilence(host, sign)
    return false
  }

  async #untilItAnswers(place: number): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(TRY_EVERY_MS, undefined, { ref: false, signal }).catch(() => {})
      if ((await this.#ask(place, RETURN_MS)) === 'answers') break
    }
    this.#silent.delete(hostAt(this.#address, place))
  }

  async #ask(place: number, ms: number): Promise<Sign> {
    const { signal } = this.#closing
    let sign: Sign = 'silent'
    try {
      const client = await signIn(this.#address, place, ms, signal)
      sign = 'queues'
      try {
        await within(client, Math.max(ms, QUEUE_MS), client.query('SELECT 1'), signal)
      } finally {
        void end(client)
      }
      return 'answers'
    } catch (error) {
      // Whoever says that there is no room, or that a password is wrong, answers.
      return /^(?!E)[0-9A-Z]{5}$/.test(codeOf(error)) ? 'answers' : sign
    }
  }
}
