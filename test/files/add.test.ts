/** `cairn add`: files from elsewhere come into the inbox, one operation each, and over nothing. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addFile } from '../../src/core/operations/writing/add-file.ts'
import type { FileToAdd } from '../../src/core/operations/writing/add-file.ts'
import { undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const by = { by: { client: 'test/1' } }
const fileOf = (name: string, content: string | Uint8Array, more: Partial<FileToAdd> = {}) => ({
  name,
  inbox: 'inbox',
  bytes: Buffer.from(content),
  origin: '~/Downloads/tea.md',
  addedAt: new Date('2026-03-04T05:06:07Z'),
  ...more,
})

it('copies a note, says where it is from, and takes it back', async () => {
  const { kb, folder } = await openSmallBase({ 'a.md': '# A\n' })
  const added = await addFile(kb, fileOf('tea.md', '# Tea\nGreen.\n'), by)
  expect(added.id).toBe('notes/inbox/tea.md')
  expect(readFileSync(join(folder, 'inbox/tea.md'), 'utf8')).toBe(
    '---\norigin: "~/Downloads/tea.md"\nadded: 2026-03-04\n---\n# Tea\nGreen.\n',
  )
  expect((await searchDocuments(kb, 'green tea')).hits[0]?.id).toBe('notes/inbox/tea.md')
  await undoChanges(kb, { operation: added.operation }, by)
  expect(readdirSync(folder)).not.toContain('inbox')
})

it('keeps what a note says of itself, line ends, and a front matter that nobody can edit', async () => {
  const { kb, folder } = await openSmallBase({ 'a.md': '# A\n' })
  const read = (name: string) => readFileSync(join(folder, 'inbox', name), 'utf8')
  await addFile(kb, fileOf('own.md', '---\r\norigin: Ada\r\n---\r\nx\r\n'), by)
  expect(read('own.md')).toBe('---\r\norigin: Ada\r\nadded: 2026-03-04\r\n---\r\nx\r\n')
  const broken = '---\na: [\n---\nx\n'
  const { warnings } = await addFile(kb, fileOf('broken.md', broken), by)
  expect(read('broken.md')).toBe(broken)
  expect(warnings[0]?.message).toContain('origin was not noted')
})

it('copies every other file byte for byte', async () => {
  const { kb, folder } = await openSmallBase({ 'a.md': '# A\n' })
  const pdf = makePdf([pdfLines(['Descale the kettle.'])])
  await addFile(kb, fileOf('report.pdf', pdf), by)
  await addFile(kb, fileOf('list.txt', 'One\n'), by)
  expect(readFileSync(join(folder, 'inbox/report.pdf')).equals(pdf)).toBe(true)
  expect(readFileSync(join(folder, 'inbox/list.txt'), 'utf8')).toBe('One\n')
  expect((await fetchDocument(kb, 'report.pdf#page=1')).text).toContain('Descale')
})

it('puts nothing over a file, out of the source, or where its rules leave it out', async () => {
  const { kb, folder, base } = await openSmallBase(
    { 'inbox/Tea.md': '# Mine\n', '.cairnignore': 'drafts/\n' },
    { exclude: ['private/**'], maxFileBytes: 1_000 },
  )
  symlinkSync(temporaryFolder({}), join(folder, 'out'))
  const names = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('.cairn'))
      .toSorted()
  const before = names()
  const refused = async (file: FileToAdd, code: string, view = kb) =>
    expect(addFile(view, file, by)).rejects.toMatchObject({ code })
  await refused(fileOf('tea.md', 'x'), 'exists')
  await refused(fileOf('../../evil.md', 'x'), 'invalid')
  await refused(fileOf('/etc/evil.md', 'x'), 'invalid')
  await refused(fileOf('x.md', 'x', { inbox: '../outside' }), 'invalid')
  await refused(fileOf('x.md', 'x', { inbox: 'out' }), 'invalid')
  await refused(fileOf('x.md', 'x', { inbox: 'drafts' }), 'invalid')
  await refused(fileOf('x.md', 'x', { inbox: 'private/in' }), 'invalid')
  await refused(fileOf('x.md', 'x', { inbox: '.cairn' }), 'invalid')
  await refused(fileOf('x.exe', 'x'), 'invalid')
  await refused(fileOf('x.md', 'x'.repeat(2_000)), 'invalid')
  await refused(fileOf('x.md', Buffer.from([0xe9, 0x20])), 'unsupported')
  const writes = ({ path }: { readonly path: string }) => !path.startsWith('inbox/')
  const guest = viewFor(base, { principal: 'guest', may: ['read', 'write'], writes })
  await refused(fileOf('x.md', 'x'), 'forbidden', guest)
  expect(names()).toEqual(before)
  expect(readFileSync(join(folder, 'inbox/Tea.md'), 'utf8')).toBe('# Mine\n')
})

it('takes up a file that a person put there at the same moment as taken', async () => {
  const { kb, folder } = await openSmallBase({ 'a.md': '# A\n' })
  const adding = addFile(kb, fileOf('tea.md', 'ours'), by).catch(({ code }) => code as string)
  mkdirSync(join(folder, 'inbox'), { recursive: true })
  writeFileSync(join(folder, 'inbox/tea.md'), 'theirs', { flag: 'wx' })
  expect(await adding).toMatch(/exists|conflict/)
  expect(readFileSync(join(folder, 'inbox/tea.md'), 'utf8')).toBe('theirs')
})
