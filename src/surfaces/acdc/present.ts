/** Results in the words of this surface: prose for people, and the same facts as data. */
import { z } from 'zod'
import { echoed } from '../../domain/cut-text.ts'
import type { CuratedHit } from '../../operations/searching/search-curated.ts'
import type { ToolResult } from '../surface.ts'
import { uriOf } from './uris.ts'

export const searchOutput = z.object({
  query: z.string(),
  source: z.string().optional(),
  results: z.array(
    z.object({
      source: z.string(),
      name: z.string(),
      uri: z.string(),
      description: z.string(),
      snippet: z.string(),
      score: z.number(),
    }),
  ),
})

export interface SearchFindings {
  readonly query: string
  readonly source: string | undefined
  readonly results: readonly CuratedHit[]
  /** Names of all sources. */
  readonly sources: readonly string[]
}

export function presentSearch({ results, sources, ...asked }: SearchFindings): ToolResult {
  const query = echoed(asked.query)
  const source = asked.source === undefined ? undefined : echoed(asked.source)
  const items = results.map(({ file, score, snippet }) => ({
    source: file.record.source,
    name: oneLine(file.name),
    uri: uriOf(file),
    description: oneLine(file.description),
    snippet: snippet ?? oneLine(file.description),
    score: Math.round(score * 100) / 100,
  }))
  const structured = { query, ...(source !== undefined && { source }), results: items }
  if (items.length === 0) return { texts: [nothingFound(query, source, sources)], structured }
  const lines = items.map(
    (item) =>
      `- [${item.source}] [${item.name}](${item.uri}): ${item.snippet} (relevance: ${item.score.toFixed(2)})`,
  )
  return { texts: [[`Search results for '${query}':`, ...lines].join('\n\n')], structured }
}

function nothingFound(
  query: string,
  source: string | undefined,
  sources: readonly string[],
): string {
  const where =
    source === undefined ? '' : ` in source '${source}' (available sources: ${sources.join(', ')})`
  return `No results found for '${query}'${where}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
