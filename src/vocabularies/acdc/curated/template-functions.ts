/** The functions that come with Go's templates, and how values look when they are printed. */

/** What a prompt's arguments are: names and texts. */
export type Arguments = Readonly<Record<string, string>>
export type Value = string | number | boolean | Arguments

/** A call that makes no sense for these values: the prompt cannot be given. */
export class Unanswerable extends Error {}

interface Function {
  readonly min: number
  readonly max: number
  readonly run: (given: readonly Value[]) => Value
}

const many = (run: Function['run'], min = 0): Function => ({ min, max: Infinity, run })
const two = (run: (a: Value, b: Value) => Value): Function => ({
  min: 2,
  max: 2,
  run: ([a, b]) => run(a!, b!),
})

export const FUNCTIONS = {
  not: { min: 1, max: 1, run: ([value]) => !isTrue(value!) },
  // As in Go, these give one of their arguments, not merely true or false.
  and: many((given) => given.find((value) => !isTrue(value)) ?? given.at(-1)!, 1),
  or: many((given) => given.find(isTrue) ?? given.at(-1)!, 1),
  eq: many(([first, ...rest]) => rest.includes(first!), 2),
  ne: two((a, b) => a !== b),
  lt: two((a, b) => compare(a, b) < 0),
  le: two((a, b) => compare(a, b) <= 0),
  gt: two((a, b) => compare(a, b) > 0),
  ge: two((a, b) => compare(a, b) >= 0),
  len: { min: 1, max: 1, run: ([value]) => lengthOf(value!) },
  index: many(([value, ...keys]) => keys.reduce(itemOf, value!), 1),
  slice: { min: 1, max: 3, run: ([value, ...ends]) => sliceOf(value!, ends) },
  print: many((given) => printed(given)),
  println: many((given) => `${given.map(shown).join(' ')}\n`),
  printf: many(([format, ...given]) => formatted(format!, given), 1),
  html: many((given) => printed(given).replaceAll(/[<>&'"]/g, (sign) => HTML[sign]!)),
  js: many((given) => JSON.stringify(printed(given)).slice(1, -1).replaceAll("'", "\\'")),
  urlquery: many((given) => encodeURIComponent(printed(given)).replaceAll('%20', '+')),
} as const satisfies Record<string, Function>

export type FunctionName = keyof typeof FUNCTIONS

const HTML: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&#39;',
  '"': '&#34;',
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'object') return Object.keys(value).length > 0
  return value !== '' && value !== false && value !== 0
}

/** As Go prints a value: a map with its names in order. */
export function shown(value: Value): string {
  if (typeof value !== 'object') return String(value)
  return `map[${namesOf(value)
    .map((name) => `${name}:${value[name]}`)
    .join(' ')}]`
}

export function namesOf(given: Arguments): readonly string[] {
  return Object.keys(given).toSorted()
}

/** Blanks stand between values that are both no text. */
function printed(given: readonly Value[]): string {
  return given
    .map((value, place) => {
      const parted = place > 0 && typeof value !== 'string' && typeof given[place - 1] !== 'string'
      return (parted ? ' ' : '') + shown(value)
    })
    .join('')
}

function compare(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  throw new Unanswerable('only two numbers or two texts can be compared')
}

/** Go counts bytes. */
function lengthOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'object') return Object.keys(value).length
  throw new Unanswerable(`len of ${shown(value)} has no meaning`)
}

function itemOf(value: Value, key: Value): Value {
  if (typeof value === 'object' && typeof key === 'string') {
    return Object.hasOwn(value, key) ? value[key]! : ''
  }
  if (typeof value === 'string' && typeof key === 'number') {
    const byte = Buffer.from(value)[key]
    if (byte !== undefined) return byte
  }
  throw new Unanswerable(`index ${shown(key)} is not there`)
}

function sliceOf(value: Value, ends: readonly Value[]): Value {
  const bytes = typeof value === 'string' ? Buffer.from(value) : undefined
  const [from = 0, to = bytes?.length ?? 0] = ends
  const sound =
    bytes && typeof from === 'number' && typeof to === 'number' && 0 <= from && from <= to
  if (!sound || to > bytes.length) throw new Unanswerable('slice reaches beyond the text')
  return bytes.toString('utf8', from, to)
}

const VERB = /%([-+# 0]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g
/** Wider than any page. */
const WIDEST = 10_000

function formatted(format: Value, given: readonly Value[]): string {
  if (typeof format !== 'string') throw new Unanswerable('printf needs a text first')
  let at = 0
  const text = format.replaceAll(VERB, (_, flags: string, width, precision, verb: string) => {
    if (verb === '%') return '%'
    const value = given[at++]
    if (value === undefined) return `%!${verb}(MISSING)`
    const piece = verbed(verb, value, precision === undefined ? undefined : Number(precision))
    return padded(piece, flags, Math.min(Number(width ?? 0), WIDEST))
  })
  const rest = given.slice(at)
  if (rest.length === 0) return text
  return `${text}%!(EXTRA ${rest.map((each) => `${typeName(each)}=${shown(each)}`).join(', ')})`
}

function verbed(verb: string, value: Value, precision: number | undefined): string {
  const wrong = `%!${verb}(${typeName(value)}=${shown(value)})`
  switch (verb) {
    case 'v':
      return shown(value)
    case 's': {
      if (typeof value !== 'string') return wrong
      return precision === undefined ? value : [...value].slice(0, precision).join('')
    }
    case 'q':
      return typeof value === 'string' ? JSON.stringify(value) : wrong
    case 'd':
      return typeof value === 'number' && Number.isInteger(value) ? String(value) : wrong
    case 'f':
      return typeof value === 'number' ? value.toFixed(Math.min(precision ?? 6, 100)) : wrong
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong
    case 'T':
      return typeName(value)
    case 'x':
      if (typeof value === 'string') return Buffer.from(value).toString('hex')
      return typeof value === 'number' ? value.toString(16) : wrong
    default:
      return wrong
  }
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width)
  return text.padStart(width, flags.includes('0') && /^-?\d/.test(text) ? '0' : ' ')
}

function typeName(value: Value): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'map[string]string'
}
