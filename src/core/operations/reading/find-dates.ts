/**
 * Dates in prose (named entity recognition by patterns): days, months and quarters as people write
 * them in English, German, French, Spanish, Russian and Chinese, and as ISO writes them anywhere.
 * A year alone is a number like any other.
 */
import { ANY_MONTH, monthOf } from './month-names.ts'
import { dayOf, spanOf } from './parse-day.ts'
import type { Day } from './parse-day.ts'

export interface FoundDate extends Day {
  /** Where it stands; the end is exclusive. */
  readonly start: number
  readonly end: number
}

/** A text that is full of dates says as much with the first of them. */
export const MOST_DATES = 200

const NO_DIGIT = '(?![\\p{L}\\p{N}])'
/** Behind a day a time may follow, or Chinese, which puts no space between. */
const NO_NUMBER = '(?!\\p{N})(?!(?!T\\d|\\p{Script=Han})\\p{L})'
const MONTH = `(${ANY_MONTH})\\.?`
/** Each names its groups in the order year, month, day, in which `read` takes them apart. */
const DATE = new RegExp(
  [
    `(?<![\\p{N}.-])(?<iso>\\d{4}[-/]\\d{2}[-/]\\d{2}|\\d{4}-\\d{2})${NO_NUMBER}(?!-\\d)`,
    `(?<![\\p{N}.])(?<dotted>\\d{1,2}\\.\\s?\\d{1,2}\\.\\s?\\d{4})${NO_DIGIT}`,
    `(?<![\\p{N}.])(?<day>\\d{1,2}(?:st|nd|rd|th|er|\\.)?[ \\-](?:of |de )?${MONTH},?[ \\-](?:de |del )?\\d{4})${NO_DIGIT}`,
    `(?<![\\p{L}\\p{N}])(?<month>${MONTH}[ \\-](?:\\d{1,2}(?:st|nd|rd|th)?,?[ \\-])?(?:de |del )?\\d{4})${NO_DIGIT}`,
    `(?<!\\p{N})(?<han>\\d{4}\\s?年\\s?\\d{1,2}\\s?月(?:\\s?\\d{1,2}\\s?[日号])?)`,
    `(?<![\\p{L}\\p{N}])(?<quarter>Q[1-4][ \\-/]\\d{4}|\\d{4}-Q[1-4])${NO_DIGIT}`,
  ].join('|'),
  'giu',
)

/** In the order of the text, from one place to another; places are those of the whole text. */
export function findDates(
  text: string,
  start = 0,
  end = text.length,
  most = MOST_DATES,
): readonly FoundDate[] {
  const found: FoundDate[] = []
  const part = start === 0 && end >= text.length ? text : text.slice(start, end)
  // Nearly all texts have none, which a look for four digits tells at once.
  if (!/\d{4}/.test(part)) return found
  for (const match of part.matchAll(DATE)) {
    const day = read(match)
    if (!day) continue
    const at = start + match.index
    found.push({ ...day, start: at, end: at + match[0].length })
    if (found.length === most) break
  }
  return found
}

function read({ groups = {} }: RegExpExecArray): Day | undefined {
  const { iso, dotted, day, month, han, quarter } = groups
  const numbers = (iso ?? dotted ?? day ?? month ?? han ?? quarter ?? '')
    .match(/\d+/g)!
    .map(Number) as [number, number, number?]
  if (quarter !== undefined) return quarterOf(quarter)
  if (iso !== undefined || han !== undefined) return numbered(numbers)
  if (dotted !== undefined) return numbered([numbers[2]!, numbers[1], numbers[0]])
  const name =
    (day ?? month)!
      .match(/\p{L}{3,}/gu)!
      .map(monthOf)
      .find((number) => number > 0) ?? 0
  const year = numbers.at(-1)!
  return numbered(numbers.length === 2 ? [year, name, numbers[0]] : [year, name])
}

function numbered([year, month, day]: readonly [number, number, number?]): Day | undefined {
  if (year < 1_000 || month < 1) return undefined
  return day === undefined ? spanOf(year, month) : dayOf(year, month, day)
}

function quarterOf(text: string): Day {
  const year = Number(/\d{4}/.exec(text)![0])
  const first = Number(/Q(\d)/i.exec(text)![1]) * 3 - 3
  return { from: Date.UTC(year, first, 1), to: Date.UTC(year, first + 3, 1) }
}
