/** The km- tools over a base, for recipes that are run without a server of that surface. */
import type { Config } from '../../../serve/config/config.ts'
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import type { Surface } from '../../../serve/door/surface.ts'

/** Undefined for a base without a folder that could be a repository. */
export async function openKmTools(
  kb: Knowledge,
  { state, sources }: Pick<Config, 'state' | 'sources'>,
  warn: (message: string) => void,
): Promise<Surface | undefined> {
  if (![...kb.sources.values()].some(({ writer }) => writer)) return undefined
  const { openRepositorySurface } = await import('./open-repository-surface.ts')
  const log = (level: string, message: string): void => {
    if (level !== 'info') warn(message)
  }
  const door = { log: (error: unknown): void => warn(String(error)) }
  return openRepositorySurface(kb, { log, door, state, sources }).surface
}
