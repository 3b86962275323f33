/**
 * The block of YAML between `---` lines at the head of a note.
 *
 * Nearly all front matter is a handful of `key: value` lines, which a few string operations read;
 * anything else goes to the `yaml` package, which is thorough and fifteen times slower. Both give
 * the same values, and a property test compares them.
 */
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Scalar } from 'yaml'
import type { Properties, PropertyValue } from '../../domain/text.ts'
import type { Warning } from '../../domain/warning.ts'
import { ownText } from '../../kit/own-text.ts'

export interface FrontMatter {
  readonly properties: Properties
  /** Where the body begins: 0 without front matter, 1 behind a byte order mark. */
  readonly bodyStart: number
  readonly warnings: readonly Warning[]
}

/** Reads the front matter of a text. What cannot be read becomes part of the body, and a warning. */
export function parseFrontMatter(text: string, path: string): FrontMatter {
  const textStart = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  const none = { properties: {}, bodyStart: textStart }
  const block = findFrontMatter(text)
  if (block === 'absent') return { ...none, warnings: [] }
  const warn = (message: string, line: number): Warning => ({
    kind: 'front_matter',
    message: `${message} (line ${line})`,
    ref: path,
    line,
  })
  if (block === 'unclosed') {
    return { ...none, warnings: [warn('The front matter is not closed with ---', 1)] }
  }
  const source = ownText(text.slice(block.start, block.end)).replace(/\r\n?/g, '\n')
  if (source.length > LARGEST) {
    return { ...none, warnings: [warn(`The front matter is longer than ${LARGEST} characters`, 1)] }
  }
  const read = readSimpleYaml(source) ?? readYaml(source)
  if (read.properties === undefined) {
    return { ...none, warnings: read.problems.map(({ message, line }) => warn(message, line + 1)) }
  }
  return {
    properties: read.properties,
    bodyStart: block.bodyStart,
    warnings: read.problems.map(({ message, line }) => warn(message, line + 1)),
  }
}

const BYTE_ORDER_MARK = 0xfeff

/** Far more than a person writes; a limit on what a hostile file can make us parse. */
const LARGEST = 65_536
/** What takes a YAML parser also takes its time: the square of the length where it is hostile. */
export const LARGEST_YAML = 20_000

interface Block {
  readonly start: number
  readonly end: number
  readonly bodyStart: number
}

const OPENING = /^\uFEFF?---[ \t]*(?:\r\n?|\n)/
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$(?![^]))/gm
const LOOKS_LIKE_A_KEY = /[A-Za-z_][\w-]*:(?:[ \t\r\n]|$)/y

/** Where the YAML stands. An opening `---` alone may also be an ordinary line across the page. */
export function findFrontMatter(text: string): Block | 'absent' | 'unclosed' {
  const first = text.charCodeAt(0)
  if (first !== 45 && first !== BYTE_ORDER_MARK) return 'absent'
  const opening = OPENING.exec(text)
  if (!opening) return 'absent'
  const start = opening[0].length
  CLOSING.lastIndex = start
  const closing = CLOSING.exec(text)
  if (closing) {
    return { start, end: closing.index, bodyStart: closing.index + closing[0].length }
  }
  LOOKS_LIKE_A_KEY.lastIndex = start
  return LOOKS_LIKE_A_KEY.test(text) ? 'unclosed' : 'absent'
}

/** The outcome of reading YAML. Lines count from 1 at the first line of the YAML itself. */
export interface ReadYaml {
  /** Undefined when the text is no mapping or no YAML at all. */
  readonly properties: Properties | undefined
  readonly problems: readonly { readonly message: string; readonly line: number }[]
}

/**
 * A plain scalar as a value. Only what prints back to the very same text leaves the realm of
 * strings, so that a version `1.0`, a postcode `01234` or a date stays what its author wrote.
 */
export function typedScalar(text: string): PropertyValue {
  switch (text) {
    case '':
    case '~':
    case 'null':
      return null
    case 'true':
      return true
    case 'false':
      return false
    default:
  }
  const first = text.charCodeAt(0)
  const numeric = (first >= 48 && first <= 57) || first === 45
  if (numeric && NUMBER.test(text)) {
    const value = Number(text)
    if (String(value) === text) return value
  }
  return text
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

// The fast path. It accepts only what has one reading; every doubt returns undefined.

const SIMPLE_KEY = /^([A-Za-z_][\w-]*):(?: +|$)/
const LIST_ITEM = /^ *- +/

/** Plain text that no YAML rule can turn into something else. */
const PLAIN =
  /^(?:[\p{L}\p{N}_/.$(+<]|-(?=[\p{L}\p{N}_])|::?(?=[\p{L}\p{N}_]))[^\n\r\t\0-\x08\x0b-\x1f\x7f\x85\u2028\u2029\uFEFF\uD800-\uDFFF]*$/u
const PLAIN_NUMBER = /^-?\d[\d.]*$/
/** `: `, ` #` and a final colon mean something in YAML even in the middle of plain text. */
const PLAIN_TROUBLE = /:(?:\s|$)|\s#/
const IN_FLOW_TROUBLE = /[[\]{},]|:(?:\s|$)|\s#|^[-?:]/

/** Reads the common forms, or returns undefined and leaves the text to `readYaml`. LF only. */
export function readSimpleYaml(source: string): ReadYaml | undefined {
  if (source.includes('\t')) return undefined
  const entries: [string, PropertyValue][] = []
  const keys = new Set<string>()
  const lines = source.split('\n')
  let i = 0
  while (i < lines.length) {
    const line = trimLine(lines[i]!)
    i++
    if (line === '') continue
    const match = SIMPLE_KEY.exec(line)
    if (!match) return undefined
    const key = match[1]!
    if (keys.has(key)) return undefined
    keys.add(key)
    const rest = line.slice(match[0].length)
    if (rest !== '') {
      const value = simpleValue(rest)
      if (value === undefined) return undefined
      entries.push([key, value])
      continue
    }
    const items: PropertyValue[] = []
    let indent = -1
    for (; i < lines.length; i++) {
      const item = trimLine(lines[i]!)
      const dash = LIST_ITEM.exec(item)
      if (!dash) break
      const depth = item.indexOf('-')
      if (indent >= 0 && depth !== indent) return undefined
      indent = depth
      const value = simpleValue(item.slice(dash[0].length))
      if (value === undefined) return undefined
      items.push(value)
    }
    entries.push([key, items.length > 0 ? items : null])
  }
  // A line that goes on with the one before has no key and was refused above, except a blank one.
  return { properties: Object.fromEntries(entries), problems: [] }
}

const SPACE = 32

function trimLine(line: string): string {
  // Counted: a pattern would look at every run of spaces in the line again and again.
  let end = line.length
  while (line.charCodeAt(end - 1) === SPACE) end--
  return end < line.length ? line.slice(0, end) : line
}

/** The value of one line, or undefined when it takes a YAML parser to know. */
function simpleValue(text: string): PropertyValue | undefined {
  const first = text.charCodeAt(0)
  if (first === 34 || first === 39) return quoted(text)
  if (first === 91) return flowList(text)
  return plainValue(text)
}

function plainValue(text: string): PropertyValue | undefined {
  if (PLAIN_NUMBER.test(text)) return typedScalar(text)
  return PLAIN.test(text) && !PLAIN_TROUBLE.test(text) ? typedScalar(text) : undefined
}

const SINGLE_QUOTED = /^'[^'\t\0-\x08\x0b-\x1f\x7f\x85\u2028\u2029\uFEFF\uD800-\uDFFF]*'$/u
const DOUBLE_QUOTED = /^"[^"\\\t\0-\x08\x0b-\x1f\x7f\x85\u2028\u2029\uFEFF\uD800-\uDFFF]*"$/u

function quoted(text: string): string | undefined {
  return SINGLE_QUOTED.test(text) || DOUBLE_QUOTED.test(text) ? text.slice(1, -1) : undefined
}

function flowList(text: string): PropertyValue[] | undefined {
  if (!text.endsWith(']')) return undefined
  const inside = text.slice(1, -1).trim()
  if (inside === '') return []
  const values: PropertyValue[] = []
  for (const part of inside.split(',')) {
    const item = part.trim()
    const first = item.charCodeAt(0)
    const isQuoted = first === 34 || first === 39
    if (item === '' || (!isQuoted && IN_FLOW_TROUBLE.test(item))) return undefined
    const value = isQuoted ? quoted(item) : plainValue(item)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

// The thorough path.

const MOST_ALIASES = 100
const DEEPEST = 32
const MOST_PROBLEMS = 20

/** Reads any YAML. Every scalar starts as text, and `typedScalar` decides about the plain ones. */
export function readYaml(source: string): ReadYaml {
  if (source.length > LARGEST_YAML) {
    const what = `is longer than ${LARGEST_YAML} characters and more than keys, values and lists`
    return failed(`The front matter ${what}`, 1)
  }
  try {
    const document = parseDocument(source, {
      schema: 'failsafe',
      uniqueKeys: false,
      logLevel: 'silent',
      // Every error would bring a copy of what stands around it, and there may be thousands.
      prettyErrors: false,
    })
    const [error] = document.errors
    if (error) {
      const [message = ''] = error.message.split('\n', 1)
      return failed(`The front matter is not valid YAML: ${message}`, lineAt(source, error.pos[0]))
    }
    const { contents } = document
    const empty = contents === null || (isScalar(contents) && isEmptyScalar(contents))
    if (empty) return { properties: {}, problems: [] }
    if (!isMap(contents)) return failed('The front matter is not a list of keys and values', 1)
    const reader = new YamlReader(source, document)
    const properties = reader.value(contents, 0) as Properties
    return { properties, problems: reader.problems }
  } catch (error) {
    // Our own limits, and a parser that runs out of stack on a thousand nested brackets.
    const reason = error instanceof TooComplex ? error.message : 'it is nested too deeply'
    return failed(`The front matter cannot be read: ${reason}`, 1)
  }
}

/** Counted from 1. */
function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

function failed(message: string, line: number): ReadYaml {
  return { properties: undefined, problems: [{ message, line }] }
}

function isEmptyScalar(scalar: Scalar): boolean {
  return scalar.type === 'PLAIN' && typedScalar(String(scalar.value ?? '')) === null
}

class TooComplex extends Error {}
const REPEATS = 'it repeats itself too often'

class YamlReader {
  readonly problems: { message: string; line: number }[] = []
  readonly #source: string
  readonly #document: Document.Parsed
  #aliases = 0
  #values = 0

  constructor(source: string, document: Document.Parsed) {
    this.#source = source
    this.#document = document
  }

  value(node: unknown, depth: number): PropertyValue {
    if (depth > DEEPEST) throw new TooComplex('it is nested too deeply')
    // Without aliases a text has fewer values than letters.
    const repeats = ++this.#values > Math.max(MOST_ALIASES, this.#source.length)
    if (repeats || this.#aliases > MOST_ALIASES) throw new TooComplex(REPEATS)
    if (isAlias(node)) {
      this.#aliases++
      return this.value(node.resolve(this.#document), depth + 1)
    }
    if (isScalar(node)) {
      const text = String(node.value ?? '')
      return node.type === 'PLAIN' || node.type === undefined ? typedScalar(text) : text
    }
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1))
    if (!isMap(node)) return null
    const entries = new Map<string, PropertyValue>()
    for (const { key, value } of node.items) {
      const name = this.#keyText(key)
      if (entries.has(name) && this.problems.length < MOST_PROBLEMS) {
        const message = `The front matter has the key "${name}" twice; the last one counts`
        this.problems.push({ message, line: this.#lineOf(key) })
      }
      entries.set(name, this.value(value, depth + 1))
    }
    // Object.fromEntries defines keys such as `__proto__` instead of assigning them.
    return Object.fromEntries(entries)
  }

  #keyText(key: unknown): string {
    if (isScalar(key)) return String(key.value ?? '')
    const range = (key as { range?: [number, number, number] } | null)?.range
    return range ? this.#source.slice(range[0], range[1]).trim() : ''
  }

  #lineOf(node: unknown): number {
    const offset = (node as { range?: [number, number, number] } | null)?.range?.[0] ?? 0
    return lineAt(this.#source, offset)
  }
}
