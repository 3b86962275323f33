import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { deleteDocument } from '../../src/core/operations/writing/delete-document.ts'
import {
  appendToDocument,
  editSection,
  findAndReplace,
  prependToDocument,
  setMetadata,
  replaceDocument,
} from '../support/edit-documents.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { restoreDocument, undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
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
  expect(text()).toBe('1\n\n2\n')
})

it('undoes what one client did since a moment, beside what was edited by hand', async () => {
  const { kb, folder } = await openTestBase({ 'a.md': 'a\n', 'b.md': 'b\n' })
  const since = Date.now()
  await appendToDocument(kb, 'a', 'ada', ada)
  await appendToDocument(kb, 'b', 'bob', bob)
  await createDocument(kb, 'c', 'ada\n', ada)
  const { undone } = await undoChanges(kb, { since, by: 'ada' }, bob)
  expect(undone).toHaveLength(2)
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('a\n')
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('b\n\nbob\n')
  expect(existsSync(join(folder, 'c.md'))).toBe(false)

  writeFileSync(join(folder, 'b.md'), 'b\n\nbob\nby hand\n')
  await undoChanges(kb, { by: 'Bob' }, ada)
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('b\nby hand\n')
})

it('takes one change back and keeps later edits elsewhere in the file', async () => {
  const { kb, folder } = await openTestBase({ 'a.md': '# A\n\nGreen.\n\n- zero\n' })
  const text = () => readFileSync(join(folder, 'a.md'), 'utf8')
  const first = await appendToDocument(kb, 'a', '- one', ada)
  await appendToDocument(kb, 'a', '- two', bob)
  await findAndReplace(kb, 'a', { find: 'Green', replace: 'Black' }, bob)
  await moveDocument(kb, 'a', 'moved/b', bob)
  const { operation } = await undoChanges(kb, { operation: first.operation }, ada)
  const moved = () => readFileSync(join(folder, 'moved/b.md'), 'utf8')
  expect(moved()).toBe('# A\n\nBlack.\n\n- zero\n- two\n')
  // The undo can itself be taken back, after yet another change.
  await appendToDocument(kb, 'moved/b.md', '- three', bob)
  await undoChanges(kb, { operation }, ada)
  expect(moved()).toBe('# A\n\nBlack.\n\n- zero\n- one\n- two\n- three\n')
  await undoChanges(kb, { by: 'bob' }, ada)
  expect(text()).toBe('# A\n\nGreen.\n\n- zero\n- one\n')
})

it('takes back what it can of many, names what conflicts, and leaves that alone', async () => {
  const { kb, folder, call } = await openTestBase({ 'a.md': 'a\n', 'b.md': 'b\n' })
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  await findAndReplace(kb, 'a', { find: 'a', replace: 'ada' }, ada)
  await appendToDocument(kb, 'b', 'ada', ada)
  await createDocument(kb, 'c', 'ada\n', ada)
  const later = await findAndReplace(kb, 'a', { find: 'ada', replace: 'bob' }, bob)
  const result = await call('history', { action: 'undo', by: 'ada' })
  expect(result['undone']).toHaveLength(2)
  expect(result['conflicts']).toEqual([
    {
      operation: expect.any(String),
      reason: `notes/a.md was edited since in the same place, by find_replace ${later.operation}`,
    },
  ])
  expect([text('a.md'), text('b.md'), existsSync(join(folder, 'c.md'))]).toEqual([
    'bob\n',
    'b\n',
    false,
  ])
  // One operation, which can be undone as one.
  await undoChanges(kb, { operation: result['operation'] }, bob)
  expect([text('b.md'), text('c.md')]).toEqual(['b\n\nada\n', 'ada\n'])
})

it('refuses when nothing can be taken back, and names what stands in the way', async () => {
  const { kb, folder } = await openTestBase({ 'a.md': 'a\n' })
  const first = await findAndReplace(kb, 'a', { find: 'a', replace: 'one' }, ada)
  const second = await findAndReplace(kb, 'a', { find: 'one', replace: 'two' }, bob)
  await expect(undoChanges(kb, { operation: first.operation }, ada)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`by find_replace ${second.operation}`),
  })
  writeFileSync(join(folder, 'a.md'), 'by hand\n')
  await expect(undoChanges(kb, { operation: second.operation }, ada)).rejects.toMatchObject({
    message: expect.stringContaining('by no operation of Cairn'),
  })
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('by hand\n')
})

it('finds history by id, path, title and kb:// address, through moves, and an exact name first', async () => {
  const { kb, call, folder } = await openTestBase({
    'Note.md': '# Upper\n\nx\n',
    'note.md': '# Lower\n\nx\n',
    'tea.md': '# Green tea\n\nx\n',
  })
  await appendToDocument(kb, 'notes/Note.md', 'one', ada)
  await appendToDocument(kb, 'notes/note.md', 'two', bob)
  await appendToDocument(kb, 'tea', 'three', ada)
  await moveDocument(kb, 'tea', 'drinks/cha', ada)
  const actions = async (id: string) => {
    const { operations } = await call('history', { id })
    return operations.map(({ action, client }: Record<string, string>) => `${action} ${client}`)
  }
  expect(await actions('Note.md')).toEqual(['append ada/1'])
  expect(await actions('notes/note.md')).toEqual(['append bob/2'])
  expect(await actions('note')).toEqual(['append bob/2'])
  for (const id of ['drinks/cha.md', 'kb://notes/drinks/cha.md', 'Green tea', 'notes/drinks/CHA']) {
    expect([id, await actions(id)]).toEqual([id, ['move ada/1', 'append ada/1']])
  }
  await undoChanges(kb, { id: 'Note.md' }, ada)
  expect(readFileSync(join(folder, 'Note.md'), 'utf8')).toBe('# Upper\n\nx\n')
  expect(readFileSync(join(folder, 'note.md'), 'utf8')).toContain('two')
  await deleteDocument(kb, 'drinks/cha', ada)
  await restoreDocument(kb, 'kb://notes/drinks/cha.md', ada)
  expect(existsSync(join(folder, 'drinks/cha.md'))).toBe(true)
})

it('takes moments that are relative, and a client by its name alone', async () => {
  const { kb, call, folder } = await openTestBase({ 'a.md': 'a\n' })
  await appendToDocument(kb, 'a', 'x', { by: { client: 'ada/1' } })
  await appendToDocument(kb, 'a', 'y', { by: { client: 'adam/1' } })
  expect((await call('history', { since: '1 hour ago' }))['operations']).toHaveLength(2)
  expect((await call('history', { since: 'soon' }))['error'].code).toBe('invalid')
  expect((await call('history', { action: 'undo', by: 'ad' }))['error']).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('"adam"'),
  })
  await call('history', { action: 'undo', by: 'ada', since: '10 minutes ago' })
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('a\n\ny\n')
})

it('restores what was deleted, unless its place is taken', async () => {
  const { kb, folder } = await openTestBase({ 'x/tea.md': original })
  await deleteDocument(kb, 'x/tea.md', ada)
  await expect(restoreDocument(kb, 'coffee', ada)).rejects.toMatchObject({ code: 'not_found' })
  await restoreDocument(kb, 'notes/x/tea.md', ada)
  expect(readFileSync(join(folder, 'x/tea.md'), 'utf8')).toBe(original)
  await expect(restoreDocument(kb, 'x/tea', ada)).rejects.toMatchObject({ code: 'exists' })
})

it('restores the bytes after any sequence of edits', { timeout: 600_000 }, async () => {
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

it('undoes what was shown, or nothing', async () => {
  const { kb, folder } = await openTestBase({ 'a.md': 'a\n', 'b.md': 'b\n' })
  const texts = () => ['a.md', 'b.md'].map((name) => readFileSync(join(folder, name), 'utf8'))
  const before = texts()
  await appendToDocument(kb, 'a', 'one', ada)
  await appendToDocument(kb, 'b', 'two', ada)
  const shown = await undoChanges(kb, { by: 'ada/1' }, { ...bob, dryRun: true })
  expect(shown.undone).toHaveLength(2)
  // One more change, an edit by hand beside, a change that was taken back: each is another plan.
  for (const change of [
    () => appendToDocument(kb, 'b', 'three', ada),
    async () => writeFileSync(join(folder, 'a.md'), `By hand.\n${texts()[0]}`),
    () => undoChanges(kb, { by: 'ada/1', id: 'b' }, bob),
  ]) {
    await change()
    const now = texts()
    await expect(
      undoChanges(kb, { by: 'ada/1' }, { ...bob, ifPlan: shown.plan! }),
    ).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('Nothing was changed'),
    })
    expect(texts()).toEqual(now)
  }
  const again = await undoChanges(kb, { by: 'ada/1' }, { ...bob, dryRun: true })
  const asShown = { ...bob, ifPlan: again.plan! }
  const { operation } = await undoChanges(kb, { by: 'ada/1' }, asShown)
  expect(texts()).toEqual([`By hand.\n${before[0]}`, before[1]])
  // Done twice, it says so; and it can itself be undone.
  await expect(undoChanges(kb, { by: 'ada/1' }, asShown)).rejects.toMatchObject({
    code: 'not_found',
  })
  const back = await undoChanges(kb, { operation: operation! }, { ...bob, dryRun: true })
  await undoChanges(kb, { operation: operation! }, { ...bob, ifPlan: back.plan! })
  expect(texts()[0]).toBe('By hand.\na\n\none\n')
})

it('takes the folders back that a move or a new note has made, and no others', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': '# Tea\n', 'kept/a.md': 'a\n' })
  const there = (path: string): boolean => existsSync(join(folder, path))
  const { operation: moved } = await moveDocument(kb, 'tea', 'new/deep/cha.md', ada)
  const undone = await undoChanges(kb, { operation: moved! }, ada)
  expect([there('tea.md'), there('new/deep'), there('new')]).toEqual([true, false, false])
  // And back again.
  await undoChanges(kb, { operation: undone.operation! }, ada)
  expect([there('tea.md'), there('new/deep/cha.md')]).toEqual([false, true])

  const { operation: first } = await createDocument(kb, 'more/one.md', 'x\n', ada)
  const { operation: second } = await createDocument(kb, 'more/two.md', 'x\n', ada)
  await undoChanges(kb, { operation: first! }, ada)
  expect(readdirSync(join(folder, 'more'))).toEqual(['two.md'])
  const { operation: into } = await moveDocument(kb, 'more/two', 'kept/two.md', ada)
  await undoChanges(kb, { operation: into! }, ada)
  // What was there before is nobody's to remove, and what holds something else stays.
  expect(readdirSync(join(folder, 'kept'))).toEqual(['a.md'])
  await deleteDocument(kb, 'kept/a.md', ada)
  expect(there('kept')).toBe(true)
  writeFileSync(join(folder, 'more/by-hand.txt'), '')
  await undoChanges(kb, { operation: second! }, ada)
  expect(readdirSync(join(folder, 'more'))).toEqual(['by-hand.txt'])
})
