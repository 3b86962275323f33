/**
 * The native surface has no prompts yet, and says so: many clients ask for the list whatever the
 * server claims, and an empty list serves them better than an error.
 */
import { KnowledgeError, quoted } from '../../domain/error.ts'
import type { Prompts } from '../surface.ts'

export const nativePrompts: Prompts = {
  list: async () => ({ items: [] }),
  get: async (name) => {
    throw unknownPrompt(name)
  },
  complete: async (name) => {
    throw unknownPrompt(name)
  },
}

function unknownPrompt(name: string): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `There is no prompt ${quoted(name)}.`,
    'Cairn has no prompts; use its tools.',
  )
}
