/**
 * Judgements of rank: a query, the order a person would expect, and why. They speak of ranks and
 * never of scores, so they outlive every tuning that keeps the order right.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { SearchMode } from '../../src/core/operations/searching/rank-documents.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import type {
  SearchAnswer,
  SearchOptions,
} from '../../src/core/operations/searching/search-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'

/** A small base: path → text. */
export type Notes = Readonly<Record<string, string>>

/** One judgement. Paths are named without `.md`. */
export type Judgement = Expectation & {
  readonly query: string
  readonly because: string
  readonly options?: SearchOptions
  /** Where it holds, when not both for words alone and by default. */
  readonly modes?: readonly SearchMode[]
  /** Why this is not what it should be, when it is only what happens today. */
  readonly miss?: string
}

type Expectation =
  /** The first results, in this order. */
  | { readonly first: readonly string[] }
  /** All results, in this order. */
  | { readonly only: readonly string[] }
  /** These in this order, wherever they stand. */
  | { readonly order: readonly string[] }
  /** Nothing in the base is about it, whatever stands nearest. */
  | { readonly nothing: true }

const MODES: readonly SearchMode[] = ['lexical', 'auto']

/** Opens the base once, meaning learned, and tries every judgement on it. */
export function judge(title: string, notes: Notes, judgements: readonly Judgement[]): void {
  describe(title, () => {
    const base = sharedBase(notes)
    const rows = judgements.flatMap((judgement) =>
      (judgement.modes ?? MODES).map((mode) => ({ ...judgement, mode })),
    )
    it.for(rows)('$query ($mode): $because', async (judgement) => {
      const { query, mode, options } = judgement
      const answer = await searchDocuments(base().kb, query, { limit: 50, mode, ...options })
      expectOrder(answer, judgement)
    })
  })
}

/** A base for all tests of a `describe`. */
export function sharedBase(notes: Notes): () => SmallBase {
  let base: SmallBase | undefined
  beforeAll(async () => {
    const cleanups: (() => void | Promise<void>)[] = []
    base = await openSmallBase(filesOf(notes), {
      learns: true,
      onFinished: (clean) => void cleanups.unshift(clean),
    })
    return async () => {
      for (const clean of cleanups) await clean()
    }
  })
  return () => base!
}

/** Names of the results, best first. */
export function namesOf({ hits }: SearchAnswer): string[] {
  return hits.map(({ document }) => document.path.replace(/\.md$/, ''))
}

function filesOf(notes: Notes): Record<string, string> {
  return Object.fromEntries(Object.entries(notes).map(([name, text]) => [`${name}.md`, text]))
}

function expectOrder(answer: SearchAnswer, judgement: Judgement): void {
  const names = namesOf(answer)
  if ('nothing' in judgement) {
    expect({ relevant: answer.relevant, names }).toMatchObject({ relevant: false })
    return
  }
  if ('only' in judgement) expect(names).toEqual(judgement.only)
  else if ('first' in judgement) {
    expect(names.slice(0, judgement.first.length)).toEqual(judgement.first)
  } else {
    const { order } = judgement
    expect(names.filter((name) => order.includes(name))).toEqual(order)
  }
  if (names.length > 0) expect(answer.relevant).toBe(true)
}
