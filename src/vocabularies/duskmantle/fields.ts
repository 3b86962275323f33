/** Arguments as this surface takes them: numbers out of range are clamped, shortcuts are lists. */
import { z } from 'zod'
import { CODE_LANGUAGES, SYMBOL_KINDS } from '../../core/domain/code.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import { ARTIFACT_TYPES } from '../../core/operations/repository/artifact-type.ts'
import type { ChunkFilters } from './operations/chunk-filters.ts'

export function text(name: string, description: string) {
  return z
    .string({ error: `${name} is required and must be a string` })
    .refine((value) => value.trim() !== '', { error: `${name} must not be blank` })
    .describe(description)
}

/** A whole number between `least` and `most`; anything beyond is taken for the nearest. */
export function count(name: string, fallback: number, most: number, least = 1) {
  return z
    .number({ error: `${name} must be a number` })
    .optional()
    .describe(`Default ${fallback}, at most ${most}`)
    .transform((value) => Math.min(most, Math.max(least, Math.trunc(value ?? fallback))))
}

export function flag(name: string, description: string) {
  return z
    .boolean({ error: `${name} must be true or false` })
    .optional()
    .describe(description)
}

/** A name, several with commas, or a list. */
export const shortcut = z
  .union([z.string(), z.array(z.string())], { error: 'must be a string or a list of strings' })
  .optional()

export const filtersField = z
  .record(z.string(), z.unknown(), { error: 'filters must be an object' })
  .optional()
  .describe(
    'Lists subsystems, artifact_types, namespaces, tags, symbols, symbol_kinds, symbol_languages; updated_after (ISO 8601), max_age_days',
  )

const LISTS = {
  subsystems: 'subsystems',
  artifact_types: 'artifactTypes',
  namespaces: 'namespaces',
  tags: 'tags',
  symbols: 'symbols',
  symbol_kinds: 'symbolKinds',
  symbol_languages: 'symbolLanguages',
} as const satisfies Record<string, keyof ChunkFilters>

type ListName = keyof typeof LISTS

/** Kinds that can be asked for; a constant is none. */
const KINDS = SYMBOL_KINDS.filter((kind) => kind !== 'variable')

/** What lists may hold, where that is not anything. */
const ALLOWED: Partial<
  Record<ListName, { readonly what: string; readonly values: readonly string[] }>
> = {
  artifact_types: { what: 'artifact type', values: ARTIFACT_TYPES },
  symbol_kinds: { what: 'symbol kind', values: KINDS },
  symbol_languages: { what: 'symbol language', values: CODE_LANGUAGES },
}

export interface Shortcuts {
  readonly symbol?: string | readonly string[] | undefined
  readonly kind?: string | readonly string[] | undefined
  readonly lang?: string | readonly string[] | undefined
}

export interface ReadFilters {
  readonly filters: ChunkFilters
  /** As they are said to have been applied; undefined where there are none. */
  readonly applied: Readonly<Record<string, unknown>> | undefined
}

/** Unknown keys are ignored. `now` in seconds since the epoch. */
export function readFilters(
  given: Readonly<Record<string, unknown>> = {},
  { symbol, kind, lang }: Shortcuts,
  now: number,
): ReadFilters {
  const more: Partial<Record<ListName, readonly string[]>> = {
    symbols: namesIn(symbol),
    symbol_kinds: namesIn(kind).map((each) => each.toLowerCase()),
    symbol_languages: namesIn(lang).map((each) => each.toLowerCase()),
  }
  const filters: Record<string, unknown> = {}
  const applied: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(LISTS) as [ListName, keyof ChunkFilters][]) {
    const list = withoutRepeats([...listOf(name, given[name]), ...(more[name] ?? [])])
    check(name, list)
    if (list.reduce((sum, each) => sum + each.length, 0) > MOST_SAID) throw tooMuch(name)
    if (list.length === 0) continue
    filters[key] = list
    applied[name] = list
  }
  const after = timeOf(given['updated_after'])
  const age = ageOf(given['max_age_days'])
  if (given['updated_after'] !== undefined) applied['updated_after'] = given['updated_after']
  if (age !== undefined) applied['max_age_days'] = age
  const limits = [after, age === undefined ? undefined : now - age * 86_400]
  const strictest = Math.max(...limits.map((each) => each ?? -Infinity))
  if (strictest > -Infinity) filters['updatedAfter'] = strictest
  return { filters, applied: Object.keys(applied).length > 0 ? applied : undefined }
}

/** What is asked for is said again in the answer, so it must be short. */
const MOST_SAID = 10_000

function tooMuch(name: string): KnowledgeError {
  return invalid(
    `filters.${name} is longer than ${MOST_SAID} characters.`,
    'Ask for fewer at a time.',
  )
}

function namesIn(value: string | readonly string[] | undefined): string[] {
  const list = typeof value === 'string' ? [value] : (value ?? [])
  return list.flatMap((each) => each.split(',')).flatMap((each) => each.trim() || [])
}

const MOST_VALUES = 200

function listOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw invalid(`filters.${name} must be a list of strings.`, '')
  }
  if (value.length > MOST_VALUES)
    throw invalid(`filters.${name} has too many values.`, `At most ${MOST_VALUES}.`)
  return value.flatMap((each: string) => each.trim() || [])
}

/** The first spelling of each stays. */
function withoutRepeats(list: readonly string[]): string[] {
  const byFold = new Map(list.toReversed().map((each) => [each.toLowerCase(), each]))
  return [...byFold.values()].toReversed()
}

function check(name: ListName, list: readonly string[]): void {
  const allowed = ALLOWED[name]
  const stray = allowed && list.find((each) => !allowed.values.includes(each.toLowerCase()))
  if (!allowed || stray === undefined) return
  throw invalid(
    `Unsupported ${allowed.what} '${quoted(stray).slice(1, -1)}'.`,
    `Use ${allowed.values.join(', ')}.`,
  )
}

/** Without a zone it is UTC. */
function timeOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const said = typeof value === 'string' ? value.trim() : ''
  const date = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ].*)?$/.test(said) ? said.replace(' ', 'T') : ''
  const zoned = /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(date) || !date.includes('T') ? date : `${date}Z`
  const time = Date.parse(zoned)
  if (zoned !== '' && Number.isFinite(time)) return time / 1000
  throw invalid(
    'filters.updated_after must be an ISO-8601 string.',
    'Such as 2026-01-31T00:00:00Z.',
  )
}

function ageOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  throw invalid('filters.max_age_days must be a positive integer.', '')
}
