/** Opens the surfaces a configuration names. */
import type { EntityGraph } from '../domain/entity-graph.ts'
import { invalid } from '../domain/error.ts'
import { awaitIndex } from '../operations/view/await-index.ts'
import type { Knowledge } from '../operations/view/knowledge.ts'
import { openAcdcSurface } from '../surfaces/acdc/open-acdc-surface.ts'
import { DEFAULT_SEARCH } from '../surfaces/acdc/search-settings.ts'
import { openCortexSurface } from '../surfaces/cortex/open-cortex-surface.ts'
import { openNativeSurface } from '../surfaces/native/open-native-surface.ts'
import type { Nexus } from '../surfaces/nexus/open-nexus.ts'
import { openRouxSurface } from '../surfaces/roux/open-roux-surface.ts'
import type { Surface } from '../surfaces/surface.ts'
import type { SurfaceName } from '../config/config.ts'
import { VERSION } from './version.ts'

export interface SurfacesOptions {
  readonly log: (error: unknown) => void
  /** For what is left out and somebody may look for. */
  readonly warn: (message: string) => void
  /** Shared with its routes over HTTP: both look at the same pages. */
  readonly nexus: Nexus
}

const OPENERS = {
  native: (kb, { log }) => openNativeSurface(kb, { version: VERSION, log }),
  roux: openRouxSurface,
  acdc: openNotesAsResources,
  nexus: (_kb, { nexus }) => nexus.surface,
  cortex: (kb, { log }) => openCortexSurface(firstGraph(kb), { log }),
} satisfies Record<SurfaceName, (kb: Knowledge, options: SurfacesOptions) => Surface>

/** Each once, in the order they are named. */
export function openSurfaces(
  kb: Knowledge,
  names: readonly SurfaceName[],
  options: SurfacesOptions,
): readonly Surface[] {
  return [...new Set(names)].map((name) => OPENERS[name](kb, options))
}

/** This surface knows one graph: of several sources that have one, the first. */
function firstGraph(kb: Knowledge): EntityGraph {
  for (const { graph } of kb.sources.values()) if (graph) return graph()
  throw invalid(
    'The cortex surface needs a graph of entities, and no source has one.',
    'Serve a folder with knowledge/entities, or a memory.json file, or leave the surface out.',
  )
}

/** Without a config file of its own, this surface shows the notes that say what they are. */
function openNotesAsResources(kb: Knowledge, { log, warn }: SurfacesOptions): Surface {
  return openAcdcSurface(kb, {
    server: {
      name: 'cairn',
      version: VERSION,
      instructions:
        'Search the curated resources before you write or review something, and read what you find.',
    },
    layout: 'notes',
    sources: [...kb.sources.keys()].map((name) => ({ name, description: '' })),
    descriptions: new Map(),
    search: DEFAULT_SEARCH,
    ready: awaitIndex(kb),
    warn,
    log,
  })
}
