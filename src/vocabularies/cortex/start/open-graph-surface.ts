/** The cortex surface over a base, which knows one graph: of several sources that have one, the first. */
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { invalid } from '../../../core/domain/error.ts'
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import { forCallers, surfacePerCaller } from '../../../serve/door/per-caller.ts'
import type { Offering } from '../../../serve/wiring/start-serving.ts'
import type { OpenerOptions } from '../../../serve/wiring/surfaces.ts'
import { openCortexSurface } from '../open-cortex-surface.ts'

export function openGraphSurface(kb: Knowledge, { door }: OpenerOptions): Offering {
  const open = (part: Knowledge) => {
    const { graph, source } = firstGraph(part)
    return openCortexSurface(graph, { ...door, base: { kb: part, source } })
  }
  return { surface: surfacePerCaller(forCallers(kb, open)) }
}

function firstGraph(kb: Knowledge): { graph: EntityGraph; source: string } {
  for (const { name, graph } of kb.sources.values()) {
    if (graph) return { graph: graph(), source: name }
  }
  throw invalid(
    'The cortex surface needs a graph of entities, and no source has one.',
    'Serve a folder with knowledge/entities, or a memory.json file, or leave the surface out.',
  )
}
