/**
 * `${vars.x}`, `${x}`, `${captures.n.a.b[0]}`, `${steps.id.path}` in the texts of a recipe. A path is
 * looked up and nothing else: there is nothing in here that could be run.
 */
import { invalid, quoted } from '../../core/domain/error.ts'

export interface Names {
  readonly vars: Readonly<Record<string, unknown>>
  readonly captures: Readonly<Record<string, unknown>>
  readonly steps: Readonly<Record<string, unknown>>
}

export const MISSING = Symbol('missing')

/** Thrown where an expression leads nowhere. */
export class Unresolved extends Error {
  readonly expression: string
  constructor(expression: string) {
    super(`\${${expression}} leads nowhere`)
    this.expression = expression
  }
}

const EXPRESSION = /\$\{([^{}]*)\}/g
const ALONE = /^\$\{([^{}]*)\}$/
const DEEPEST = 50
/** What a text may grow to when it is filled in. */
const LONGEST = 1024 * 1024

/** The same value with every expression filled in. A text that is one expression keeps its type. */
export function evaluate(value: unknown, names: Names): unknown {
  return fill(value, (expression) => lookUp(expression, names), 0)
}

/** Variables may speak of each other, in any order and not in a circle. */
export function resolveVariables(
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const settled = new Map<string, unknown>()
  const settle = (name: string, under: readonly string[]): unknown => {
    if (settled.has(name)) return settled.get(name)
    if (under.includes(name)) {
      throw invalid(
        `The variables ${[...under, name].map(quoted).join(' → ')} speak of each other in a circle.`,
        'Give one of them a value of its own.',
      )
    }
    const value = fill(
      variables[name],
      (expression) => {
        const [root = '', ...path] = partsOf(expression)
        const [own, rest] = root === 'vars' ? [String(path[0] ?? ''), path.slice(1)] : [root, path]
        if (!Object.hasOwn(variables, own)) throw new Unresolved(expression)
        return required(walk(settle(String(own), [...under, name]), rest), expression)
      },
      0,
    )
    settled.set(name, value)
    return value
  }
  return Object.fromEntries(Object.keys(variables).map((name) => [name, settle(name, [])]))
}

function fill(value: unknown, resolve: (expression: string) => unknown, depth: number): unknown {
  if (depth > DEEPEST) throw invalid('A recipe is nested too deeply.', 'Make it flatter.')
  if (Array.isArray(value)) return value.map((each) => fill(each, resolve, depth + 1))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, fill(each, resolve, depth + 1)]),
    )
  }
  if (typeof value !== 'string') return value
  const alone = ALONE.exec(value)?.[1]
  if (alone !== undefined) return resolve(alone.trim())
  const text = value.replace(EXPRESSION, (_, expression: string) =>
    said(resolve(expression.trim())),
  )
  if (text.length <= LONGEST) return text
  throw invalid('A text of the recipe grows too long.', 'Say less in it.')
}

function said(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}

function lookUp(expression: string, { vars, captures, steps }: Names): unknown {
  const [root = '', ...path] = partsOf(expression)
  const places = { vars, captures, steps }
  const start = Object.hasOwn(places, root)
    ? walk(places[root as keyof typeof places], path)
    : walk(vars, [root, ...path])
  return required(start, expression)
}

function required(value: unknown, expression: string): unknown {
  if (value === MISSING) throw new Unresolved(expression)
  return value
}

/** What a path leads to in a result, with or without `result.` in front; `MISSING` for nothing. */
export function resultAt(result: unknown, path: string): unknown {
  const parts = partsOf(path)
  const found = walk(result, parts)
  return found === MISSING && parts[0] === 'result' ? walk(result, parts.slice(1)) : found
}

/** `a.b[0].c` → `a`, `b`, 0, `c` */
function partsOf(path: string): (string | number)[] {
  return path.split('.').flatMap((part) => {
    const match = /^([^[\]]*)((?:\[\d{1,9}\])*)$/.exec(part.trim())
    const name = match?.[1] ?? part
    const indexes = match?.[2] ?? ''
    const numbers = [...indexes.matchAll(/\d+/g)].map(([digits]) => Number(digits))
    return name === '' ? numbers : [name, ...numbers]
  })
}

function walk(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return MISSING
    at = (at as Record<string | number, unknown>)[part]
  }
  return at
}
