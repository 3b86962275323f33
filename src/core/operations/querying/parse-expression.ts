/**
 * Precedence climbing (Pratt) over the words of an expression, in the spelling of Dataview or of
 * Bases. What cannot be read is refused with a sentence; depth and length are bounded.
 */
import { KnowledgeError } from '../../domain/error.ts'
import { linearPattern } from '../../search/linear-pattern.ts'
import { NOTHING, type Expression, type Operator } from './expression.ts'
import { FUNCTIONS, METHODS } from './functions.ts'
import { namedDay, parseSpan } from './spans.ts'
import { dateIn, linkIn } from './values.ts'

export type Language = 'dataview' | 'base'

/** A query that is not understood: it is shown as it stands, with this sentence. */
export class NotUnderstood extends Error {}

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'link' | 'tag' | 'pattern' | 'literal'
  readonly text: string
  readonly at: number
  readonly expression?: Expression
}

const LONGEST = 20_000
const MOST_TOKENS = 2_000
const DEEPEST = 60

const SIGNS = /=>|==|!=|<=|>=|&&|\|\||[-+*/%=<>!&|()[\]{},.:]/y
const NUMBER = /\d+(?:\.\d+)?/y
const NAMES = {
  dataview: /[\p{L}_\p{Extended_Pictographic}][\p{L}\p{N}_\p{Extended_Pictographic}\uFE0F-]*/uy,
  base: /[\p{L}_$\p{Extended_Pictographic}][\p{L}\p{N}_$\p{Extended_Pictographic}\uFE0F]*/uy,
}
const TAG = /#[\p{L}\p{N}_/\p{Extended_Pictographic}-]+/uy
const WIKI_LINK = /\[\[[^[\]\n]*\]\]/y
const PATTERN = /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y
/** What stands in parentheses behind `date` and `dur` needs no quotes. */
const BARE = /\s*\(([^()"]{1,100})\)/y

export function tokensOf(text: string, language: Language, now: number): readonly Token[] {
  if (text.length > LONGEST) throw new NotUnderstood(`It is longer than ${LONGEST} letters.`)
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  const push = (kind: Token['kind'], length: number, value: string, expression?: Expression) => {
    tokens.push({ kind, text: value, at, ...(expression && { expression }) })
    if (tokens.length > MOST_TOKENS) throw new NotUnderstood('It has too many words.')
    at += length
  }
  while (at < text.length) {
    const char = text[at]!
    if (/\s/.test(char)) {
      at++
      continue
    }
    if (char === '"' || (char === "'" && language === 'base')) {
      const end = endOfString(text, at, char)
      push('string', end - at, unescaped(text.slice(at + 1, end - 1)))
      continue
    }
    const number = take(NUMBER)
    if (number !== undefined) {
      push('number', number.length, number)
      continue
    }
    const name = take(NAMES[language])
    if (name !== undefined) {
      const literal = language === 'dataview' ? bareLiteral(text, at, name, now) : undefined
      if (literal) push('literal', literal.length, name, literal.expression)
      else push('name', name.length, name)
      continue
    }
    if (language === 'dataview') {
      const link = take(WIKI_LINK)
      if (link !== undefined) {
        push('link', link.length, link)
        continue
      }
      const tag = take(TAG)
      if (tag !== undefined) {
        push('tag', tag.length, tag.slice(1))
        continue
      }
    } else if (char === '/' && isPrefix(tokens.at(-1))) {
      const pattern = take(PATTERN)
      if (pattern !== undefined) {
        push('pattern', pattern.length, pattern)
        continue
      }
    }
    const sign = take(SIGNS)
    if (sign === undefined)
      throw new NotUnderstood(`${shown(text.slice(at, at + 20))} cannot be read.`)
    push('sign', sign.length, sign)
  }
  return tokens
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  throw new NotUnderstood(`A ${quote} is never closed.`)
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, char: string) =>
    char === 'n' ? '\n' : char === 't' ? '\t' : /["'\\/]/.test(char) ? char : `\\${char}`,
  )
}

function bareLiteral(text: string, at: number, name: string, now: number) {
  const word = name.toLowerCase()
  if (word !== 'date' && word !== 'dur') return undefined
  BARE.lastIndex = at + name.length
  const inside = BARE.exec(text)?.[1]?.trim()
  if (inside === undefined) return undefined
  const value =
    word === 'dur' ? parseSpan(inside) : (namedDay(inside.toLowerCase(), now) ?? dateIn(inside))
  if (!value) return undefined
  return { length: BARE.lastIndex - at, expression: { kind: 'value', value } as const }
}

/** Whether something begins here, so that `/` begins a pattern. */
function isPrefix(before: Token | undefined): boolean {
  return !before || (before.kind === 'sign' && ![')', ']', '}'].includes(before.text))
}

export function shown(text: string): string {
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`
}

const OPERATORS: Readonly<Record<string, readonly [Operator, number]>> = {
  or: ['or', 1],
  '||': ['or', 1],
  '|': ['or', 1],
  and: ['and', 2],
  '&&': ['and', 2],
  '&': ['and', 2],
  '=': ['=', 3],
  '==': ['=', 3],
  '!=': ['!=', 3],
  '<': ['<', 3],
  '<=': ['<=', 3],
  '>': ['>', 3],
  '>=': ['>=', 3],
  '+': ['+', 4],
  '-': ['-', 4],
  '*': ['*', 5],
  '/': ['/', 5],
  '%': ['%', 5],
}

/** Reads expressions out of words, one behind the other. */
export class ExpressionReader {
  at = 0
  #depth = 0
  readonly tokens: readonly Token[]
  readonly language: Language

  constructor(tokens: readonly Token[], language: Language) {
    this.tokens = tokens
    this.language = language
  }

  get next(): Token | undefined {
    return this.tokens[this.at]
  }

  isSign(...signs: readonly string[]): boolean {
    const { next } = this
    return next?.kind === 'sign' && signs.includes(next.text)
  }

  isWord(...words: readonly string[]): boolean {
    const { next } = this
    return next?.kind === 'name' && words.includes(next.text.toLowerCase())
  }

  expect(sign: string): void {
    if (!this.isSign(sign)) throw this.unexpected(`${shown(sign)} is expected`)
    this.at++
  }

  unexpected(what: string): NotUnderstood {
    const here = this.next ? `before ${shown(this.next.text)}` : 'at the end'
    return new NotUnderstood(`${what} ${here}.`)
  }

  expression(least = 1): Expression {
    if (++this.#depth > DEEPEST) throw new NotUnderstood('It is nested too deeply.')
    let left = this.#prefix()
    for (;;) {
      const operator = this.#operator()
      if (!operator || operator[1] < least) break
      this.at++
      const right = this.expression(operator[1] + 1)
      left = { kind: 'binary', operator: operator[0], left, right }
    }
    this.#depth--
    return left
  }

  #operator(): readonly [Operator, number] | undefined {
    const { next } = this
    if (!next) return undefined
    const text =
      next.kind === 'name' && this.language === 'dataview' ? next.text.toLowerCase() : next.text
    if (next.kind !== 'sign' && !(next.kind === 'name' && (text === 'and' || text === 'or')))
      return undefined
    return Object.hasOwn(OPERATORS, text) ? OPERATORS[text] : undefined
  }

  #prefix(): Expression {
    if (this.isSign('!', '-')) {
      const isNot = this.isSign('!')
      this.at++
      if (++this.#depth > DEEPEST) throw new NotUnderstood('It is nested too deeply.')
      const of = this.#prefix()
      this.#depth--
      return { kind: isNot ? 'not' : 'minus', of }
    }
    return this.#postfix(this.#primary())
  }

  #postfix(first: Expression): Expression {
    let of = first
    for (;;) {
      if (this.isSign('.')) {
        this.at++
        const name = this.next
        if (name?.kind !== 'name') throw this.unexpected('A name is expected')
        this.at++
        if (this.isSign('(')) {
          const args = [of, ...this.#args()]
          checkKnown(METHODS, name.text, args.length, 'method')
          of = { kind: 'call', name: name.text, args, method: true }
        } else of = { kind: 'field', of, key: { kind: 'value', value: name.text } }
      } else if (this.isSign('[')) {
        this.at++
        const key = this.expression()
        this.expect(']')
        of = { kind: 'field', of, key }
      } else return of
    }
  }

  #args(): readonly Expression[] {
    this.expect('(')
    const args: Expression[] = []
    while (!this.isSign(')')) {
      args.push(this.expression())
      if (!this.isSign(',')) break
      this.at++
    }
    this.expect(')')
    return args
  }

  #primary(): Expression {
    const token = this.next
    if (!token) throw this.unexpected('Something is expected')
    if (token.kind === 'sign') return this.#inSigns(token)
    this.at++
    switch (token.kind) {
      case 'number':
        return { kind: 'value', value: Number(token.text) }
      case 'string':
        return { kind: 'value', value: token.text }
      case 'literal':
        return token.expression!
      case 'link': {
        const link = linkIn(token.text)
        if (!link) throw new NotUnderstood(`${shown(token.text)} is no link.`)
        return link.target === '' ? { kind: 'name', name: 'this' } : { kind: 'value', value: link }
      }
      case 'tag':
        return { kind: 'value', value: `#${token.text}` }
      case 'pattern':
        return patternOf(token.text)
      case 'name':
        return this.#name(token.text)
    }
  }

  #name(name: string): Expression {
    const folded = name.toLowerCase()
    const word = this.language === 'dataview' ? folded : name
    if (word === 'true' || word === 'false') return { kind: 'value', value: word === 'true' }
    if (word === 'null') return NOTHING
    if (!this.isSign('(')) return { kind: 'name', name }
    const args = this.#args()
    checkKnown(FUNCTIONS, name, args.length, 'function')
    return { kind: 'call', name, args, method: false }
  }

  #inSigns(token: Token): Expression {
    switch (token.text) {
      case '(': {
        const lambda = this.#lambda()
        if (lambda) return lambda
        this.at++
        const inside = this.expression()
        this.expect(')')
        return inside
      }
      case '[': {
        this.at++
        const items: Expression[] = []
        while (!this.isSign(']')) {
          items.push(this.expression())
          if (!this.isSign(',')) break
          this.at++
        }
        this.expect(']')
        return { kind: 'list', items }
      }
      case '{': {
        this.at++
        const entries: [string, Expression][] = []
        while (!this.isSign('}')) {
          const key = this.next
          if (key?.kind !== 'name' && key?.kind !== 'string')
            throw this.unexpected('A key is expected')
          this.at++
          this.expect(':')
          entries.push([key.text, this.expression()])
          if (!this.isSign(',')) break
          this.at++
        }
        this.expect('}')
        return { kind: 'object', entries }
      }
      default:
        throw this.unexpected('Something is expected')
    }
  }

  /** `(a, b) => …` */
  #lambda(): Expression | undefined {
    if (this.language !== 'dataview') return undefined
    const names: string[] = []
    let at = this.at + 1
    while (this.tokens[at]?.kind === 'name') {
      names.push(this.tokens[at]!.text)
      at++
      if (this.tokens[at]?.text !== ',') break
      at++
    }
    if (this.tokens[at]?.text !== ')' || this.tokens[at + 1]?.text !== '=>') return undefined
    this.at = at + 2
    return { kind: 'lambda', names, body: this.expression() }
  }
}

function checkKnown(
  known: Readonly<Record<string, unknown>>,
  name: string,
  count: number,
  what: string,
): void {
  if (!Object.hasOwn(known, name.toLowerCase())) {
    throw new NotUnderstood(`There is no ${what} ${shown(name)}.`)
  }
  if (count > 100) throw new NotUnderstood(`${shown(name)} is given too much.`)
}

function patternOf(text: string): Expression {
  const end = text.lastIndexOf('/')
  const flags = text.slice(end + 1)
  const source = text.slice(1, end)
  return {
    kind: 'value',
    value: {
      kind: 'pattern',
      pattern: compiled(source, flags.includes('i')),
      source,
      all: flags.includes('g'),
    },
  }
}

function compiled(source: string, ignoreCase: boolean) {
  try {
    return linearPattern(source, { ignoreCase })
  } catch (error) {
    if (error instanceof KnowledgeError) throw new NotUnderstood(error.message)
    throw error
  }
}

/** One expression and nothing behind it. */
export function parseExpression(text: string, language: Language, now: number): Expression {
  const reader = new ExpressionReader(tokensOf(text, language, now), language)
  const expression = reader.expression()
  if (reader.next) throw new NotUnderstood(`${shown(reader.next.text)} is one too many.`)
  return expression
}
