/** Opens the surfaces a configuration names. */
import { awaitIndex } from '../operations/await-index.ts'
import type { Knowledge } from '../operations/knowledge.ts'
import { openAcdcSurface } from '../surfaces/acdc/open-acdc-surface.ts'
import { DEFAULT_SEARCH } from '../surfaces/acdc/search-settings.ts'
import { openNativeSurface } from '../surfaces/native/open-native-surface.ts'
import type { Nexus } from '../surfaces/nexus/open-nexus.ts'
import { openRouxSurface } from '../surfaces/roux/open-roux-surface.ts'
import type { Surface } from '../surfaces/surface.ts'
import type { SurfaceName } from './config.ts'
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
} satisfies Record<SurfaceName, (kb: Knowledge, options: SurfacesOptions) => Surface>

/** Each once, in the order they are named. */
export function openSurfaces(
  kb: Knowledge,
  names: readonly SurfaceName[],
  options: SurfacesOptions,
): readonly Surface[] {
  return [...new Set(names)].map((name) => OPENERS[name](kb, options))
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
