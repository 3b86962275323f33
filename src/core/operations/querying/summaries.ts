/** Aggregate functions: what Obsidian's Bases says below a column, one value for all of its rows. */
import { compareValues, isList, isTrue } from './values.ts'
import type { Moment, Pay, Value } from './values.ts'

export type Summary = (values: readonly Value[], pay: Pay) => Value

/** By the names that Bases has for them, in any case. */
export const SUMMARIES: Readonly<Record<string, Summary>> = {
  average: (values) => mean(numbersIn(values)),
  sum: (values) => sum(numbersIn(values)),
  min: (values) => quantile(numbersIn(values), 0),
  max: (values) => quantile(numbersIn(values), 1),
  median: (values) => quantile(numbersIn(values), 0.5),
  stddev: (values) => deviation(numbersIn(values)),
  range(values) {
    const dates = datesIn(values)
    const ends = dates.length > 0 ? dates.map(({ at }) => at) : numbersIn(values)
    const [least, most] = [quantile(ends, 0), quantile(ends, 1)]
    if (least === null || most === null) return null
    return dates.length > 0 ? { kind: 'duration', months: 0, ms: most - least } : tidy(most - least)
  },
  earliest: (values, pay) => inOrder(values, pay)[0] ?? null,
  latest: (values, pay) => inOrder(values, pay).at(-1) ?? null,
  checked: (values) => count(values, (value) => value === true),
  unchecked: (values) => count(values, (value) => value === false),
  empty: (values) => count(values, isEmpty),
  filled: (values) => count(values, (value) => !isEmpty(value)),
  unique(values, pay) {
    const sorted = values
      .filter((value) => !isEmpty(value))
      .toSorted((a, b) => compareValues(a, b, pay))
    return sorted.filter(
      (value, at) => at === 0 || compareValues(sorted[at - 1]!, value, pay) !== 0,
    ).length
  },
}

function count(values: readonly Value[], test: (value: Value) => boolean): number {
  return values.filter(test).length
}

function isEmpty(value: Value): boolean {
  return value === null || value === '' || (isList(value) && !isTrue(value))
}

function numbersIn(values: readonly Value[]): readonly number[] {
  return values.filter((value) => typeof value === 'number')
}

function datesIn(values: readonly Value[]): readonly Moment[] {
  return values.filter(
    (value): value is Moment =>
      value !== null && typeof value === 'object' && !isList(value) && value.kind === 'date',
  )
}

function inOrder(values: readonly Value[], pay: Pay): readonly Moment[] {
  return datesIn(values).toSorted((a, b) => compareValues(a, b, pay))
}

function sum(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : tidy(sumOf(numbers))
}

/** What each addition rounds away is added at the end (Neumaier's sum): a thousand times 0.1 is 100. */
function sumOf(numbers: readonly number[]): number {
  let [all, lost] = [0, 0]
  for (const each of numbers) {
    const next = all + each
    lost += Math.abs(all) >= Math.abs(each) ? all - next + each : each - next + all
    all = next
  }
  return Number.isFinite(all) ? all + lost : all
}

function mean(numbers: readonly number[]): number | null {
  const all = sum(numbers)
  return all === null ? null : tidy(all / numbers.length)
}

function quantile(numbers: readonly number[], part: number): number | null {
  if (numbers.length === 0) return null
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = part * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  // One of them is told as it stands; of two, halves have room where their sum has none.
  return below === above ? below : tidy(below / 2 + above / 2)
}

/** Of all there are, as Bases counts it. */
function deviation(numbers: readonly number[]): number | null {
  const middle = mean(numbers)
  if (middle === null) return null
  return tidy(Math.sqrt(sumOf(numbers.map((each) => (each - middle) ** 2)) / numbers.length))
}

/** Without what binary fractions add: 0.1 + 0.2 is 0.3. Whole numbers have none. */
function tidy(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
