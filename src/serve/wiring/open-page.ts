/** The page for people, with the files of the package and the base behind it. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KnowledgeError } from '../../core/domain/error.ts'
import { PACKAGE_FOLDER } from '../../core/kit/package-folder.ts'
import type { PlaceKeeper } from '../../explorer/operations/draw-map.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { ChatPage } from '../../explorer/surface/in-chat.ts'
import { openExplorer } from '../../explorer/surface/open-explorer.ts'
import type { DoorOptions } from '../door/serve-rows.ts'
import type { Surface } from '../door/surface.ts'
import type { OpenMount } from '../transports/http/mount.ts'
import { openLiveFeed } from '../../explorer/live/live-files.ts'
import { VERSION } from '../../core/kit/version.ts'

const PAGE = new URL('dist/web/', PACKAGE_FOLDER)
const CHAT_PAGE = new URL('dist/chat.html', PACKAGE_FOLDER)

export interface PageOptions {
  /** Folder of what is derived; the places on the map are kept there. */
  readonly state: string
  /** Whether calls of tools are followed. */
  readonly live: boolean
  readonly door: DoorOptions
}

export async function openPage(
  kb: Knowledge,
  surface: Surface,
  { state, live, door }: PageOptions,
): Promise<OpenMount> {
  const { loadAssets } = await import('../../explorer/routes/assets.ts')
  const { webMount } = await import('../../explorer/routes/web-mount.ts')
  const { hasDiagrams } = await import('../../explorer/routes/diagrams.ts')
  const assets = loadAssets(PAGE)
  if (!assets) throw notBuilt('--no-web')
  const explorer = openExplorer(kb, {
    surface,
    version: VERSION,
    places: keepPlaces(state),
    diagrams: hasDiagrams(),
    calls: live ? openLiveFeed(state) : undefined,
    ...door,
  })
  return webMount(explorer, { assets, version: VERSION, onBug: door.log })
}

/** The page in one piece, for chats; nothing in it follows what others do. */
export async function openChatPage(
  kb: Knowledge,
  surface: Surface,
  { state, door }: Omit<PageOptions, 'live'>,
): Promise<ChatPage> {
  const html = await readFile(CHAT_PAGE, 'utf8').catch(() => undefined)
  if (html === undefined) throw notBuilt('--no-chat')
  const places = keepPlaces(state)
  return {
    html,
    explorer: openExplorer(kb, { ...door, surface, version: VERSION, places }),
  }
}

function notBuilt(without: string): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    'The page for people was not built.',
    `Run "npm run build", or serve without it: ${without}.`,
  )
}

/** One file in the state folder. Losing it costs a layout, so failures are nobody's business. */
function keepPlaces(state: string): PlaceKeeper {
  const file = join(state, 'map.bin')
  return {
    load: () => readFile(file).catch(() => undefined),
    async save(bytes) {
      const beside = `${file}.${process.pid}.tmp`
      try {
        await writeFile(beside, bytes, { mode: 0o600 })
        await rename(beside, file)
      } catch {
        await rm(beside, { force: true }).catch(() => {})
      }
    },
  }
}
