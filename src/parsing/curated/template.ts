/**
 * The part of Go's template language that prompts use: `{{.field}}`, conditions with `if`,
 * `else if`, `else` and `end`, the functions `not`, `and`, `or`, `eq` and `ne`, comments, and the
 * trim markers `{{-` and `-}}`. Whatever else is written there makes the template unreadable.
 */

export interface Template {
  readonly kind: 'template'
  readonly parts: readonly Part[]
  /** Texts that a field is compared with: values its author had in mind. */
  readonly knownValues: ReadonlyMap<string, readonly string[]>
}

export type ParsedTemplate = Template | { readonly kind: 'problem'; readonly why: string }

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Expression }
  | { readonly kind: 'if'; readonly branches: readonly Branch[] }

interface Branch {
  /** Undefined for `else`. */
  readonly condition: Expression | undefined
  readonly parts: readonly Part[]
}

type Expression =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly of: readonly Expression[] }

type Value = string | boolean
type FunctionName = keyof typeof ARITY

/** How many arguments each function takes. */
const ARITY = {
  not: { min: 1, max: 1 },
  and: { min: 1, max: Infinity },
  or: { min: 1, max: Infinity },
  eq: { min: 2, max: Infinity },
  ne: { min: 2, max: 2 },
} as const

/** Deeper nesting is no prompt that a person wrote. */
const MAX_DEPTH = 100

export function parseTemplate(text: string): ParsedTemplate {
  try {
    const parts = new TemplateReader(tokensOf(text)).readAll()
    return { kind: 'template', parts, knownValues: knownValuesOf(parts) }
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'problem', why: error.message }
    throw error
  }
}

/** A name without a value prints as nothing. */
export function renderTemplate(
  { parts }: Template,
  values: Readonly<Record<string, string>>,
): string {
  return parts.map((part) => renderPart(part, values)).join('')
}

function renderPart(part: Part, values: Readonly<Record<string, string>>): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'output':
      return String(evaluate(part.value, values))
    case 'if': {
      const taken = part.branches.find(
        ({ condition }) => condition === undefined || isTrue(evaluate(condition, values)),
      )
      return taken?.parts.map((inner) => renderPart(inner, values)).join('') ?? ''
    }
    default:
      return part satisfies never
  }
}

function evaluate(expression: Expression, values: Readonly<Record<string, string>>): Value {
  switch (expression.kind) {
    case 'field':
      return Object.hasOwn(values, expression.name) ? values[expression.name]! : ''
    case 'literal':
      return expression.value
    case 'call':
      return call(
        expression.name,
        expression.of.map((each) => evaluate(each, values)),
      )
    default:
      return expression satisfies never
  }
}

function call(name: FunctionName, given: readonly Value[]): Value {
  const [first = '', ...rest] = given
  switch (name) {
    case 'not':
      return !isTrue(first)
    // As in Go, these give one of their arguments, not merely true or false.
    case 'and':
      return given.find((value) => !isTrue(value)) ?? given.at(-1)!
    case 'or':
      return given.find(isTrue) ?? given.at(-1)!
    case 'eq':
      return rest.includes(first)
    case 'ne':
      return first !== rest[0]
    default:
      return name satisfies never
  }
}

function isTrue(value: Value): boolean {
  return value !== '' && value !== false
}

class Unreadable extends Error {}

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly text: string; readonly line: number }

/** Texts and actions in order, comments gone and trim markers applied. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  let trimNext = false
  for (;;) {
    const open = text.indexOf('{{', at)
    let plain = open < 0 ? text.slice(at) : text.slice(at, open)
    if (trimNext) plain = plain.replace(/^[ \t\r\n]+/, '')
    if (open < 0) {
      tokens.push({ kind: 'text', text: plain })
      return tokens
    }
    line += linesIn(text, at, open)
    const trimsBefore = /^-\s/.test(text.slice(open + 2, open + 4))
    const from = open + (trimsBefore ? 3 : 2)
    const end = endOfAction(text, from, line)
    const trimsAfter = /\s-$/.test(text.slice(from - 1, end))
    const inner = text.slice(from, trimsAfter ? end - 1 : end).trim()
    tokens.push({ kind: 'text', text: trimsBefore ? trimmedEnd(plain) : plain })
    if (!/^\/\*[^]*\*\/$/.test(inner)) tokens.push({ kind: 'action', text: inner, line })
    trimNext = trimsAfter
    line += linesIn(text, open, end)
    at = end + 2
  }
}

/** Go trims these four only. By hand: a pattern anchored at the end takes long for long blanks. */
function trimmedEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

function linesIn(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1
}

/** Where the closing braces stand; those inside a quoted text or a comment do not close. */
function endOfAction(text: string, from: number, line: number): number {
  const comment = /^\s*\/\*/.exec(text.slice(from))
  let at = comment ? text.indexOf('*/', from + comment[0].length) : from
  if (at < 0) throw new Unreadable(`the comment of line ${line} is not closed`)
  let quote = ''
  for (; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (character === '\\' && quote === '"') at++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === '`') quote = character
    else if (text.startsWith('}}', at)) return at
  }
  throw new Unreadable(`the braces of line ${line} are not closed`)
}

class TemplateReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  readAll(): readonly Part[] {
    const { parts, end } = this.#readParts(0)
    if (end) throw new Unreadable(`"${end.text}" of line ${end.line} stands alone`)
    return parts
  }

  /** Reads up to the `else` or `end` that belongs to whoever called. */
  #readParts(depth: number): { parts: readonly Part[]; end: Action | undefined } {
    if (depth > MAX_DEPTH) throw new Unreadable(`conditions are nested more than ${MAX_DEPTH} deep`)
    const parts: Part[] = []
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++]!
      if (token.kind === 'text') {
        if (token.text !== '') parts.push(token)
      } else if (/^(?:else|end)\b/.test(token.text)) {
        return { parts, end: token }
      } else if (/^if\b/.test(token.text)) {
        parts.push(this.#readIf(token, depth))
      } else {
        parts.push({ kind: 'output', value: expressionOf(token.text, token.line) })
      }
    }
    return { parts, end: undefined }
  }

  #readIf(opening: Action, depth: number): Part {
    const branches: Branch[] = []
    let condition: Expression | undefined = expressionOf(opening.text.slice(2), opening.line)
    for (;;) {
      const { parts, end } = this.#readParts(depth + 1)
      branches.push({ condition, parts })
      if (!end) throw new Unreadable(`the "if" of line ${opening.line} has no "end"`)
      if (end.text === 'end') return { kind: 'if', branches }
      if (condition === undefined) {
        throw new Unreadable(`"${end.text}" of line ${end.line} follows an "else"`)
      }
      const otherwise = /^else(?:\s+if\b([^]*))?$/.exec(end.text)
      if (!otherwise) throw new Unreadable(`"${end.text}" of line ${end.line} means nothing`)
      condition = otherwise[1] === undefined ? undefined : expressionOf(otherwise[1], end.line)
    }
  }
}

type Action = Extract<Token, { kind: 'action' }>

/** A field, a quoted text, a bracket, a sign, or a word. */
const LEXEME = /\s*(?:(\.[\p{L}_][\p{L}\p{N}_]*)|("(?:[^"\\\n]|\\.)*"|`[^`]*`)|([()])|([a-z]+))/uy

function expressionOf(text: string, line: number): Expression {
  const lexemes: string[] = []
  const rest = text.trimEnd()
  let at = 0
  while (at < rest.length) {
    LEXEME.lastIndex = at
    const match = LEXEME.exec(rest)
    if (!match) throw new Unreadable(`"${excerpt(rest, at)}" of line ${line} is not understood`)
    lexemes.push(match[0].trim())
    at = LEXEME.lastIndex
  }
  const reader = { lexemes, at: 0, line }
  const value = readPipeline(reader, 0)
  if (reader.at < lexemes.length) {
    throw new Unreadable(`"${lexemes[reader.at]}" of line ${line} is one too many`)
  }
  return value
}

/** Enough to find the place by. */
function excerpt(text: string, at: number): string {
  return text.slice(at, at + 60).trim()
}

interface ExpressionReader {
  readonly lexemes: readonly string[]
  at: number
  readonly line: number
}

/** A function with its arguments, or one operand. */
function readPipeline(reader: ExpressionReader, depth: number): Expression {
  const name = reader.lexemes[reader.at]
  if (name === undefined || !Object.hasOwn(ARITY, name)) return readOperand(reader, depth)
  reader.at++
  const of: Expression[] = []
  while (reader.at < reader.lexemes.length && reader.lexemes[reader.at] !== ')') {
    of.push(readOperand(reader, depth))
  }
  const { min, max } = ARITY[name as FunctionName]
  if (of.length < min || of.length > max) {
    throw new Unreadable(`"${name}" of line ${reader.line} has ${of.length} arguments`)
  }
  return { kind: 'call', name: name as FunctionName, of }
}

function readOperand(reader: ExpressionReader, depth: number): Expression {
  const { line } = reader
  const lexeme = reader.lexemes[reader.at++]
  if (lexeme === undefined) throw new Unreadable(`something is missing in line ${line}`)
  if (depth > MAX_DEPTH) throw new Unreadable(`brackets are nested more than ${MAX_DEPTH} deep`)
  if (lexeme.startsWith('.')) return { kind: 'field', name: lexeme.slice(1) }
  if (lexeme.startsWith('`')) return { kind: 'literal', value: lexeme.slice(1, -1) }
  if (lexeme.startsWith('"')) return { kind: 'literal', value: unquoted(lexeme, line) }
  if (lexeme === 'true' || lexeme === 'false') return { kind: 'literal', value: lexeme === 'true' }
  if (lexeme === '(') {
    const inner = readPipeline(reader, depth + 1)
    if (reader.lexemes[reader.at++] !== ')') {
      throw new Unreadable(`a bracket of line ${line} is not closed`)
    }
    return inner
  }
  throw new Unreadable(`"${lexeme}" of line ${line} is not supported`)
}

function unquoted(text: string, line: number): string {
  try {
    return JSON.parse(text) as string
  } catch {
    throw new Unreadable(`${text} of line ${line} is no text`)
  }
}

function knownValuesOf(parts: readonly Part[]): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, Set<string>>()
  const visit = (expression: Expression | undefined): void => {
    if (expression?.kind !== 'call') return
    for (const inner of expression.of) visit(inner)
    if (expression.name !== 'eq' && expression.name !== 'ne') return
    const texts = expression.of.flatMap((each) =>
      each.kind === 'literal' && typeof each.value === 'string' ? [each.value] : [],
    )
    for (const each of expression.of) {
      if (each.kind !== 'field') continue
      const values = known.get(each.name) ?? new Set()
      for (const text of texts) values.add(text)
      known.set(each.name, values)
    }
  }
  const walk = (inner: readonly Part[]): void => {
    for (const part of inner) {
      if (part.kind === 'output') visit(part.value)
      if (part.kind !== 'if') continue
      for (const branch of part.branches) {
        visit(branch.condition)
        walk(branch.parts)
      }
    }
  }
  walk(parts)
  return new Map([...known].map(([name, values]) => [name, [...values].filter((v) => v !== '')]))
}
