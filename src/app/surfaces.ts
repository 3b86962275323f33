/** Opens the surfaces a configuration names. */
import type { Knowledge } from '../operations/knowledge.ts'
import { openNativeSurface } from '../surfaces/native/open-native-surface.ts'
import type { Nexus } from '../surfaces/nexus/open-nexus.ts'
import { openRouxSurface } from '../surfaces/roux/open-roux-surface.ts'
import type { Surface } from '../surfaces/surface.ts'
import type { SurfaceName } from './config.ts'
import { VERSION } from './version.ts'

export interface SurfacesOptions {
  readonly log: (error: unknown) => void
  /** Shared with its routes over HTTP: both look at the same pages. */
  readonly nexus: Nexus
}

const OPENERS = {
  native: (kb, { log }) => openNativeSurface(kb, { version: VERSION, log }),
  roux: openRouxSurface,
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
