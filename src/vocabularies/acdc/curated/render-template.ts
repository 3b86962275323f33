/** Fills a template in. What it may print is bounded: a range within a range soon fills a disk. */
import type { Expression, Part, Pipe, Template } from './template.ts'
import { FUNCTIONS, isTrue, namesOf, shown, Unanswerable } from './template-functions.ts'
import type { Arguments, Value } from './template-functions.ts'

const MOST_CHARACTERS = 10_000_000
const MOST_ROUNDS = 1_000_000

/** A name without a value prints as nothing. Throws `Unanswerable`. */
export function renderTemplate({ parts }: Template, values: Arguments): string {
  return new Rendering(values).run(parts)
}

class Loop {
  readonly kind: 'break' | 'continue'
  constructor(kind: 'break' | 'continue') {
    this.kind = kind
  }
}

class Rendering {
  /** Variables that can be seen, the newest last. */
  readonly #variables: { readonly name: string; value: Value }[]
  #dot: Value
  #text = ''
  #rounds = 0

  constructor(values: Arguments) {
    this.#dot = values
    this.#variables = [{ name: '', value: values }]
  }

  run(parts: readonly Part[]): string {
    this.#renderAll(parts)
    return this.#text
  }

  #renderAll(parts: readonly Part[]): void {
    const seen = this.#variables.length
    try {
      for (const part of parts) this.#render(part)
    } finally {
      this.#variables.length = seen
    }
  }

  #render(part: Part): void {
    switch (part.kind) {
      case 'text':
        return this.#print(part.text)
      case 'output': {
        const value = this.#evaluate(part.value.value)
        if (part.value.variables.length === 0) return this.#print(shown(value))
        return this.#assign(part.value, [value])
      }
      case 'if':
      case 'with':
        return this.#choose(part)
      case 'range':
        return this.#repeat(part)
      case 'break':
      case 'continue':
        throw new Loop(part.kind)
      default:
        return part satisfies never
    }
  }

  #print(text: string): void {
    this.#text += text
    if (this.#text.length > MOST_CHARACTERS) throw new Unanswerable('the prompt grows too long')
  }

  #choose({ kind, branches }: Extract<Part, { kind: 'if' | 'with' }>): void {
    const seen = this.#variables.length
    const dot = this.#dot
    try {
      for (const { condition, parts } of branches) {
        const value = condition && this.#evaluate(condition.value)
        if (condition) this.#assign(condition, [value!])
        if (value !== undefined && !isTrue(value)) continue
        if (kind === 'with' && value !== undefined) this.#dot = value
        return this.#renderAll(parts)
      }
    } finally {
      this.#variables.length = seen
      this.#dot = dot
    }
  }

  #repeat({ over, parts, otherwise }: Extract<Part, { kind: 'range' }>): void {
    const items = itemsOf(this.#evaluate(over.value))
    let any = false
    const seen = this.#variables.length
    const dot = this.#dot
    try {
      for (const [key, value] of items) {
        any = true
        if (++this.#rounds > MOST_ROUNDS) throw new Unanswerable('a range goes on for too long')
        this.#variables.length = seen
        this.#assign(over, over.variables.length > 1 ? [key, value] : [value])
        this.#dot = value
        if (!this.#goesOn(parts)) break
      }
    } finally {
      this.#variables.length = seen
      this.#dot = dot
    }
    if (!any) this.#renderAll(otherwise)
  }

  /** One round; false after `break`. */
  #goesOn(parts: readonly Part[]): boolean {
    try {
      this.#renderAll(parts)
      return true
    } catch (error) {
      if (error instanceof Loop) return error.kind === 'continue'
      throw error
    }
  }

  #assign({ variables, declares }: Pipe, values: readonly Value[]): void {
    for (const [place, name] of variables.entries()) {
      const value = values[place]!
      const known = declares ? undefined : this.#variables.findLast((each) => each.name === name)
      if (known) known.value = value
      else this.#variables.push({ name, value })
    }
  }

  #evaluate(expression: Expression): Value {
    switch (expression.kind) {
      case 'dot':
        return this.#dot
      case 'variable':
        return this.#variable(expression.name)
      case 'field':
        return this.#field(expression)
      case 'literal':
        return expression.value
      case 'call':
        return FUNCTIONS[expression.name].run(expression.of.map((each) => this.#evaluate(each)))
      default:
        return expression satisfies never
    }
  }

  #variable(name: string): Value {
    return this.#variables.findLast((each) => each.name === name)?.value ?? ''
  }

  #field({ name, of }: Extract<Expression, { kind: 'field' }>): Value {
    const whose = of === undefined ? this.#dot : this.#variable(of)
    if (typeof whose !== 'object') {
      throw new Unanswerable(`there is no .${name} in a ${typeof whose}`)
    }
    return Object.hasOwn(whose, name) ? whose[name]! : ''
  }
}

function* itemsOf(value: Value): Generator<readonly [Value, Value]> {
  if (typeof value === 'number' && Number.isInteger(value)) {
    for (let at = 0; at < value; at++) yield [at, at]
  } else if (typeof value === 'object') {
    for (const name of namesOf(value)) yield [name, value[name]!]
  } else throw new Unanswerable(`range cannot go over a ${typeof value}`)
}
