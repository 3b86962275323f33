/** Definitions as symbols: who is inside of whom, and which lines belong to each, comment included. */
import type { CodeSymbol } from '../../domain/code.ts'
import { lineAt, lineIndexAt } from '../lines.ts'
import type { Definition } from './syntax.ts'

export interface PlacedSymbol extends CodeSymbol {
  /** With the comment and the decorators above it. */
  readonly start: number
  readonly end: number
  readonly nameStart: number
  readonly nameEnd: number
  /** How many symbols it is inside of. */
  readonly depth: number
}

/** Local functions of local functions are no longer of interest to anyone outside. */
const DEEPEST = 4
const MOST_SYMBOLS = 2_000

const HOLDS_METHODS = new Set(['class', 'interface', 'type'])

export function nestSymbols(
  text: string,
  definitions: readonly Definition[],
  lineStarts: readonly number[],
): PlacedSymbol[] {
  const symbols: PlacedSymbol[] = []
  const open: { readonly definition: Definition; readonly names: readonly string[] }[] = []
  for (const definition of definitions) {
    while (open.length > 0 && open.at(-1)!.definition.end <= definition.start) open.pop()
    const outer = open.at(-1)
    const above = outer?.names ?? []
    const owner = definition.owner ? [definition.owner] : []
    const names = [...above, ...owner, definition.name]
    open.push({ definition, names })
    if (definition.container || definition.name === '' || names.length > DEEPEST) continue
    // What is local to a function is no symbol unless it is a function or class itself.
    if (symbols.length === MOST_SYMBOLS) break
    const qualifiedName = names.join('.')
    const enclosing =
      outer && (outer.definition.container || HOLDS_METHODS.has(outer.definition.kind))
    const method = definition.kind === 'function' && (enclosing || definition.name.includes('.'))
    symbols.push({
      name: definition.name.slice(definition.name.lastIndexOf('.') + 1),
      qualifiedName,
      kind: method ? 'method' : definition.kind,
      lineStart: lineAt(lineStarts, definition.start),
      lineEnd: lineAt(lineStarts, Math.max(definition.start, definition.end - 1)),
      start: withComment(text, definition.start, lineStarts),
      end: definition.end,
      nameStart: definition.nameStart,
      nameEnd: definition.nameEnd,
      depth: names.length - 1,
    })
  }
  return symbols
}

/** How a line above a definition looks that speaks of it: a comment, a decorator, an attribute. */
const BELONGS = /^\s*(?:#|\/\/|\/\*|\*|@|--|;;|"""|''')/

/** More lines than this are a licence or a page of their own. */
const MOST_LINES = 60

function withComment(text: string, start: number, lineStarts: readonly number[]): number {
  let line = lineIndexAt(lineStarts, start)
  const lowest = Math.max(0, line - MOST_LINES)
  while (line > lowest) {
    const above = text.slice(lineStarts[line - 1], lineStarts[line])
    if (!BELONGS.test(above)) break
    line--
  }
  return lineStarts[line]!
}
