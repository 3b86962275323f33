/** Files that are no text, in a base: found, quoted, moved and deleted like notes, and never edited. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import { openConverter } from '../../src/core/parsing/convert/open-converter.ts'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { deleteDocument } from '../../src/core/operations/writing/delete-document.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { appendToDocument, replaceDocument } from '../support/edit-documents.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { openSmallBase, openSmallBaseAt } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const by = { by: { client: 'test/1' } }
const PAGE =
  '<html><title>Kettles</title><h1>Kettles</h1><p>A kettle boils water for tea.<h2>Care</h2><p>Descale it with vinegar every month. See <a href="tea.md">tea</a>.'

const filesIn = async ({ store }: Awaited<ReturnType<typeof openSmallBase>>) =>
  (await store.files('notes'))
    .map(({ path, state, reason }) => `${path} ${state} ${reason ?? ''}`.trim())
    .toSorted()

it('finds, quotes and fetches what a page says', async () => {
  const { kb } = await openSmallBase({
    'kettle.html': PAGE,
    'tea.md': '# Tea\nSee [[kettle.html#Care]].\n',
  })
  const { hits } = await searchDocuments(kb, 'descale with vinegar')
  expect(hits[0]).toMatchObject({
    id: 'notes/kettle.html',
    title: 'Kettles',
    headingPath: ['Kettles', 'Care'],
  })
  const { claims } = await askQuestion(kb, 'How do I descale a kettle with vinegar?', {})
  expect(claims[0]?.citations[0]).toMatchObject({
    id: 'notes/kettle.html',
    headingPath: ['Kettles', 'Care'],
  })
  expect((await fetchDocument(kb, 'kettle.html#Care')).text).toContain('Descale it')
  const [link] = await kb.store.linksTo(hits[0]!.document.no)
  expect(link).toMatchObject({ fragment: 'Care' })
})

it('finds notes before it reads files, and the first of these before the others', async () => {
  const pdf = (n: number) => [`a${n}.pdf`, makePdf([pdfLines([`Tea ${n}.`])])] as const
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => pdf(n)))
  const folder = temporaryFolder({ ...files, 'z.md': '# Z', 'y/x.md': '# X' })
  const { kb, store, sync } = await openSmallBaseAt(folder)
  const counts: Promise<number>[] = []
  const count = async () => (await store.counts()).documents
  // What is ready is found before the next files are read, which takes long.
  const readAt: number[] = []
  const [source] = kb.sources.values()
  const read = source!.read
  vi.spyOn(source!, 'read').mockImplementation(async (...asked) => {
    readAt.push(await count())
    return read(...asked)
  })
  await sync({ onCommit: () => counts.push(count()) })
  expect(await Promise.all(counts)).toEqual([2, 27, 62])
  expect(readAt).toEqual([0, 2, 27])
})

it('finds the notes of every source before it reads files of any', async () => {
  const pdf = makePdf([pdfLines(['Tea.'])])
  const folder = temporaryFolder({ 'a.pdf': pdf, 'a.md': '# A' })
  const more = [{ name: 'more', path: temporaryFolder({ 'b.pdf': pdf, 'b.md': '# B' }) }]
  const { store, sync } = await openSmallBaseAt(folder, { more })
  const counts: Promise<number>[] = []
  await sync({ onCommit: () => counts.push(store.counts().then(({ documents }) => documents)) })
  expect(await Promise.all(counts)).toEqual([1, 2, 3, 4])
  const { documents } = await store.list({}, 'path', { offset: 0, limit: 10 })
  const byNumber = documents.toSorted((a, b) => a.no - b.no)
  expect(byNumber.map(({ path }) => path)).toEqual(['a.md', 'b.md', 'a.pdf', 'b.pdf'])
})

it('writes to no such file, and makes none', async () => {
  const { kb, folder } = await openSmallBase({ 'kettle.html': PAGE })
  const isRefused = {
    code: 'unsupported',
    message: expect.stringContaining('read, and not written') as string,
  }
  await expect(appendToDocument(kb, 'kettle.html', 'More.', by)).rejects.toMatchObject(isRefused)
  await expect(replaceDocument(kb, 'kettle.html', 'All.', by)).rejects.toMatchObject(isRefused)
  await expect(createDocument(kb, 'new.html', '# New', by)).rejects.toMatchObject(isRefused)
  await expect(moveDocument(kb, 'kettle.html', 'kettle.md', by)).rejects.toMatchObject({
    code: 'invalid',
  })
  expect(readFileSync(join(folder, 'kettle.html'), 'utf8')).toBe(PAGE)
})

it('moves and deletes it byte for byte, with the links to it, and takes that back', async () => {
  const bytes = Buffer.from(PAGE.replace('boils', 'bo\xeels'), 'latin1')
  const note = '# Tea\nSee [[kettle.html#Care]] and [it](kettle.html).\n'
  const { kb, folder, sync } = await openSmallBase({ 'kettle.html': bytes, 'tea.md': note })
  const read = (path: string) => readFileSync(join(folder, path))
  const moved = await moveDocument(kb, 'kettle.html', 'things/pot.html', by)
  expect(moved.linksRewritten).toBe(2)
  expect(read('things/pot.html').equals(bytes)).toBe(true)
  expect(read('tea.md').toString()).toBe(
    '# Tea\nSee [[pot.html#Care]] and [it](things/pot.html).\n',
  )
  await undoChanges(kb, { operation: moved.operation }, by)
  expect(read('kettle.html').equals(bytes)).toBe(true)
  expect(read('tea.md').toString()).toBe(note)
  const deleted = await deleteDocument(kb, 'kettle.html', by)
  expect(existsSync(join(folder, 'kettle.html'))).toBe(false)
  await undoChanges(kb, { operation: deleted.operation }, by)
  expect(read('kettle.html').equals(bytes)).toBe(true)
  await sync()
  expect((await fetchDocument(kb, 'kettle.html')).text).toContain('boîls')
})

it('never rewrites a link inside of such a file', async () => {
  const { kb, folder } = await openSmallBase({ 'kettle.html': PAGE, 'tea.md': '# Tea\n' })
  const { brokenLinks } = await moveDocument(kb, 'tea.md', 'green/tea2.md', by)
  expect(brokenLinks).toEqual([{ id: 'notes/kettle.html', target: 'tea.md' }])
  expect(readFileSync(join(folder, 'kettle.html'), 'utf8')).toBe(PAGE)
})

it('names the page of what it finds in a PDF, and leads to it', async () => {
  const pages = [
    'The first page is about cups.',
    'Descale a kettle with vinegar every month.',
    'The end.',
  ]
  const { kb } = await openSmallBase({
    'report.pdf': makePdf(pages.map((text) => pdfLines([text]))),
    'tea.md': '# Tea\nSee [[report.pdf#page=2]].\n',
  })
  const { hits } = await searchDocuments(kb, 'descale with vinegar')
  expect(hits[0]).toMatchObject({ id: 'notes/report.pdf', headingPath: ['page=2'] })
  const { claims } = await askQuestion(kb, 'How do I descale a kettle with vinegar?', {})
  const [citation] = claims[0]!.citations
  expect(citation).toMatchObject({ headingPath: ['page=2'], quote: pages[1] })
  const { text, lines } = await fetchDocument(kb, 'report.pdf#page=2')
  expect(text.trim()).toBe(`<a id="page=2"></a>\n\n${pages[1]}`)
  expect(citation!.lines[0]).toBeGreaterThan(lines[0])
  expect(citation!.lines[1]).toBeLessThanOrEqual(lines[1])
})

it('runs nothing that a PDF would have run', async () => {
  const pdf = makePdf([pdfLines(['Harmless text.'])], { script: '(process.exit\\(3\\))' })
  const { kb } = await openSmallBase({ 'report.pdf': pdf })
  expect((await fetchDocument(kb, 'report.pdf')).text).toContain('Harmless text.')
})

it('names the files that nobody can read, and goes on', async () => {
  const base = await openSmallBase({
    'picture.html': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    'deep.html': '<div>'.repeat(50_000),
    'half.pdf': makePdf([pdfLines(['Text.'])]).subarray(0, 40),
    'scan.pdf': makePdf([[]]),
    'word.pdf': 'PK',
    'tea.md': '# Tea\n',
  })
  expect(await filesIn(base)).toEqual([
    'deep.html skipped elements nested without end',
    expect.stringMatching(/^half.pdf skipped a damaged PDF/),
    'picture.html skipped not text',
    'scan.pdf skipped a scan without text (1 page)',
    'tea.md indexed',
    'word.pdf skipped no PDF, whatever its name says',
  ])
})

it('reads the pages of a program as the text that they are', async () => {
  const base = await openSmallBase({ 'package.json': '{}', 'index.html': '<p>Hello <b>there</b>' })
  expect((await fetchDocument(base.kb, 'index.html')).text).toBe('<p>Hello <b>there</b>')
})

it('makes the text of a file once, until it is another file', async () => {
  const folder = temporaryFolder({ 'a.html': '<p>One' })
  const texts = join(temporaryFolder({}), 'texts')
  const conversion = openConverter({
    kindOf: (path) => (path.endsWith('.html') ? { kind: 'html', version: 1 } : undefined),
    folder: texts,
  })
  const source = openFolderSource({ name: 'notes', root: folder, extensions: ['html'], conversion })
  const read = async () => (await source.read(['a.html']))[0]
  expect(await read()).toMatchObject({ kind: 'text', text: '---\ntype: "html"\n---\n\nOne\n' })
  const [kept] = readdirSync(texts)
  // Whoever changes what is kept finds it again: nothing was made anew.
  writeFileSync(join(texts, kept!), '---\ntype: "html"\n---\nkept')
  expect(await read()).toMatchObject({ text: expect.stringContaining('kept') as string })
  writeFileSync(join(folder, 'a.html'), '<p>Two')
  expect(await read()).toMatchObject({ text: '---\ntype: "html"\n---\n\nTwo\n' })
})

it('gives up what takes too long or too much, and reads the next file', async () => {
  const conversion = (limits: { timeMs?: number; memoryBytes?: number }) =>
    openConverter({ kindOf: () => ({ kind: 'html', version: 1 }), limits })
  const large = Buffer.from('<p>text'.repeat(200_000))
  expect(await conversion({ timeMs: 1 }).convert('a.html', large, '1')).toEqual({
    kind: 'unreadable',
    reason: 'it takes longer than 0.001 s to read',
    isTooMuch: true,
  })
  expect(await conversion({ memoryBytes: -1e12 }).convert('a.html', large, '2')).toEqual({
    kind: 'unreadable',
    reason: 'it takes too much memory to read',
    isTooMuch: true,
  })
  const next = await conversion({}).convert('b.html', Buffer.from('<p>b'), '3')
  expect(next).toMatchObject({ kind: 'text' })
})

it('does without a place to keep texts', async () => {
  const blocked = join(temporaryFolder({ file: 'x' }), 'file', 'texts')
  const conversion = openConverter({
    kindOf: () => ({ kind: 'html', version: 1 }),
    folder: blocked,
  })
  expect(await conversion.convert('a.html', Buffer.from('<p>a'), '1')).toMatchObject({
    kind: 'text',
  })
})
