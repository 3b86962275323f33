/** One database: questions that any server may answer, and transactions on the primary. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type KnowledgeError, unavailable } from '../../core/domain/error.ts'
import type { StoreAddress } from '../../core/domain/store-address.ts'
import { codeOf, explained, isLost } from './explain-trouble.ts'
import { Sessions } from './sessions.ts'
import type { Row, Session } from './sessions.ts'
import { heardFrom } from './silent-hosts.ts'
import { stayAwake } from './stay-awake.ts'

export type { Row } from './sessions.ts'
export type Value = string | number | boolean | null | Uint8Array

/** Whoever asks, whether inside a transaction or not. */
export interface Asking {
  rows(sql: string, values?: readonly Value[], patienceMs?: number): Promise<Row[]>
}

/**
 * Nobody waits for ever. A writer that stands still in the middle of a transaction is thrown out
 * long before those who wait for the same row give up.
 */
export interface Patience {
  readonly stillMs: number
  readonly lockMs: number
  readonly statementMs: number
  /** A commit waits for standbys, which may be away; no limit of the server ends that. */
  readonly confirmMs: number
  /** How long it is tried to learn what became of a commit whose answer was lost. */
  readonly settleMs: number
}

const PATIENCE: Patience = {
  stillMs: 5_000,
  lockMs: 20_000,
  statementMs: 120_000,
  confirmMs: 20_000,
  settleMs: 10_000,
}
/** So often somebody at work says so before it would be thrown out. */
const AWAKE_TIMES = 5
/** Beyond the time after which the server itself gives a question up. */
const SILENT_MS = 5_000
/** A change in one message: who waits in vain for a row is told so by the server before. */
const BEYOND_LOCK = 1.25
const SETTLE_EVERY_MS = 200

/** A question about one moment. */
const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
 SET LOCAL idle_in_transaction_session_timeout = 60000; SET LOCAL statement_timeout = 120000`

/** A question is asked again on another connection this often. */
const ATTEMPTS = 3

export class Database implements Asking {
  readonly address: StoreAddress
  readonly #sessions: Sessions
  /** Messages to the server that were answered: what distance costs. */
  trips = 0

  readonly #patience: Patience

  constructor(address: StoreAddress, patience: Partial<Patience> = {}) {
    this.address = address
    this.#patience = { ...PATIENCE, ...patience }
    this.#sessions = new Sessions(address, this.#patience.lockMs)
  }

  /** `patienceMs` for a small question: where it takes longer, another connection is tried. */
  rows(sql: string, values: readonly Value[] = [], patienceMs?: number): Promise<Row[]> {
    return this.#once(false, sql, values, patienceMs)
  }

  /** For a statement that changes something and may be carried out twice. */
  readonly writing: Asking = { rows: (sql, values = []) => this.#once(true, sql, values) }

  /**
   * All of it or nothing. Where the connection is lost while it is confirmed, nobody knows which:
   * `settle` looks, on another connection, whether the mark that the transaction leaves is there.
   */
  async transaction<Result>(
    work: (asking: Asking) => Promise<Result>,
    settle?: () => Promise<boolean>,
  ): Promise<Result> {
    const { stillMs, lockMs, statementMs, confirmMs } = this.#patience
    for (let attempt = 1; ; attempt++) {
      let result: { readonly value: Result } | undefined
      let begun = false
      try {
        return await this.#with(true, async (asking) => {
          await asking.rows(
            `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${stillMs};
             SET LOCAL lock_timeout = ${lockMs}; SET LOCAL statement_timeout = ${statementMs}`,
          )
          begun = true
          const awake = stayAwake(asking, stillMs / AWAKE_TIMES)
          try {
            result = { value: await work(awake) }
          } finally {
            awake.end()
          }
          await asking.rows('COMMIT', [], confirmMs)
          return result.value
        })
      } catch (error) {
        if (result && isLost(error)) {
          const isKept = isUnconfirmed(error) ? undefined : await this.#settled(settle)
          if (isKept === undefined) throw unknownEnd(error, confirmMs)
          if (isKept) return result.value
        }
        // A connection that was gone before anything began says nothing about the next.
        if (!begun && attempt < ATTEMPTS && isLost(error)) continue
        throw explained(error, this.address)
      }
    }
  }

  /** Undefined where nobody can tell for now. */
  async #settled(settle: (() => Promise<boolean>) | undefined): Promise<boolean | undefined> {
    if (!settle) return undefined
    const until = performance.now() + this.#patience.settleMs
    for (;;) {
      try {
        return await settle()
      } catch {
        // Another server may be about to take over.
        if (performance.now() > until) return undefined
        await sleep(SETTLE_EVERY_MS)
      }
    }
  }

  /** Everything in it is read as of one moment. */
  async snapshot<Result>(work: (asking: Asking) => Promise<Result>): Promise<Result> {
    try {
      return await this.#with(false, async (asking) => {
        await asking.rows(BEGIN_READING)
        try {
          return await work(asking)
        } finally {
          await asking.rows('ROLLBACK')
        }
      })
    } catch (error) {
      throw explained(error, this.address)
    }
  }

  openAlone(): Promise<Session> {
    return this.#sessions.alone()
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }

  /** Asked on a connection of one's own, and not counted: whether anybody is there. */
  async askOn(session: Session, sql: string): Promise<Row[]> {
    return this.#ask(session, sql)
  }

  async #once(
    primary: boolean,
    sql: string,
    values: readonly Value[],
    shortMs?: number,
  ): Promise<Row[]> {
    const { lockMs, statementMs, confirmMs } = this.#patience
    const longMs = primary ? BEYOND_LOCK * Math.max(lockMs, confirmMs) : statementMs + SILENT_MS
    for (let attempt = 1; ; attempt++) {
      // A server that is only busy answers in the end.
      const patienceMs = attempt === 1 ? (shortMs ?? longMs) : longMs
      try {
        return await this.#with(primary, ({ rows }) => rows(sql, values, patienceMs))
      } catch (error) {
        if (isUnconfirmed(error) && primary) throw unknownEnd(error, patienceMs)
        if (attempt < ATTEMPTS && isLost(error)) continue
        throw explained(error, this.address)
      }
    }
  }

  async #with<Result>(
    primary: boolean,
    work: (asking: Asking) => Promise<Result>,
  ): Promise<Result> {
    const session = await this.#sessions.take(primary)
    const asking: Asking = {
      rows: async (...asked) => {
        const rows = await this.#ask(session, ...asked)
        this.trips++
        return rows
      },
    }
    try {
      const result = await work(asking)
      this.#sessions.give(session)
      return result
    } catch (error) {
      this.#sessions.give(session, await this.#isBroken(session, error))
      throw error
    }
  }

  /** After an error the connection is used again only where it is certain that nothing is open. */
  async #isBroken(session: Session, error: unknown): Promise<boolean> {
    if (isLost(error) || session.isStandby) return true
    try {
      await this.#ask(session, 'ROLLBACK')
      return false
    } catch {
      return true
    }
  }

  async #ask(
    session: Session,
    sql: string,
    values: readonly Value[] = [],
    patienceMs = this.#patience.statementMs + SILENT_MS,
  ): Promise<Row[]> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(tookTooLong()), patienceMs)
    const stopWatching = this.#sessions.watch(session)
    try {
      const asked = session.client.query(sql, values.map(bindable))
      asked.catch(() => {})
      const result = await Promise.race([asked, tooLate])
      heardFrom(session.host)
      // Several statements at once give several results.
      return Array.isArray(result) ? [] : (result.rows as Row[])
    } finally {
      clearTimeout(timer)
      stopWatching()
    }
  }
}

function bindable(value: Value): Value | Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}

const LATE = 'ETIMEDOUT'

function tookTooLong(): Error {
  return Object.assign(new Error('it has not answered for too long'), { code: LATE })
}

/** The server was there all the time, and has not said whether it is done. */
function isUnconfirmed(error: unknown): boolean {
  return codeOf(error) === LATE && String(error).includes('too long')
}

function unknownEnd(error: unknown, waitedMs: number): KnowledgeError {
  return isUnconfirmed(error)
    ? unavailable(
        `The database has not confirmed this change within ${waitedMs / 1000} seconds: a standby that it waits for may be away.`,
        'The change may still come about. Bring the standby back, and look before you try again; "cairn doctor" says who follows.',
      )
    : unavailable(
        'The database was lost while it confirmed this change, and nobody knows yet whether it was kept.',
        'Look whether it is there before you try again.',
      )
}

/** Stands for one transaction among all that ever were. */
export function newMark(): string {
  return randomBytes(12).toString('hex')
}
