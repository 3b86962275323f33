/** Questions about one base: its number is the first value of every statement. */
import type { Asking, Row, Value } from './database.ts'
import { numbersIn } from './values.ts'

export interface BaseRows {
  /** `$1` is the base; the values begin with `$2`. */
  rows(sql: string, ...values: Value[]): Promise<Row[]>
  row(sql: string, ...values: Value[]): Promise<Row | undefined>
  /** A column named `number`, in the order of the rows. */
  numbers(sql: string, ...values: Value[]): Promise<Uint32Array>
}

export function rowsOf(asking: Asking, base: () => number): BaseRows {
  const rows: BaseRows['rows'] = (sql, ...values) => asking.rows(sql, [base(), ...values])
  return {
    rows,
    row: async (sql, ...values) => (await rows(sql, ...values))[0],
    async numbers(sql, ...values) {
      const [row] = await rows(
        `SELECT string_agg(number::text, ',') AS numbers FROM (${sql}) AS listed`,
        ...values,
      )
      return numbersIn(row?.['numbers'])
    },
  }
}
