import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { deleteDocument } from '../../src/core/operations/writing/delete-document.ts'
import { appendToDocument, replaceDocument } from '../support/edit-documents.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const by = { client: 'test/1' }

it('creates, replaces, appends to and deletes a document that is searchable at once', async () => {
  const base = await openTestBase({ 'tea.md': '# Tea\n' })
  const { kb, folder } = base
  const made = await createDocument(kb, 'drinks/coffee', 'Needs a [[tea]] spoon.\n', { by })
  expect(made).toMatchObject({ id: 'notes/drinks/coffee.md', warnings: [] })
  expect(readFileSync(join(folder, 'drinks/coffee.md'), 'utf8')).toBe('Needs a [[tea]] spoon.\n')
  expect((await base.call('search', { query: 'spoon' })).results[0].id).toBe(made.id)
  expect((await base.call('neighbors', { id: 'tea' })).neighbors[0].id).toBe(made.id)

  await expect(createDocument(kb, 'Drinks/Coffee.md', 'x', { by })).rejects.toMatchObject({
    code: 'exists',
  })
  const replaced = await replaceDocument(kb, 'coffee', 'Beans.\n', { by, ifDigest: made.digest })
  expect(replaced.diff).toContain('+Beans.')
  await expect(
    replaceDocument(kb, 'coffee', 'Lost.\n', { by, ifDigest: made.digest }),
  ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(replaced.digest!) })
  const added = await appendToDocument(kb, 'coffee', 'More.', { by, dryRun: true })
  expect(added.operation).toBeUndefined()
  await appendToDocument(kb, 'coffee', 'More.', { by })
  expect(readFileSync(join(folder, 'drinks/coffee.md'), 'utf8')).toBe('Beans.\n\nMore.\n')

  const gone = await deleteDocument(kb, 'notes/drinks/coffee.md', { by })
  expect(gone.digest).toBeUndefined()
  expect(existsSync(join(folder, 'drinks/coffee.md'))).toBe(false)
  expect((await base.call('search', { query: 'beans' })).results).toEqual([])
  const { operations } = await listHistory(kb)
  expect(operations.map(({ kind, state }) => [kind, state])).toEqual([
    ['delete', 'done'],
    ['append', 'done'],
    ['replace', 'done'],
    ['create', 'done'],
  ])
})

it('does not tell what there is where the rules leave it out', async () => {
  const { kb } = await openTestBase(
    {
      'tea.md': 'x\n',
      'secret/plan.md': 'x\n',
      'secret/What?.md': 'x\n',
      'Hidden.md': 'x\n',
      'Open/a.md': 'x\n',
    },
    { exclude: ['secret/**', 'Hidden.md'] },
  )
  const said = async (path: string, change: (path: string) => Promise<unknown>) =>
    change(path).then(
      () => 'nothing',
      (error: Error) => error.message.replace(path, 'PATH'),
    )
  const create = (path: string) => createDocument(kb, path, 'x', { by })
  const move = (path: string) => moveDocument(kb, 'tea', path, { by })
  const paths = ['secret/plan.md', 'secret/Plan.md', 'secret/What?.md', 'Secret/plan.md']
  const missing = await said('secret/new.md', create)
  expect(missing).toContain('would not be part of the source')
  for (const path of [...paths, 'hidden.md']) {
    expect(await said(path, create)).toBe(missing)
    expect(await said(path, move)).toBe(missing)
  }
  // Elsewhere it is said, also of a folder in other letters.
  expect(await said('open/A.md', create)).toContain('There is already "notes/Open/a.md"')
})

it('does not call a link dead whose target may not be indexed yet', async () => {
  const base = await openTestBaseAt(temporaryFolder({ 'tea.md': 'x\n' }))
  const catchingUp = () => ({ phase: 'scan', done: 0, total: 0 }) as const
  const early = await createDocument({ ...base.kb, catchingUp }, 'a', '[[tea]]', { by })
  expect(early.warnings).toEqual([])
  await base.sync()
  const late = await createDocument(base.kb, 'b', '[[tea]] [[gone]]', { by })
  expect(late.warnings).toHaveLength(1)
})

it('takes a number at the end of a name for a part of the name', async () => {
  const { kb } = await openTestBase({})
  expect((await createDocument(kb, 'Release 1.2', 'x', { by })).id).toBe('notes/Release 1.2.md')
  expect((await moveDocument(kb, 'Release 1.2', 'Log 2026.03', { by })).id).toBe(
    'notes/Log 2026.03.md',
  )
})
