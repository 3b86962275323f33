/**
 * Arguments and results that several tools share. Schemas are sent to every client and cost context:
 * output schemas name what is always there and leave room for the rest.
 */
import { z } from 'zod'
import type { Selection } from '../../operations/reading/select-documents.ts'

export const idField = z.string().describe('Id, path or title')
export const cursorField = z.string().optional().describe('next_cursor')
/** Told in full where a search begins; short where the same is meant again. */
export const whereField = z.string().optional().describe('As in search')
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

export const againField = z.boolean().optional().describe('Repeat what is seen')

/** What `where` says as well: tag = x, type in (a, b), updated > 2026-01-31, source = x. */
export const RARE_SELECTION = [
  'sources',
  'tags',
  'tag_mode',
  'types',
  'updated_after',
  'updated_before',
] as const

/** A list of objects that say themselves what they hold. */
export const rows = z.array(z.looseObject({}))

export const selectionFields = {
  sources: z.array(z.string()).optional().describe('Names'),
  path: z.string().optional().describe('Folder or glob: "**/2026-*.md"'),
  tags: z.array(z.string()).optional().describe('Nested too'),
  tag_mode: z.enum(['any', 'all']).optional().describe('For tags'),
  types: z.array(z.string()).optional().describe('Of notes'),
  updated_after: z.string().optional().describe('ISO date'),
  updated_before: z.string().optional().describe('ISO date'),
  where: z.string().optional().describe('status = draft and due < 2026-12-01'),
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
