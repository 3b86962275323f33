/**
 * Arguments and results that several tools share. Schemas are sent to every client and cost context:
 * output schemas name what is always there and leave room for the rest.
 */
import { z } from 'zod'
import type { Selection } from '../../operations/reading/select-documents.ts'

export const idField = z.string().describe('Id, path or title')
export const cursorField = z.string().optional().describe('next_cursor')

export function limitField(usual: number, max: number) {
  const atLeast = { error: 'must be at least 1' }
  // That a count is positive need not be said to every client.
  return z
    .int()
    .max(max)
    .refine((count) => count >= 1, atLeast)
    .optional()
    .meta({ default: usual })
}

/** A list of objects that say themselves what they hold. */
export const rows = z.array(z.looseObject({}))

export const selectionFields = {
  sources: z.array(z.string()).optional(),
  path: z.string().optional().describe('Folder or glob: "guides/", "**/2026-*.md"'),
  tags: z.array(z.string()).optional(),
  tag_mode: z.enum(['any', 'all']).optional(),
  types: z.array(z.string()).optional(),
  updated_after: z.string().optional().describe('ISO date'),
  updated_before: z.string().optional(),
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
  }
}
