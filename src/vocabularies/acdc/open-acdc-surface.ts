/** A base in the words of the ACDC server: curated resources and prompts from named locations. */
import { type KnowledgeError, invalid, notFound, quoted } from '../../core/domain/error.ts'
import { curatedPlace } from './operations/curated-files.ts'
import type { CuratedLayout } from './operations/curated-files.ts'
import { createBuilding } from '../../core/operations/view/await-index.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { Surface, ToolDefinition } from '../../serve/door/surface.ts'
import { serveRows } from '../../serve/door/serve-rows.ts'
import type { DoorOptions } from '../../serve/door/serve-rows.ts'
import { definitionOf } from '../../serve/door/tool.ts'
import { acdcPrompts } from './prompts.ts'
import { acdcResources } from './resources.ts'
import type { SearchSettings } from './search-settings.ts'
import { acdcTools } from './tools.ts'
import type { AcdcRow } from './tools.ts'
import type { Naming } from './uris.ts'
import { createAcdcView, shownTo } from './view.ts'

export interface AcdcSurfaceOptions extends DoorOptions {
  readonly server: {
    readonly name: string
    readonly version: string
    readonly instructions: string
  }
  readonly layout: CuratedLayout
  readonly naming: Naming
  /** Sources with what they hold, for the descriptions of the tools. */
  readonly sources: readonly { readonly name: string; readonly description: string }[]
  /** Descriptions by tool that replace ours. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly search: SearchSettings
  /** Resolves when the index is complete for the first time. */
  readonly ready: Promise<void>
  readonly warn: (message: string) => void
}

export function openAcdcSurface(kb: Knowledge, options: AcdcSurfaceOptions): Surface {
  const { server, search } = options
  const view = createAcdcView(kb, options)
  let isReady = false
  options.ready.then(
    () => (isReady = true),
    () => {},
  )
  const door = serveRows(
    {
      surface: 'acdc',
      rows: acdcTools,
      define: (row) => defined(row, options),
      building: createBuilding(kb, options.timeLimitMs),
      subject: (call) => ({ view: shownTo(view, call), search }),
      read: readInput,
      show: (shown) => shown,
      fail: ({ message }) => ({ texts: [message], isError: true }),
      unknown: (name) => {
        throw unknownTool(name)
      },
    },
    options,
  )
  return {
    name: 'acdc',
    serverInfo: { name: server.name, version: server.version },
    instructions: server.instructions,
    ...door,
    resources: acdcResources(view),
    prompts: acdcPrompts(view),
    subscribe: (listener) =>
      kb.subscribe(({ put, removed, unnamed }) => {
        // Lists wait for the first look at the files, so nobody has seen one that is outdated.
        if (!isReady) return
        const placeOf = (id: string) => curatedPlace(id.slice(id.indexOf('/') + 1), options.layout)
        const kinds = new Set([...put, ...removed].map((id) => placeOf(id)?.kind))
        // Name and description are part of the list, so every change of a file changes it.
        if (unnamed || kinds.has('resource')) listener({ kind: 'resources_changed' })
        if (unnamed || kinds.has('prompt')) listener({ kind: 'prompts_changed' })
        for (const id of put) {
          const found = placeOf(id)
          if (found?.kind !== 'resource') continue
          const source = id.slice(0, id.indexOf('/'))
          listener({ kind: 'resource_updated', uri: view.names.resourceUri(source, found.place) })
        }
      }),
  }
}

function defined(
  row: AcdcRow,
  { descriptions, sources, naming }: AcdcSurfaceOptions,
): ToolDefinition {
  const { outputSchema, ...definition } = definitionOf(naming.single ? ofOneSource(row) : row)
  const said = sources.map(({ name, description }) =>
    description === '' ? `- ${name}` : `- ${name}: ${description.replaceAll(/\s+/g, ' ').trim()}`,
  )
  const ours = naming.single
    ? row.description
    : `${row.description}\n\nSources:\n${said.join('\n')}`
  const description = descriptions.get(row.name) ?? ours
  const hasData = row.name === 'search'
  return { ...definition, description, ...(hasData && outputSchema && { outputSchema }) }
}

/** Where there is one source, nobody need know that there could be more. */
function ofOneSource(row: AcdcRow): AcdcRow {
  return 'source' in row.input.shape ? { ...row, input: row.input.omit({ source: true }) } : row
}

function readInput(row: AcdcRow, args: unknown): Record<string, unknown> {
  const result = row.input.safeParse(args ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  const where = issue?.path.join('.') ?? ''
  throw invalid(`invalid arguments: ${where === '' ? '' : `${where}: `}${issue?.message ?? ''}`, '')
}

function unknownTool(name: string): KnowledgeError {
  return notFound(`unknown tool: ${quoted(name)}`, 'Use search or read.')
}
