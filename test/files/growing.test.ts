/** A long PDF is found by its first pages while the rest is read: one document, in two states. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openConverter } from '../../src/core/parsing/convert/open-converter.ts'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { reportCoverage } from '../../src/core/operations/reporting/report-insights.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { readDocuments } from '../../src/core/indexing/read-documents.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openMemoryStore } from '../support/memory-store/open-memory-store.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = `AKIA${'IOSFODNN7EXAMPLE'}`
const PAGES: readonly string[] = Array.from({ length: 160 }, (_, n) => `Nothing is on leaf ${n}.`)
  .with(2, 'Descale a kettle with vinegar every month.')
  .with(149, `The samovar opens with ${KEY}.`)
const longPdf = (pages = PAGES) => makePdf(pages.map((text) => pdfLines([text])))

/** Over a real thread and real files, as a server has them. */
async function openLong(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = temporaryFolder(files)
  const folder = join(temporaryFolder({}), 'texts')
  const kindOf = (path: string) =>
    path.endsWith('.pdf') ? { kind: 'pdf' as const, version: 1 } : undefined
  const conversion = openConverter({ kindOf, folder })
  const options = { name: 'notes', root, extensions: ['pdf', 'md'], conversion }
  const source = openFolderSource(options)
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
  const sources = new Map([['notes', source]])
  const kb = wholeView(openKnowledge({ config: { http }, store, sources }))
  const lease = (await store.acquireLease('me', 60_000))!
  const parts = { store, sources: [source], formatOf, lease }
  return {
    root,
    kb,
    store,
    parts: { store, sources },
    run: (isOver = (_commits: number): boolean => false) => {
      const stopped = new AbortController()
      let commits = 0
      const onCommit = (): void => {
        if (isOver(++commits)) stopped.abort()
      }
      return sync(parts, { signal: stopped.signal, onCommit })
    },
  }
}

it('finds the first pages of a long file, and all of it when it was read', async () => {
  const { kb, store, run, parts } = await openLong({ 'a.md': '# A', 'long.pdf': longPdf() })
  // Killed when the notes and the first pages are there.
  await expect(run((commits) => commits === 2)).rejects.toThrow(/abort/i)
  const found = async (query: string) => (await searchDocuments(kb, query)).hits[0]
  const early = await found('descale with vinegar')
  expect(early).toMatchObject({ id: 'notes/long.pdf', headingPath: ['page=3'] })
  expect(await found('samovar')).toBeUndefined()
  const beginning = await fetchDocument(kb, 'long.pdf')
  expect(beginning.text).toContain('read_so_far: "pages 1–40 of 160"')
  expect(beginning.text).toContain('(120 pages more are being read.)')
  expect((await fetchDocument(kb, 'long.pdf#page=3')).text).toContain('Descale')
  // Vectors of the beginning would be kept for all of it.
  expect(await readDocuments(parts, [early!.document.no])).toEqual([])
  expect(await store.digests([early!.document.no])).toEqual([undefined])
  const read = 'pages 1–40 of 160 so far'
  expect((await reportCoverage(kb)).inPart).toEqual([{ id: 'notes/long.pdf', read }])

  const { warnings } = await run()
  expect(warnings).toEqual([expect.objectContaining({ kind: 'secret' })])
  expect(await found('samovar')).toMatchObject({ headingPath: ['page=150'] })
  const late = await found('descale with vinegar')
  expect(late).toMatchObject({ id: 'notes/long.pdf', headingPath: ['page=3'] })
  expect(late?.document.no).toBe(early?.document.no)
  const { text } = await fetchDocument(kb, 'long.pdf')
  expect(text).not.toMatch(/read_so_far|being read/)
  expect(text).not.toContain(KEY)
  expect((await reportCoverage(kb)).inPart).toEqual([])
  expect((await store.counts()).documents).toBe(2)
  expect(await run()).toMatchObject({ indexed: 0, unchanged: 2 })
})

it('reads the rest without being asked again, and counts the file once', async () => {
  const { kb, run } = await openLong({ 'long.pdf': longPdf(), 'short.pdf': longPdf(['Tea.']) })
  const commits: number[] = []
  const report = await run((count) => commits.push(count) < 0)
  expect(report).toMatchObject({ indexed: 2, failed: 0, skipped: 0 })
  expect(report.warnings).toEqual([expect.objectContaining({ kind: 'secret' })])
  expect(commits.length).toBe(2)
  expect((await searchDocuments(kb, 'samovar')).hits[0]?.id).toBe('notes/long.pdf')
})

it('shows the whole text it had until all of the new one was read', async () => {
  const { root, kb, run } = await openLong({ 'long.pdf': longPdf() })
  await run()
  writeFileSync(join(root, 'long.pdf'), longPdf(PAGES.with(150, 'A teapot is on this leaf.')))
  let commits = 0
  await run(() => ++commits < 0)
  expect(commits).toBe(1)
  expect((await reportCoverage(kb)).inPart).toEqual([])
  expect((await searchDocuments(kb, 'teapot')).hits[0]?.headingPath).toEqual(['page=151'])
})

it('shows the same beginning where nobody has kept it', async () => {
  const base = await openSmallBase({ 'a.md': '# A' })
  writeFileSync(join(base.folder, 'long.pdf'), longPdf())
  const stopped = new AbortController()
  const indexing = base.sync({ signal: stopped.signal, onCommit: () => stopped.abort() })
  await expect(indexing).rejects.toThrow(/abort/i)
  const { hits } = await searchDocuments(base.kb, 'descale with vinegar')
  expect(hits[0]?.headingPath).toEqual(['page=3'])
  expect((await fetchDocument(base.kb, 'long.pdf')).text).toContain('being read')
})

it('keeps the first pages where all of them take too much', async () => {
  const folder = join(temporaryFolder({}), 'texts')
  const kindOf = () => ({ kind: 'pdf' as const, version: 1 })
  const pdf = longPdf([...PAGES, ...Array.from({ length: 1_000 }, () => 'Tea.')])
  const first = await openConverter({ kindOf, folder }).convert('a.pdf', pdf, '1', true)
  expect(first).toMatchObject({ kind: 'text', isPart: true })
  const strict = openConverter({ kindOf, folder, limits: { memoryBytes: -1e12 } })
  const made = await strict.convert('a.pdf', pdf, '1')
  expect(made).toMatchObject({ kind: 'text', isPart: false })
  const text = made.kind === 'text' ? made.text : ''
  expect(text).toContain('Descale a kettle')
  expect(text).toMatch(/\n\(1120 pages more were not read\.\)\n$/)
  // Nobody tries all of it again and again.
  expect(strict.known('a.pdf', '1')).toBe(text)
})
