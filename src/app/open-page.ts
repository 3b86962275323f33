/** The page for people, with the files of the package and the base behind it. */
import { KnowledgeError } from '../domain/error.ts'
import type { Knowledge } from '../operations/view/knowledge.ts'
import { openExplorer } from '../surfaces/explorer/open-explorer.ts'
import type { Surface } from '../surfaces/surface.ts'
import type { OpenMount } from '../transports/http/mount.ts'
import { VERSION } from './version.ts'

// Two folders up, from here as from the built program.
const PAGE = new URL('../../dist/web/', import.meta.url)

export async function openPage(
  kb: Knowledge,
  surface: Surface,
  onBug: (error: unknown) => void,
): Promise<OpenMount> {
  const { loadAssets } = await import('../transports/web/assets.ts')
  const { webMount } = await import('../transports/web/web-mount.ts')
  const assets = loadAssets(PAGE)
  if (!assets) {
    throw new KnowledgeError(
      'unavailable',
      'The page for people was not built.',
      'Run "npm run build", or serve without it: --no-web.',
    )
  }
  const explorer = openExplorer(kb, { surface, version: VERSION })
  return webMount(explorer, { assets, version: VERSION, onBug })
}
