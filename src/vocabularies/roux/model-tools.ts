/** The tools that need a language model: hidden where none is configured. */
import { z } from 'zod'
import {
  ENTITY_TYPES,
  extractEntities,
  suggestTags,
  summarizeNote,
} from './operations/enrich-note.ts'
import { count, limit } from './fields.ts'
import { idField, tool, warned } from './row.ts'
import { idOf } from './view.ts'

export const summarizeNode = tool({
  name: 'summarize_node',
  title: 'Summarize a node',
  description:
    'A short summary of a node in its own words, by a language model; null when there is no such node. Example: {"id": "notes/tea.md", "max_words": 60}',
  access: 'read',
  needs: ['answerer'],
  input: z.object({ id: idField, max_words: count('max_words', 100, 300) }),
  output: z.object({
    node: z.object({ id: z.string(), title: z.string(), summary: z.string() }).nullable(),
    ...warned,
  }),
  run: async (kb, { id, max_words: maxWords }, { signal }) =>
    summarizeNote(kb, await idOf(kb, id), { maxWords, signal }),
  present: (node) => ({ value: node ?? null, structured: { node: node ?? null } }),
})

export const suggestNodeTags = tool({
  name: 'suggest_tags',
  title: 'Suggest tags',
  description:
    'Tags that a node lacks, those in use first, by a language model; null when there is no such node. Nothing is written. Example: {"id": "notes/tea.md", "limit": 5}',
  access: 'read',
  needs: ['answerer'],
  input: z.object({ id: idField, limit: limit(5, 20) }),
  output: z.object({
    tags: z.array(z.object({ tag: z.string(), documents: z.int() })).nullable(),
    ...warned,
  }),
  run: async (kb, { id, limit: most }, { signal }) =>
    suggestTags(kb, await idOf(kb, id), { limit: most, signal }),
  present: (tags) => ({ value: tags ?? null, structured: { tags: tags ?? null } }),
})

export const extractNodeEntities = tool({
  name: 'extract_entities',
  title: 'Names in a node',
  description:
    'People, organizations, places and other names in a node, as it writes them, by a language model; null when there is no such node. Example: {"id": "notes/tea.md"}',
  access: 'read',
  needs: ['answerer'],
  input: z.object({ id: idField, limit: limit(20, 50) }),
  output: z.object({
    entities: z
      .array(z.object({ name: z.string(), type: z.enum(ENTITY_TYPES), mentions: z.int() }))
      .nullable(),
    ...warned,
  }),
  run: async (kb, { id, limit: most }, { signal }) =>
    extractEntities(kb, await idOf(kb, id), { limit: most, signal }),
  present: (entities) => ({
    value: entities ?? null,
    structured: { entities: entities ?? null },
  }),
})
