/** One database: questions that any server may answer, and transactions on the primary. */
import { randomBytes } from 'node:crypto'
import type { StoreAddress } from '../../domain/store-address.ts'
import { explained, isLost } from './explain-trouble.ts'
import { Sessions } from './sessions.ts'
import type { Row, Session } from './sessions.ts'

export type { Row } from './sessions.ts'
export type Value = string | number | boolean | null | Uint8Array

/** Whoever asks, whether inside a transaction or not. */
export interface Asking {
  rows(sql: string, values?: readonly Value[]): Promise<Row[]>
}

/**
 * Nobody waits for ever. A writer that stands still in the middle of a transaction is thrown out
 * long before those who wait for the same row give up.
 */
const STILL_MS = 5_000
const LOCK_MS = 20_000
const STATEMENT_MS = 120_000
/** For a server that takes a question and falls silent. */
const ANSWER_MS = STATEMENT_MS + 5_000

const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${STILL_MS};
 SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL statement_timeout = ${STATEMENT_MS}`
/** A question about one moment. */
const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
 SET LOCAL idle_in_transaction_session_timeout = 60000; SET LOCAL statement_timeout = ${STATEMENT_MS}`

/** A question is asked again on another connection this often. */
const ATTEMPTS = 3

export class Database implements Asking {
  readonly address: StoreAddress
  readonly #sessions: Sessions
  /** Messages to the server that were answered: what distance costs. */
  trips = 0

  constructor(address: StoreAddress) {
    this.address = address
    this.#sessions = new Sessions(address)
  }

  rows(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#once(false, sql, values)
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
    let confirming = false
    for (let attempt = 1; ; attempt++) {
      let result: { readonly value: Result } | undefined
      let begun = false
      try {
        return await this.#with(true, async (asking) => {
          await asking.rows(BEGIN)
          begun = true
          result = { value: await work(asking) }
          confirming = true
          await asking.rows('COMMIT')
          return result.value
        })
      } catch (error) {
        if (confirming && result && isLost(error) && (await settle?.())) return result.value
        // A connection that was gone before anything began says nothing about the next.
        if (!begun && attempt < ATTEMPTS && isLost(error)) continue
        throw explained(error, this.address)
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

  async #once(primary: boolean, sql: string, values: readonly Value[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#with(primary, ({ rows }) => rows(sql, values))
      } catch (error) {
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
    const asking: Asking = { rows: (sql, values) => this.#ask(session, sql, values) }
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

  async #ask({ client }: Session, sql: string, values: readonly Value[] = []): Promise<Row[]> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(silence()), ANSWER_MS)
    try {
      const asked = client.query(sql, values.map(bindable))
      asked.catch(() => {})
      const result = await Promise.race([asked, tooLate])
      this.trips++
      // Several statements at once give several results.
      return Array.isArray(result) ? [] : (result.rows as Row[])
    } finally {
      clearTimeout(timer)
    }
  }
}

function bindable(value: Value): Value | Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}

function silence(): Error {
  return Object.assign(new Error('it has not answered for too long'), { code: 'ETIMEDOUT' })
}

/** Stands for one transaction among all that ever were. */
export function newMark(): string {
  return randomBytes(12).toString('hex')
}
