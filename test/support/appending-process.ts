/**
 * A process that appends lines to one file of a folder until it is killed, from a state folder of
 * its own choice, and says each line that was acknowledged.
 */
import { writeSync } from 'node:fs'
import { formatOf, readableExtensions } from '../../src/app/formats.ts'
import { openStore } from '../../src/app/stores.ts'
import { openWriting } from '../../src/app/writing.ts'
import type { Knowledge } from '../../src/operations/view/knowledge.ts'
import { wholeView } from '../../src/operations/view/view.ts'
import { openFolderSource } from '../../src/sources/folder/open-folder-source.ts'
import { appendToDocument } from '../../src/operations/writing/edit-document.ts'

const [folder = '', state = '', file = '', name = ''] = process.argv.slice(2)
const { store } = await openStore({ state, sources: [] })
const notes = openFolderSource({ name: 'notes', extensions: readableExtensions(), root: folder })
const kb = wholeView({
  store,
  sources: new Map([['notes', notes]]),
  formatOf,
  noticeChange: () => {},
  catchingUp: () => undefined,
  writing: openWriting(state),
} as unknown as Knowledge)

for (let index = 0; ; index++) {
  try {
    const line = `- ${name}-${index}`
    await appendToDocument(kb, file, line, { by: { client: name } })
    writeSync(1, `${JSON.stringify({ line })}\n`)
  } catch (error) {
    writeSync(1, `${JSON.stringify({ error: String(error) })}\n`)
  }
}
