/**
 * Conditions over front matter: `status = draft and due < 2026-12-01`. A condition is read into a
 * tree and compared with what a document says of itself; nothing in it is ever run.
 */
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { invalid, quoted } from '../../domain/error.ts'
import type { PropertyValue } from '../../domain/text.ts'
import { parseDay } from './parse-day.ts'
import type { Day } from './parse-day.ts'

const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'contains'] as const
type Operator = (typeof OPERATORS)[number]

export type Fields = (key: string) => PropertyValue | undefined

export interface Condition {
  /** Properties it asks for, as they are written. */
  readonly keys: readonly string[]
  holds(fields: Fields): boolean
}

type Test = (fields: Fields) => boolean

const LONGEST = 1_000
const HINT =
  'Write conditions such as: status = draft and due < 2026-12-01; type in (note, "to do"); tag = work or not done = true; due exists; title contains plan.'

/** Throws `invalid` with the right form. */
export function parseCondition(text: string, now: number = Date.now()): Condition {
  if (text.length > LONGEST) throw invalid(`The condition is longer than ${LONGEST} letters.`, HINT)
  const tokens = tokensOf(text)
  const keys: string[] = []
  let at = 0
  const wrong = (what: string) => invalid(`${quoted(text)} is no condition: ${what}.`, HINT)
  const isWord = (...words: string[]): boolean =>
    tokens[at]?.kind === 'word' && words.includes(tokens[at]!.text.toLowerCase())
  const isSign = (sign: string): boolean => tokens[at]?.kind === 'sign' && tokens[at]!.text === sign

  const either = (): Test => {
    const tests = [both()]
    while (isWord('or')) {
      at++
      tests.push(both())
    }
    return (fields) => tests.some((test) => test(fields))
  }
  const both = (): Test => {
    const tests = [single()]
    while (isWord('and') || isSign(';')) {
      at++
      tests.push(single())
    }
    return (fields) => tests.every((test) => test(fields))
  }
  const single = (): Test => {
    if (isWord('not')) {
      at++
      const test = single()
      return (fields) => !test(fields)
    }
    if (!isSign('(')) return comparison()
    at++
    const test = either()
    if (!isSign(')')) throw wrong('a ( is never closed')
    at++
    return test
  }
  const comparison = (): Test => {
    const key = tokens[at++]
    if (!key) throw wrong('it ends where a property is expected')
    if (key.kind === 'sign') throw wrong(`a property is expected before ${quoted(key.text)}`)
    keys.push(key.text)
    if (isWord('exists', 'missing')) {
      const wanted = tokens[at++]!.text.toLowerCase() === 'exists'
      return (fields) => isThere(fields(key.text)) === wanted
    }
    if (isWord('in')) {
      at++
      const values = list()
      return (fields) => values.some((value) => compare(fields(key.text), '=', value))
    }
    const sign = tokens[at]
    const operator = OPERATORS.find((each) => each === sign?.text.toLowerCase().replace('==', '='))
    if (!sign || !operator) {
      throw wrong(
        `behind ${quoted(key.text)} one of ${OPERATORS.join(', ')}, in, exists or missing is expected`,
      )
    }
    at++
    const value = wanted()
    return (fields) => compare(fields(key.text), operator, value)
  }
  const list = (): Wanted[] => {
    if (!isSign('(')) throw wrong('behind in, values are expected in parentheses')
    at++
    const values = [wanted()]
    while (isSign(',')) {
      at++
      values.push(wanted())
    }
    if (!isSign(')')) throw wrong('a ( is never closed')
    at++
    return values
  }
  /** Several bare words are one value: `status = in review`. */
  const wanted = (): Wanted => {
    const words: Token[] = []
    while (tokens[at] && tokens[at]!.kind !== 'sign') {
      if (words.length > 0 && isWord('and', 'or')) break
      words.push(tokens[at++]!)
    }
    const [first] = words
    if (!first) throw wrong('a value is missing')
    return wantedOf(words.map((word) => word.text).join(' '), first.kind === 'quoted', now)
  }
  const test = either()
  if (at < tokens.length) throw wrong(`${quoted(tokens[at]!.text)} is one too many`)
  return { keys: [...new Set(keys)], holds: test }
}

interface Token {
  readonly kind: 'word' | 'quoted' | 'sign'
  readonly text: string
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pattern =
    /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|<=|>=|==|[=<>(),;])|([^\s"'=<>!(),;]+))/y
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex
    const match = pattern.exec(text)
    if (!match) {
      const rest = text.slice(from).trim()
      if (rest === '') break
      throw invalid(`${quoted(rest)} cannot be read in a condition.`, HINT)
    }
    const [, double, single, sign, word] = match
    const inQuotes = double ?? single
    if (inQuotes !== undefined) {
      tokens.push({ kind: 'quoted', text: inQuotes.replaceAll(/\\(.)/gs, '$1') })
    } else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'word', text: word! })
  }
  if (tokens.length === 0) throw invalid('The condition is empty.', HINT)
  return tokens
}

/** What a property is compared with, in every form it can be read in. */
interface Wanted {
  readonly text: string
  readonly number: number | undefined
  readonly day: Day | undefined
  readonly truth: boolean | undefined
}

function wantedOf(text: string, isQuoted: boolean, now: number): Wanted {
  const plain = isQuoted ? undefined : text.toLowerCase()
  return {
    text: fold(text),
    number: numberOf(text),
    day: parseDay(text, now, { strict: true }),
    truth:
      plain === 'true' || plain === 'yes'
        ? true
        : plain === 'false' || plain === 'no'
          ? false
          : undefined,
  }
}

/** Of a list, one that fits is enough; what differs from a value is in no place of it. */
function compare(value: PropertyValue | undefined, operator: Operator, wanted: Wanted): boolean {
  if (operator === '!=') return !compare(value, '=', wanted)
  if (!isThere(value)) return false
  if (Array.isArray(value)) {
    return value.some((each: PropertyValue) => compare(each, operator, wanted))
  }
  if (typeof value === 'object') return false
  if (operator === 'contains') return fold(String(value)).includes(wanted.text)
  if (typeof value === 'boolean') return operator === '=' && value === wanted.truth
  const number = typeof value === 'number' ? value : numberOf(value!)
  if (number !== undefined && wanted.number !== undefined) {
    return ordered(number - wanted.number, 0, operator)
  }
  const day = typeof value === 'number' ? undefined : parseDay(value!)
  if (day && wanted.day) return withinDay(day.from, wanted.day, operator)
  // What cannot be compared is neither smaller nor greater.
  if (
    operator !== '=' &&
    (day || wanted.day || number !== undefined || wanted.number !== undefined)
  )
    return false
  const text = fold(String(value))
  return ordered(text < wanted.text ? -1 : text > wanted.text ? 1 : 0, 0, operator)
}

function ordered(a: number, b: number, operator: Operator): boolean {
  if (operator === '=') return a === b
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

/** A day, a month or a year is a span: before it is before its beginning, after it behind its end. */
function withinDay(at: number, { from, to }: Day, operator: Operator): boolean {
  if (operator === '=') return at >= from && at < to
  if (operator === '<') return at < from
  if (operator === '<=') return at < to
  return operator === '>' ? at >= to : at >= from
}

function isThere(value: PropertyValue | undefined): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  )
}

function numberOf(text: string): number | undefined {
  return /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

function fold(text: string): string {
  return text.trim().toLowerCase().normalize('NFC')
}

/** What can be asked of every document, whatever its front matter says. */
const OWN: Readonly<Record<string, (record: DocumentRecord) => PropertyValue | undefined>> = {
  id: documentId,
  path: ({ path }) => path,
  source: ({ source }) => source,
  title: ({ title }) => title,
  type: ({ type }) => type,
  tag: ({ tags, inlineTags }) => [...tags, ...inlineTags],
  tags: ({ tags, inlineTags }) => [...tags, ...inlineTags],
  alias: ({ aliases }) => aliases,
  aliases: ({ aliases }) => aliases,
  size: ({ size }) => size,
  updated: ({ updatedAt }) => instantOf(updatedAt),
  created: ({ createdAt }) => instantOf(createdAt),
}

export const OWN_KEYS: readonly string[] = Object.keys(OWN)

function instantOf(time: number | undefined): string | undefined {
  const date = new Date(time ?? NaN)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** A property by its name, whatever its case; `a.b` is `b` of `a`. */
export function fieldsOf(record: DocumentRecord): Fields {
  return (key) => {
    const folded = key.toLowerCase()
    const own = Object.hasOwn(OWN, folded) ? OWN[folded] : undefined
    return own ? own(record) : propertyOf(record.properties, key)
  }
}

export function propertyOf(
  properties: Readonly<Record<string, PropertyValue>>,
  key: string,
): PropertyValue | undefined {
  const found = keyOf(properties, key)
  if (found !== undefined) return properties[found]
  const dot = key.indexOf('.')
  const inner = dot > 0 ? propertyOf(properties, key.slice(0, dot)) : undefined
  return isMapping(inner) ? propertyOf(inner, key.slice(dot + 1)) : undefined
}

/** As the note itself has it; undefined where it says nothing under this name, or deeper inside. */
export function keyOf(
  properties: Readonly<Record<string, PropertyValue>>,
  key: string,
): string | undefined {
  if (Object.hasOwn(properties, key)) return key
  const folded = fold(key)
  return Object.keys(properties).find((each) => fold(each) === folded)
}

function isMapping(
  value: PropertyValue | undefined,
): value is { readonly [key: string]: PropertyValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
