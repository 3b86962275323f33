/** A reader that reads better makes another text of the same bytes: nothing of the old one holds. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Conversion } from '../../src/core/domain/conversion.ts'
import { readDocuments } from '../../src/core/indexing/read-documents.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openMemoryStore } from '../support/memory-store/open-memory-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = `AKIA${'IOSFODNN7EXAMPLE'}`
const OTHER = `AKIA${'QRSTUVWXYZ234567'}`
const rendered = (body: string): string => `---\ntype: "pdf"\n---\n\n${body}\n`
const TEXTS = [
  rendered(`The kettle opens with ${KEY}.`),
  rendered(
    `A longer beginning, which nobody could read before, of ${OTHER}.\n\nThe kettle opens with ${KEY}.`,
  ),
]

/** A base over one file, whose reader is raised by hand. */
async function openRaised() {
  const reader = { version: 1, converted: 0 }
  const made = () => TEXTS[reader.version - 1]!
  const conversion: Conversion = {
    converts: (path) => path.endsWith('.pdf'),
    maker: () => `pdf ${reader.version}`,
    // Of the file as it was read with this version.
    known: () => (reader.converted === reader.version ? made() : undefined),
    async convert() {
      reader.converted = reader.version
      return { kind: 'text', text: made() }
    },
  }
  const root = temporaryFolder({ 'a.pdf': 'the same bytes' })
  const source = openFolderSource({ name: 'notes', root, extensions: ['pdf'], conversion })
  const sources = new Map([['notes', source]])
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
  const kb = wholeView(openKnowledge({ config: { http }, store, sources }))
  const lease = (await store.acquireLease('me', 60_000))!
  const run = () => sync({ store, sources: [source], formatOf, lease })
  await run()
  return { kb, store, sources, reader, run, conversion, root }
}

it('finds the secrets of a text anew when another reader made it of the same bytes', async () => {
  const { kb, store, sources, reader, run } = await openRaised()
  const isMasked = async () => {
    const { text } = await fetchDocument(kb, 'a.pdf')
    const { hits } = await searchDocuments(kb, 'kettle opens')
    const answer = await askQuestion(kb, 'What does the kettle open with?', {})
    const shown = [text, JSON.stringify(hits), JSON.stringify(answer)]
    for (const each of shown) expect(each).not.toMatch(/AKIA|IOSFOD|QRSTUV/)
    return text
  }
  expect(await isMasked()).not.toContain('longer beginning')
  reader.version = 2
  // Nobody has indexed it yet: places of the old text lead nowhere in the new one.
  expect(await isMasked()).toContain('longer beginning')
  const [record] = await store.documents(await store.withoutVectors('any', 10))
  expect(await readDocuments({ store, sources }, [record!.no])).toEqual([])
  expect(await run()).toMatchObject({ indexed: 1, unchanged: 0 })
  expect(await isMasked()).toContain('longer beginning')
  const [sent] = await readDocuments({ store, sources }, [record!.no])
  expect(sent!.passages.map(({ text }) => text).join('')).not.toMatch(/AKIA/)
  expect(await run()).toMatchObject({ indexed: 0 })
})

it('does not look at the bytes of a file that nobody has touched', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { kb, conversion, reader } = await openRaised()
  const converting = vi.spyOn(conversion, 'convert')
  await searchDocuments(kb, 'kettle opens')
  expect((await fetchDocument(kb, 'a.pdf')).text).toContain('The kettle opens')
  expect(converting).not.toHaveBeenCalled()
  reader.version = 2
  expect((await fetchDocument(kb, 'a.pdf')).text).toContain('longer beginning')
  expect(converting).toHaveBeenCalled()
})

it('tries again what could not be read through no fault of the file', async () => {
  const { kb, store, conversion, reader, run, root } = await openRaised()
  const busy = { kind: 'unreadable', reason: 'the machine was too busy', isPassing: true } as const
  vi.spyOn(conversion, 'convert').mockResolvedValueOnce(busy).mockResolvedValueOnce(busy)
  reader.converted = 0
  writeFileSync(join(root, 'b.pdf'), 'a new file')
  expect(await run()).toMatchObject({ failed: 1, unchanged: 1 })
  const [record] = (await store.files('notes')).filter(({ path }) => path === 'b.pdf')
  expect(record).toMatchObject({ state: 'failed', reason: busy.reason })
  expect(await run()).toMatchObject({ indexed: 1, failed: 0 })
  expect((await searchDocuments(kb, 'kettle opens')).hits).toHaveLength(2)
})

it.each(['other bytes', 'another reader'])(
  'keeps what is known of a file until its new text could be made: %s',
  async (change) => {
    const { store, conversion, reader, run, root } = await openRaised()
    const busy = { kind: 'unreadable', reason: 'too busy', isPassing: true } as const
    vi.spyOn(conversion, 'convert').mockResolvedValueOnce(busy).mockResolvedValueOnce(busy)
    if (change === 'other bytes') {
      reader.converted = 0
      writeFileSync(join(root, 'a.pdf'), change)
    } else reader.version = 2
    const again = { indexed: 0, unchanged: 1, removed: 0, failed: 0 }
    for (let look = 0; look < 2; look++) {
      expect(await run()).toMatchObject(again)
      expect((await store.counts()).documents).toBe(1)
    }
    expect(await run()).toMatchObject({ indexed: 1, failed: 0 })
  },
)
