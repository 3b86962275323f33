/** One open SQLite file: statements that are prepared once, transactions that wait their turn. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { BUSY_TIMEOUT_MS, isBusy } from './open-database.ts'

export type Value = string | number | null | Uint8Array
type Column = null | number | bigint | string | Uint8Array
export type Row = Record<string, Column>
export type List = readonly Column[]

export class Connection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Those that make lists. */
  readonly #listing = new Map<string, StatementSync>()
  #rolledBack = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.prepare(sql).all(...values) as Row[]
  }

  /**
   * The same with a list for each row, its columns in order: of very many rows, making objects takes
   * longer than reading them.
   */
  lists(sql: string, ...values: Value[]): List[] {
    let statement = this.#listing.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      // Node before 22.16 makes objects all the same.
      statement.setReturnArrays?.(true)
      this.#listing.set(sql, statement)
    }
    const rows = statement.all(...values) as unknown[]
    return Array.isArray(rows[0]) ? (rows as List[]) : rows.map((row) => Object.values(row as Row))
  }

  /** One row after the other, for what is too large to have at once. */
  iterate(sql: string, ...values: Value[]): Iterable<Row> {
    return this.prepare(sql).iterate(...values) as Iterable<Row>
  }

  run(sql: string, ...values: Value[]): void {
    // In place: it is called for every row of a large batch.
    for (let at = 0; at < values.length; at++) values[at] = bindable(values[at]!)
    this.prepare(sql).run(...values)
  }

  /** The number in the column `n` of the only row. */
  count(sql: string, ...values: Value[]): number {
    return Number(this.get(sql, ...values)?.['n'] ?? 0)
  }

  /** A column of numbers as one text: a row of its own for each takes up to four times as long. */
  numbers(sql: string, ...values: Value[]): Uint32Array {
    const row = this.get(`SELECT group_concat(number) AS numbers FROM (${sql})`, ...values)
    const numbers = row?.['numbers']
    return numbersIn(numbers === null || numbers === undefined ? '' : String(numbers))
  }

  /** Another after every commit, whoever made it, and after whatever this connection changes. */
  version(): string {
    const others = this.prepare('PRAGMA data_version').get()?.['data_version']
    const own = this.prepare('SELECT total_changes() AS n').get()?.['n']
    return `${String(others)} ${String(own)} ${this.#rolledBack}`
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  meta(key: string): string | undefined {
    const row = this.get('SELECT value FROM meta WHERE key = ?', key)
    return row ? String(row['value']) : undefined
  }

  metaNumber(key: string): number {
    return Number(this.meta(key) ?? 0)
  }

  setMeta(key: string, value: string | number): void {
    this.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, String(value))
  }

  /**
   * Waits for its turn without stopping the thread: SQLite's own waiting would hold up every reader
   * of this process while another one commits a large batch.
   */
  async transaction<Result>(work: () => Result, patienceMs = BUSY_TIMEOUT_MS): Promise<Result> {
    const deadline = performance.now() + patienceMs
    for (let pause = 1; !this.#begin(deadline); pause = Math.min(pause * 2, 20)) {
      await sleep(pause * (0.5 + Math.random()))
    }
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  /** Everything in it is read as of one moment. */
  snapshot<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN')
    try {
      return work()
    } finally {
      this.#rollBack()
    }
  }

  /** Some errors have ended the transaction already, and older Nodes cannot tell whether one is open. */
  #rollBack(): void {
    this.#rolledBack++
    try {
      this.#database.exec('ROLLBACK')
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error
    }
  }

  #begin(deadline: number): boolean {
    this.#database.exec('PRAGMA busy_timeout = 0')
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      return false
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  close(): void {
    if (!this.#database.isOpen) return
    this.#statements.clear()
    this.#listing.clear()
    this.#database.close()
  }
}

const COMMA = 0x2c
const ZERO = 0x30

/** Of `1,22,3`. A text of its own for each of very many numbers would be work for the collector. */
function numbersIn(text: string): Uint32Array {
  const found = new Uint32Array((text.length + 1) >> 1)
  let count = 0
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== COMMA) {
      number = number * 10 + (code - ZERO)
      continue
    }
    found[count++] = number
    number = 0
  }
  if (text !== '') found[count++] = number
  return found.slice(0, count)
}

const NOTHING = new Uint8Array(0)

/** Node 22.13 writes NULL for a view of an empty buffer. */
export function bindable(value: Value): Value {
  return value instanceof Uint8Array && value.length === 0 ? NOTHING : value
}
