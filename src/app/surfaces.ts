/** Opens the surfaces a configuration names. */
import type { Knowledge } from '../operations/knowledge.ts'
import { openNativeSurface } from '../surfaces/native/open-native-surface.ts'
import { openRouxSurface } from '../surfaces/roux/open-roux-surface.ts'
import type { Surface } from '../surfaces/surface.ts'
import type { SurfaceName } from './config.ts'
import { VERSION } from './version.ts'

export interface SurfacesOptions {
  readonly log: (error: unknown) => void
}

const OPENERS = {
  native: (kb, { log }) => openNativeSurface(kb, { version: VERSION, log }),
  roux: openRouxSurface,
} satisfies Record<SurfaceName, (kb: Knowledge, options: SurfacesOptions) => Surface>

/** Each once, in the order they are named. */
export function openSurfaces(
  kb: Knowledge,
  names: readonly SurfaceName[],
  options: SurfacesOptions,
): readonly Surface[] {
  return [...new Set(names)].map((name) => OPENERS[name](kb, options))
}
