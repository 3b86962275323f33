/** Results in the words of this surface: prose for people, and the same facts as data. */
import { z } from 'zod'
import { echoed } from '../../core/kit/cut-text.ts'
import type { FoundSection } from './operations/curated-files.ts'
import type { CuratedHit } from './operations/search-curated.ts'
import type { ToolResult } from '../../serve/door/surface.ts'

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
      path: z.string().optional(),
      heading: z.string().optional(),
      lines: z.string().optional(),
      text: z.string().optional(),
    }),
  ),
})

export interface SearchFindings {
  readonly query: string
  readonly source: string | undefined
  readonly results: readonly FoundResource[]
  /** Names of all sources. */
  readonly sources: readonly string[]
  /** Whether sections are shown in full. */
  readonly withText: boolean
}

export interface FoundResource extends CuratedHit {
  readonly uri: string
  /** The part that answers, where results are sections. */
  readonly section: FoundSection | undefined
}

export function presentSearch({
  results,
  sources,
  withText,
  ...asked
}: SearchFindings): ToolResult {
  const query = echoed(asked.query)
  const source = asked.source === undefined ? undefined : echoed(asked.source)
  const items = results.map(({ file, uri, score, snippet, section }) => ({
    source: file.record.source,
    name: oneLine(file.name),
    uri: section ? `${uri}#${encodeURIComponent(section.fragment)}` : uri,
    description: oneLine(file.description),
    snippet: snippet ?? oneLine(file.description),
    score: Math.round(score * 100) / 100,
    ...(section && {
      path: file.record.path,
      heading: section.headingPath.map(oneLine).join(' > '),
      lines: `${section.lines.from}-${section.lines.to}`,
      ...(withText && { text: section.text }),
    }),
  }))
  const structured = { query, ...(source !== undefined && { source }), results: items }
  if (items.length === 0) return { texts: [nothingFound(query, source, sources)], structured }
  const lines = items.map((item) =>
    item.path === undefined
      ? `- [${item.source}] [${item.name}](${item.uri}): ${item.snippet} (relevance: ${item.score.toFixed(2)})`
      : sectionLines(item),
  )
  return { texts: [[`Search results for '${query}':`, ...lines].join('\n\n')], structured }
}

interface SectionItem {
  readonly name: string
  readonly uri: string
  readonly snippet: string
  readonly score: number
  readonly path?: string
  readonly heading?: string
  readonly lines?: string
  readonly text?: string
}

function sectionLines({ name, uri, snippet, score, path, heading, lines, text }: SectionItem) {
  const place = [path, heading].filter(Boolean).join(' > ')
  const found = [
    `- **${name}** · [${uri}](${uri})`,
    `  - ${place} · lines ${lines} · score ${score.toFixed(2)}`,
    `  - ${snippet}`,
  ].join('\n')
  return text === undefined ? found : `${found}\n\n${text}`
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
