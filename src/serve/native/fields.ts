/**
 * Arguments and results that several tools share. Schemas are sent to every client and cost context:
 * output schemas name what is always there and leave room for the rest.
 */
import { z } from 'zod'
import { forbidden, invalid } from '../../core/domain/error.ts'
import type { Caller } from '../../core/domain/caller.ts'
import type { Selection } from '../../core/operations/reading/select-documents.ts'
import type { Days } from '../../core/operations/searching/passages-of-days.ts'

export const idField = z.string().describe('Id, path or title')
export const cursorField = z.string().optional().describe('next_cursor')
/** Told in full where a search begins; short where the same is meant again. */
export const whereField = z.string().optional().describe('Condition, as in search')
export const pathField = z.string().optional().describe('Folder, glob')

export function limitField(usual: number, max: number, { what = '', min = 1 } = {}) {
  const bounds = { error: `must be from ${min} to ${max}` }
  return z
    .int()
    .refine((count) => count >= min && count <= max, bounds)
    .optional()
    .meta({ default: usual, description: `${what}${min}-${max}` })
}

/** About so many tokens of text; what is said when nothing fits is said all the same. */
export const maxTokensField = z
  .int()
  .refine((count) => count >= 50 && count <= 20_000, { error: 'must be from 50 to 20000' })
  .optional()
  .describe('Size of the reply')

export const againField = z.boolean().optional().describe('Repeat what was shown')

/** What `where` says as well: tag = x, type in (a, b), updated > 2026-01-31, source = x. */
export const RARE_SELECTION = [
  'sources',
  'tags',
  'tag_mode',
  'types',
  'updated_after',
  'updated_before',
] as const

export const asOfField = z
  .string()
  .optional()
  .describe('As the notes stood then: "2026-03-01", "2026-03", "2 weeks ago"')

/** Told apart from `updated_after`: what a passage speaks of, not when its file was written. */
export const daysFields = {
  since: z
    .string()
    .optional()
    .describe('Only passages that speak of days since: "2026-03", "2 weeks ago"'),
  until: z.string().optional().describe('Only passages that speak of days up to this one'),
}

export function daysOf({
  since,
  until,
  as_of: asOf,
}: {
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly as_of?: string | undefined
}): Days | undefined {
  if (since === undefined && until === undefined) return undefined
  if (asOf === undefined) return { since, until }
  throw invalid(
    'as_of and since or until do not go together.',
    'as_of is the day on which notes are read, since and until are days that they speak of.',
  )
}

export function readsPast(caller: Caller | undefined): boolean {
  return !caller || caller.may.includes('write')
}

/** What a document said once may be what somebody took out of it: `history` shows it to the same. */
export function mayReadPast(caller: Caller | undefined): void {
  if (readsPast(caller)) return
  throw forbidden(
    'What documents said earlier is told to those who may change them.',
    'Leave at and as_of out, or ask whoever runs this server for the permission to write.',
  )
}

/** A list of objects that say themselves what they hold. */
export const rows = z.array(z.looseObject({}))

export const selectionFields = {
  sources: z.array(z.string()).optional().describe('Only sources of these names'),
  path: z.string().optional().describe('Folder or glob: "**/2026-*.md"'),
  tags: z
    .array(z.string())
    .optional()
    .describe('Only with one of these tags, or below it: "work" finds work/home'),
  tag_mode: z
    .enum(['any', 'all'])
    .optional()
    .describe('Whether one or all of the tags must be there'),
  types: z.array(z.string()).optional().describe('Only notes of these types'),
  updated_after: z.string().optional().describe('Changed on or after this day, 2026-01-31'),
  updated_before: z.string().optional().describe('Changed before this day, 2026-01-31'),
  where: z
    .string()
    .optional()
    .describe(
      'Any property, or title, path, tag, type, source, created, updated: "status = draft and due < 2026-12-01", "tag = work or not done = true", "type in (a, b)"',
    ),
}

type SelectionInput = {
  readonly [Key in keyof typeof selectionFields]?: z.output<(typeof selectionFields)[Key]>
} & { readonly language?: string | undefined }

export function selectionOf(input: SelectionInput): Selection {
  return {
    sources: input.sources,
    path: input.path,
    tags: input.tags,
    tagMode: input.tag_mode,
    types: input.types,
    language: input.language,
    updatedAfter: input.updated_after,
    updatedBefore: input.updated_before,
    where: input.where,
  }
}
