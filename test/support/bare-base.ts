/** Only what writing to a known path needs, for processes that start to be killed. */
import { formatOf, readableExtensions } from '../../src/app/formats.ts'
import { openStore } from '../../src/app/stores.ts'
import { openWriting } from '../../src/app/writing.ts'
import type { Knowledge } from '../../src/operations/view/knowledge.ts'
import { openIndex } from '../../src/operations/view/open-index.ts'
import { wholeView } from '../../src/operations/view/view.ts'
import type { View } from '../../src/operations/view/view.ts'
import { openFolderSource } from '../../src/sources/folder/open-folder-source.ts'

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
