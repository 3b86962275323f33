/** A graph of entities in the words of NEXUS CORTEX: resources to read, four tools to act. */
import type { EntityGraph } from '../../core/domain/entity-graph.ts'
import { invalid } from '../../core/domain/error.ts'
import type { Surface } from '../../serve/door/surface.ts'
import { serveRows } from '../../serve/door/serve-rows.ts'
import type { DoorOptions } from '../../serve/door/serve-rows.ts'
import { isOffered } from '../../serve/door/tool.ts'
import { presentError } from './errors.ts'
import { cortexResources } from './resources.ts'
import { cortexTools, defineCortexTool } from './tools.ts'
import type { CortexRow } from './tools.ts'
import { createCortexView } from './view.ts'
import type { CortexBase } from './view.ts'

export interface CortexSurfaceOptions extends DoorOptions {
  /** Gets what may be done before somebody asks, so that nobody waits for it then. */
  readonly onIdle?: (work: () => void) => void
  /** The base the graph is part of, where there is one. */
  readonly base?: CortexBase
}

const INSTRUCTIONS =
  'A graph of entities and directed relations that is only ever added to. Look with search_knowledge before you add; add what is missing with add_entity and connect it with connect_entities. Resources knowledge://entities/{type}/{id}, knowledge://relations/{year}/{month} and knowledge://stats/entropy give context; get_entropy_report says what needs tending.'

export function openCortexSurface(graph: EntityGraph, options: CortexSurfaceOptions): Surface {
  const { base } = options
  const view = createCortexView(graph, base)
  // One by one, search first: a call that comes in between waits for no more than it needs.
  options.onIdle?.(() => {
    view.prepare()
    options.onIdle?.(view.prepareLinks)
  })
  const door = serveRows(
    {
      surface: 'cortex',
      rows: cortexTools,
      has: (row) => !base || isOffered(row, base.kb),
      define: defineCortexTool,
      subject: () => {
        view.look()
        return view
      },
      read: readInput,
      show: (shown) => {
        view.announce()
        return shown
      },
      fail: presentError,
    },
    options,
  )
  return {
    name: 'cortex',
    // What the original calls itself: clients may tell servers apart by it.
    serverInfo: { name: 'nexus-cortex', version: '1.0.0' },
    instructions: INSTRUCTIONS,
    ...door,
    resources: cortexResources(view),
    subscribe: view.subscribe,
  }
}

/** One complaint at a time. Unknown arguments are ignored, and null is one that was left out. */
function readInput(row: CortexRow, args: unknown): Record<string, unknown> {
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null)
  const result = row.input.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  throw invalid(`${result.error.issues[0]?.message ?? 'The arguments cannot be read'}.`, '')
}
