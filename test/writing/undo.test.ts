import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDocument } from '../../src/operations/writing/create-document.ts'
import { deleteDocument } from '../../src/operations/writing/delete-document.ts'
import {
  appendToDocument,
  editSection,
  findAndReplace,
  prependToDocument,
  setMetadata,
} from '../../src/operations/writing/edit-document.ts'
import { moveDocument } from '../../src/operations/writing/move-document.ts'
import { replaceDocument } from '../../src/operations/writing/replace-document.ts'
import { restoreDocument, undoChanges } from '../../src/operations/writing/undo-changes.ts'
import { openTestBase } from '../support/open-test-base.ts'

const ada = { by: { client: 'ada/1' } }
const bob = { by: { client: 'bob/2', principal: 'Bob' } }

const original = '\uFEFF---\r\ntags: [a] # mine\r\n---\r\n# Tea\r\n\r\nGreen.\r\n\n## Cups\n\nTwo'

it('takes every kind of change back to the very bytes', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': original })
  const bytes = () => readFileSync(join(folder, 'tea.md'))
  const before = bytes()
  const changes = [
    () => appendToDocument(kb, 'tea', 'More', ada),
    () => editSection(kb, 'tea', { section: 'Cups', content: 'Three' }, ada),
    () => findAndReplace(kb, 'tea', { find: 'Green.', replace: '緑' }, ada),
    () => setMetadata(kb, 'tea', { addTags: ['b'], set: { x: 'y' } }, ada),
    () => replaceDocument(kb, 'tea', 'All new\n', ada),
    () => deleteDocument(kb, 'tea', ada),
    () => moveDocument(kb, 'tea', 'drinks/tea', ada),
  ]
  for (const change of changes) {
    const { operation } = await change()
    const { undone } = await undoChanges(kb, {}, ada)
    expect(undone).toEqual([operation])
    expect(Buffer.compare(bytes(), before)).toBe(0)
  }
  expect(existsSync(join(folder, 'drinks/tea.md'))).toBe(false)
})

it('undoes further back each time, and an undo when it is named', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': '1\n' })
  const text = () => readFileSync(join(folder, 'tea.md'), 'utf8')
  for (const line of ['2', '3']) await appendToDocument(kb, 'tea', line, ada)
  await undoChanges(kb, {}, ada)
  const second = await undoChanges(kb, {}, ada)
  expect(text()).toBe('1\n')
  await expect(undoChanges(kb, {}, ada)).rejects.toMatchObject({ code: 'not_found' })
  await undoChanges(kb, { operation: second.operation! }, ada)
  expect(text()).toBe('1\n2\n')
})

it('undoes what one client did since a moment, and refuses where a later edit would be lost', async () => {
  const { kb, folder } = await openTestBase({ 'a.md': 'a\n', 'b.md': 'b\n' })
  const since = Date.now()
  await appendToDocument(kb, 'a', 'ada', ada)
  await appendToDocument(kb, 'b', 'bob', bob)
  await createDocument(kb, 'c', 'ada\n', ada)
  const { undone } = await undoChanges(kb, { since, by: 'ada' }, bob)
  expect(undone).toHaveLength(2)
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('a\n')
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('b\nbob\n')
  expect(existsSync(join(folder, 'c.md'))).toBe(false)

  writeFileSync(join(folder, 'b.md'), 'b\nbob\nby hand\n')
  await expect(undoChanges(kb, { by: 'Bob' }, ada)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('notes/b.md was edited since'),
  })
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('b\nbob\nby hand\n')
})

it('names the later operations that stand in the way of an undo', async () => {
  const { kb, folder } = await openTestBase({ 'a.md': 'a\n' })
  const first = await appendToDocument(kb, 'a', 'one', ada)
  const second = await appendToDocument(kb, 'a', 'two', bob)
  await expect(undoChanges(kb, { operation: first.operation }, ada)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`by append ${second.operation}`),
  })
  writeFileSync(join(folder, 'a.md'), 'by hand\n')
  await expect(undoChanges(kb, { operation: second.operation }, ada)).rejects.toMatchObject({
    message: expect.stringContaining('by no operation of Cairn'),
  })
})

it('restores what was deleted, unless its place is taken', async () => {
  const { kb, folder } = await openTestBase({ 'x/tea.md': original })
  await deleteDocument(kb, 'x/tea.md', ada)
  await expect(restoreDocument(kb, 'coffee', ada)).rejects.toMatchObject({ code: 'not_found' })
  await restoreDocument(kb, 'notes/x/tea.md', ada)
  expect(readFileSync(join(folder, 'x/tea.md'), 'utf8')).toBe(original)
  await expect(restoreDocument(kb, 'x/tea', ada)).rejects.toMatchObject({ code: 'exists' })
})

it('restores the bytes after any sequence of edits', { timeout: 60_000 }, async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'x' })
  const file = join(folder, 'tea.md')
  const line = fc.constantFrom('# A', '## B', 'tea 茶 😀', '', '- [ ] x', '---', 'k: v', '[[tea]]')
  const text = fc
    .tuple(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([lines, newline, ends, marked]) => {
      const whole = lines.join(newline) + (ends ? newline : '')
      return marked ? `\uFEFF${whole}` : whole
    })
  const edit = fc.constantFrom(
    () => appendToDocument(kb, 'tea.md', 'More\n\nlines', ada),
    () => prependToDocument(kb, 'tea.md', '茶\n', ada),
    () => editSection(kb, 'tea.md', { section: 'B', content: 'New' }, ada),
    () => findAndReplace(kb, 'tea.md', { find: 'tea', replace: 'Tee' }, ada),
    () => setMetadata(kb, 'tea.md', { set: { k: 'w: x' }, addTags: ['t'] }, ada),
    () => replaceDocument(kb, 'tea.md', 'All\nnew\n', ada),
  )
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      async (before, edits) => {
        writeFileSync(file, before)
        const done: string[] = []
        for (const change of edits) {
          // An edit that does not fit this text is refused and changes nothing.
          const { operation } = await change().catch(() => ({ operation: undefined }))
          if (operation !== undefined) done.push(operation)
        }
        for (const operation of done.toReversed()) await undoChanges(kb, { operation }, ada)
        expect(readFileSync(file, 'utf8')).toBe(before)
      },
    ),
    { numRuns: 20 },
  )
})

it('moves a file back with its permissions, and names the document that is there now', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'x\n', 'index.md': '[[tea]]\n' })
  chmodSync(join(folder, 'tea.md'), 0o600)
  await moveDocument(kb, 'tea', 'drinks/tea', ada)
  await moveDocument(kb, 'drinks/tea', 'drinks/cha', ada)
  const since = await undoChanges(kb, { since: 0 }, ada)
  expect(since).toMatchObject({ id: 'notes/tea.md', digest: expect.any(String) })
  expect(statSync(join(folder, 'tea.md')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(folder, 'drinks/cha.md'))).toBe(false)
})
