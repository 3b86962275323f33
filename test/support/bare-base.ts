/** Only what writing to a known path needs, for processes that start to be killed. */
import { formatOf, readableExtensions } from '../../src/serve/parts/formats.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import { openWriting } from '../../src/serve/wiring/writing.ts'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import { openIndex } from '../../src/core/operations/view/open-index.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import type { View } from '../../src/core/operations/view/view.ts'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'

export async function openBareBase(folder: string, state: string): Promise<View> {
  const opened = await openStore({ state, sources: [] })
  const { store } = opened
  const notes = openFolderSource({ name: 'notes', extensions: readableExtensions(), root: folder })
  return wholeView({
    store,
    index: openIndex(store, async () => undefined),
    sources: new Map([['notes', notes]]),
    formatOf,
    noticeChange: () => {},
    catchingUp: () => undefined,
    writing: await openWriting(opened),
  } as unknown as Knowledge)
}
