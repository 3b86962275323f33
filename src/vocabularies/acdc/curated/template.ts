/**
 * Go's template language, as far as a prompt can use it: fields, variables, pipes, the functions
 * that come with it, `if`, `with` and `range` with `else`, `break` and `continue`, comments, and the
 * trim markers `{{-` and `-}}`. Templates within templates are not for prompts: they, and what
 * nobody knows, make a template unreadable. `render-template.ts` runs what is read here.
 */
import { FUNCTIONS } from './template-functions.ts'
import type { FunctionName, Value } from './template-functions.ts'

export interface Template {
  readonly kind: 'template'
  readonly parts: readonly Part[]
  /** Texts that a field is compared with: values its author had in mind. */
  readonly knownValues: ReadonlyMap<string, readonly string[]>
}

export type ParsedTemplate = Template | { readonly kind: 'problem'; readonly why: string }

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Pipe }
  | { readonly kind: 'if' | 'with'; readonly branches: readonly Branch[] }
  | {
      readonly kind: 'range'
      readonly over: Pipe
      readonly parts: readonly Part[]
      readonly otherwise: readonly Part[]
    }
  | { readonly kind: 'break' | 'continue' }

export interface Branch {
  /** Undefined for `else`. */
  readonly condition: Pipe | undefined
  readonly parts: readonly Part[]
}

/** A value, and what is done with it: `$x := .name | printf "%q"`. */
export interface Pipe {
  /** Names without the dollar sign; `range` may have two. */
  readonly variables: readonly string[]
  /** Whether the variable is new here, or was there before. */
  readonly declares: boolean
  readonly value: Expression
}

export type Expression =
  | { readonly kind: 'dot' }
  | { readonly kind: 'variable'; readonly name: string }
  /** Of the dot, or of a variable. */
  | { readonly kind: 'field'; readonly name: string; readonly of?: string }
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly of: readonly Expression[] }

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

interface Scope {
  readonly depth: number
  /** Whether `break` and `continue` have a loop to end. */
  readonly inRange: boolean
  readonly variables: ReadonlySet<string>
}

class TemplateReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  readAll(): readonly Part[] {
    const { parts, end } = this.#readParts({ depth: 0, inRange: false, variables: new Set() })
    if (end) throw new Unreadable(`"${end.text}" of line ${end.line} stands alone`)
    return parts
  }

  /** Reads up to the `else` or `end` that belongs to whoever called. */
  #readParts(scope: Scope): { parts: readonly Part[]; end: Action | undefined } {
    if (scope.depth > MAX_DEPTH) {
      throw new Unreadable(`conditions are nested more than ${MAX_DEPTH} deep`)
    }
    const parts: Part[] = []
    const variables = new Set(scope.variables)
    const inner = { ...scope, variables }
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++]!
      if (token.kind === 'text') {
        if (token.text !== '') parts.push(token)
        continue
      }
      const [keyword] = /^[a-z]+\b/.exec(token.text) ?? []
      switch (keyword) {
        case 'else':
        case 'end':
          return { parts, end: token }
        case 'if':
        case 'with':
          parts.push(this.#readBranches(keyword, token, inner))
          break
        case 'range':
          parts.push(this.#readRange(token, inner))
          break
        case 'break':
        case 'continue':
          if (!scope.inRange || token.text !== keyword) {
            throw new Unreadable(`"${token.text}" of line ${token.line} stands in no "range"`)
          }
          parts.push({ kind: keyword })
          break
        default: {
          const value = pipeOf(token.text, token.line, variables)
          if (value.declares) for (const name of value.variables) variables.add(name)
          parts.push({ kind: 'output', value })
        }
      }
    }
    return { parts, end: undefined }
  }

  #readBranches(kind: 'if' | 'with', opening: Action, scope: Scope): Part {
    const branches: Branch[] = []
    const variables = new Set(scope.variables)
    const inner = { ...scope, depth: scope.depth + 1, variables }
    const conditionOf = (text: string, line: number): Pipe => {
      const pipe = pipeOf(text, line, variables)
      if (pipe.declares) for (const name of pipe.variables) variables.add(name)
      return pipe
    }
    let condition: Pipe | undefined = conditionOf(opening.text.slice(kind.length), opening.line)
    for (;;) {
      const { parts, end } = this.#readParts(inner)
      branches.push({ condition, parts })
      if (!end) throw new Unreadable(`the "${kind}" of line ${opening.line} has no "end"`)
      if (end.text === 'end') return { kind, branches }
      if (condition === undefined) {
        throw new Unreadable(`"${end.text}" of line ${end.line} follows an "else"`)
      }
      const otherwise = /^else(?:\s+(if|with)\b([^]*))?$/.exec(end.text)
      const [, next, text] = otherwise ?? []
      if (!otherwise || (next !== undefined && next !== kind)) {
        throw new Unreadable(`"${end.text}" of line ${end.line} means nothing`)
      }
      condition = text === undefined ? undefined : conditionOf(text, end.line)
    }
  }

  #readRange(opening: Action, scope: Scope): Part {
    const over = pipeOf(opening.text.slice('range'.length), opening.line, scope.variables, 2)
    const variables = new Set([...scope.variables, ...(over.declares ? over.variables : [])])
    const inner = { depth: scope.depth + 1, inRange: true, variables }
    const { parts, end } = this.#readParts(inner)
    if (!end) throw new Unreadable(`the "range" of line ${opening.line} has no "end"`)
    if (end.text === 'end') return { kind: 'range', over, parts, otherwise: [] }
    if (end.text !== 'else') {
      throw new Unreadable(`"${end.text}" of line ${end.line} means nothing`)
    }
    const { parts: otherwise, end: last } = this.#readParts({ ...inner, inRange: scope.inRange })
    if (last?.text !== 'end') {
      throw new Unreadable(`the "range" of line ${opening.line} has no "end"`)
    }
    return { kind: 'range', over, parts, otherwise }
  }
}

type Action = Extract<Token, { kind: 'action' }>

/** A number, a field, the dot, a variable, a quoted text, a sign, or a word. */
const LEXEME =
  /\s*(-?\d+(?:\.\d+)?|\.[\p{L}_][\p{L}\p{N}_]*|\.|\$(?:[\p{L}_][\p{L}\p{N}_]*)?(?:\.[\p{L}_][\p{L}\p{N}_]*)?|"(?:[^"\\\n]|\\.)*"|`[^`]*`|:=|[()|,=]|[a-z]+)/uy

function lexemesOf(text: string, line: number): string[] {
  const lexemes: string[] = []
  const rest = text.trimEnd()
  let at = 0
  while (at < rest.length) {
    LEXEME.lastIndex = at
    const match = LEXEME.exec(rest)
    if (!match) throw new Unreadable(`"${excerpt(rest, at)}" of line ${line} is not understood`)
    const [lexeme] = match
    const before = lexemes.at(-1)
    // `.a.b` is a field of a field, and `.a"b"` is nothing: only blanks and signs part two values.
    if (before !== undefined && !/^\s/.test(lexeme) && isValue(before) && isValue(match[1]!)) {
      throw new Unreadable(`"${excerpt(rest, at)}" of line ${line} is not understood`)
    }
    lexemes.push(match[1]!)
    at = LEXEME.lastIndex
  }
  return lexemes
}

function isValue(lexeme: string): boolean {
  return !/^(?::=|[()|,=])$/.test(lexeme)
}

/** Enough to find the place by. */
function excerpt(text: string, at: number): string {
  return text.slice(at, at + 60).trim()
}

interface ExpressionReader {
  readonly lexemes: readonly string[]
  at: number
  readonly line: number
  readonly variables: ReadonlySet<string>
}

/** `[$x [, $y] := ] value [| function …]`. At most so many variables. */
function pipeOf(text: string, line: number, known: ReadonlySet<string>, most = 1): Pipe {
  const lexemes = lexemesOf(text, line)
  const sign = lexemes.findIndex((each) => each === ':=' || each === '=')
  const named = sign < 0 ? [] : lexemes.slice(0, sign)
  const variables = named.filter((_, place) => place % 2 === 0).map((each) => each.slice(1))
  const sound =
    named.every((each, place) => (place % 2 === 0 ? /^\$[^.]+$/.test(each) : each === ',')) &&
    named.length === Math.max(0, variables.length * 2 - 1) &&
    variables.length <= most &&
    (sign < 0 || variables.length > 0)
  if (!sound) throw new Unreadable(`"${excerpt(text, 0)}" of line ${line} is not understood`)
  const declares = lexemes[sign] === ':='
  const missing = declares ? undefined : variables.find((name) => !known.has(name))
  if (missing !== undefined) throw new Unreadable(`$${missing} of line ${line} is not declared`)
  const reader = { lexemes: lexemes.slice(sign + 1), at: 0, line, variables: known }
  const value = readPipeline(reader, 0)
  if (reader.at < reader.lexemes.length) {
    throw new Unreadable(`"${reader.lexemes[reader.at]}" of line ${line} is one too many`)
  }
  return { variables, declares, value }
}

/** What stands before a bar is the last argument of what stands behind it. */
function readPipeline(reader: ExpressionReader, depth: number): Expression {
  let value = readCommand(reader, depth, undefined)
  while (reader.lexemes[reader.at] === '|') {
    reader.at++
    value = readCommand(reader, depth, value)
  }
  return value
}

/** A function with its arguments, or one operand. */
function readCommand(
  reader: ExpressionReader,
  depth: number,
  piped: Expression | undefined,
): Expression {
  const name = reader.lexemes[reader.at]
  if (name === undefined || !Object.hasOwn(FUNCTIONS, name)) {
    if (piped) throw new Unreadable(`something is missing behind the bar in line ${reader.line}`)
    return readOperand(reader, depth)
  }
  reader.at++
  const of: Expression[] = []
  while (reader.at < reader.lexemes.length && !/^[)|]$/.test(reader.lexemes[reader.at]!)) {
    of.push(readOperand(reader, depth))
  }
  if (piped) of.push(piped)
  const { min, max } = FUNCTIONS[name as FunctionName]
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
  if (lexeme === '.') return { kind: 'dot' }
  if (lexeme.startsWith('.')) return { kind: 'field', name: lexeme.slice(1) }
  if (lexeme.startsWith('$')) {
    const [name = '', field] = lexeme.slice(1).split('.')
    if (name !== '' && !reader.variables.has(name)) {
      throw new Unreadable(`${excerpt(lexeme, 0)} of line ${line} is not declared`)
    }
    return field === undefined
      ? { kind: 'variable', name }
      : { kind: 'field', name: field, of: name }
  }
  if (lexeme.startsWith('`')) return { kind: 'literal', value: lexeme.slice(1, -1) }
  if (lexeme.startsWith('"')) return { kind: 'literal', value: unquoted(lexeme, line) }
  if (/^-?\d/.test(lexeme)) return { kind: 'literal', value: Number(lexeme) }
  if (lexeme === 'true' || lexeme === 'false') return { kind: 'literal', value: lexeme === 'true' }
  if (Object.hasOwn(FUNCTIONS, lexeme) && FUNCTIONS[lexeme as FunctionName].min === 0) {
    return { kind: 'call', name: lexeme as FunctionName, of: [] }
  }
  if (lexeme === '(') {
    const inner = readPipeline(reader, depth + 1)
    if (reader.lexemes[reader.at++] !== ')') {
      throw new Unreadable(`a bracket of line ${line} is not closed`)
    }
    return inner
  }
  throw new Unreadable(`"${excerpt(lexeme, 0)}" of line ${line} is not supported`)
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
      if (part.kind === 'output') visit(part.value.value)
      if (part.kind === 'range') {
        visit(part.over.value)
        walk(part.parts)
        walk(part.otherwise)
      }
      if (part.kind !== 'if' && part.kind !== 'with') continue
      for (const branch of part.branches) {
        visit(branch.condition?.value)
        walk(branch.parts)
      }
    }
  }
  walk(parts)
  return new Map([...known].map(([name, values]) => [name, [...values].filter((v) => v !== '')]))
}
