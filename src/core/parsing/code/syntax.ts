/** What the syntax of a source file tells, whoever read it: a grammar, or a look at its lines. */
import type { SymbolKind } from '../../domain/code.ts'

export interface Definition {
  readonly kind: SymbolKind
  readonly name: string
  /** Where the definition and its name stand. */
  readonly start: number
  readonly end: number
  readonly nameStart: number
  readonly nameEnd: number
  /** What it belongs to where that does not enclose it: the receiver of a Go method. */
  readonly owner?: string
  /** Gives its name to what is inside and is nothing by itself: `impl Server` in Rust. */
  readonly container?: boolean
}

/** A statement that brings in another file. */
export interface ImportStatement {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface Syntax {
  /** Enclosing ones before those inside. */
  readonly definitions: readonly Definition[]
  readonly imports: readonly ImportStatement[]
  /** The first place that does not follow the grammar. */
  readonly brokenAt?: number
}

/** Brings definitions into the order of the text, outer before inner, each name place once. */
export function inOrder(definitions: readonly Definition[]): Definition[] {
  const byName = new Map<number, Definition>()
  for (const each of definitions) {
    const known = byName.get(each.nameStart)
    if (!known || saysMore(each, known)) byName.set(each.nameStart, each)
  }
  return [...byName.values()].toSorted((a, b) => a.start - b.start || b.end - a.end)
}

/** Two patterns may find one definition: the wider one encloses what belongs to it. */
function saysMore(one: Definition, other: Definition): boolean {
  const wider = one.end - one.start - (other.end - other.start)
  return wider > 0 || (wider === 0 && (other.kind === 'type' || other.kind === 'variable'))
}
