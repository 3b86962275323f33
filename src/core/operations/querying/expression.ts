/** An expression of a query as a tree: data, which is walked and never run as code. */
import type { Condition } from '../reading/parse-condition.ts'
import type { Value } from './values.ts'

export type Operator =
  '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>=' | 'and' | 'or'

export type Expression =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly of: Expression; readonly key: Expression }
  /** A function, or a method of `args[0]`. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Expression[]
      readonly method: boolean
    }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | {
      readonly kind: 'object'
      readonly entries: readonly (readonly [string, Expression])[]
    }
  | { readonly kind: 'lambda'; readonly names: readonly string[]; readonly body: Expression }
  /** What `where` says, in its own words: letters in any case, days as spans. */
  | { readonly kind: 'condition'; readonly condition: Condition }

export const NOTHING: Expression = { kind: 'value', value: null }
export const TRUE: Expression = { kind: 'value', value: true }

export function allOf(parts: readonly Expression[]): Expression {
  return joinedBy('and', parts, true)
}

export function anyOf(parts: readonly Expression[]): Expression {
  return joinedBy('or', parts, false)
}

/** Balanced, so that a thousand conditions are ten deep. */
function joinedBy(
  operator: 'and' | 'or',
  parts: readonly Expression[],
  empty: boolean,
): Expression {
  if (parts.length === 0) return { kind: 'value', value: empty }
  if (parts.length === 1) return parts[0]!
  const middle = parts.length >> 1
  return {
    kind: 'binary',
    operator,
    left: joinedBy(operator, parts.slice(0, middle), empty),
    right: joinedBy(operator, parts.slice(middle), empty),
  }
}

/** Every expression inside of one, itself first. */
export function* walk(expression: Expression): Generator<Expression> {
  const stack: Expression[] = [expression]
  while (stack.length > 0) {
    const each = stack.pop()!
    yield each
    switch (each.kind) {
      case 'field':
        stack.push(each.of, each.key)
        break
      case 'call':
        stack.push(...each.args)
        break
      case 'not':
      case 'minus':
        stack.push(each.of)
        break
      case 'binary':
        stack.push(each.left, each.right)
        break
      case 'list':
        stack.push(...each.items)
        break
      case 'object':
        stack.push(...each.entries.map(([, value]) => value))
        break
      case 'lambda':
        stack.push(each.body)
        break
      case 'value':
      case 'name':
      case 'condition':
        break
      default:
        each satisfies never
    }
  }
}

/** What must all hold. */
export function conjunctsOf(test: Expression): readonly Expression[] {
  return test.kind === 'binary' && test.operator === 'and'
    ? [...conjunctsOf(test.left), ...conjunctsOf(test.right)]
    : [test]
}
