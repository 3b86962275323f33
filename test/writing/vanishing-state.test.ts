/** `.cairn` or the history is deleted between two steps of a write: it is made again, nothing is lost. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { appendToDocument } from '../support/edit-documents.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { openSmallBase } from '../support/open-small-base.ts'

/** What is deleted right before a call on a place that ends so, once. */
const deletion = vi.hoisted(() => ({ before: '', at: '', folder: '' }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const vanishing =
    (name: string, call: (...args: any[]) => unknown) =>
    (...args: any[]) => {
      if (deletion.before === name && String(args[0]).includes(deletion.at)) {
        deletion.before = ''
        fs.rmSync(deletion.folder, { recursive: true })
      }
      return call(...args)
    }
  const mocked = {
    ...fs,
    writeFileSync: vanishing('writeFile', fs.writeFileSync),
    readdirSync: vanishing('readdir', fs.readdirSync),
  }
  return { ...mocked, default: mocked }
})

const by = { by: { client: 'test/1' } }

beforeEach(() => {
  deletion.before = ''
})

it.each([
  ['.cairn', 'writeFile', '/.cairn/aside/'],
  ['history', 'readdir', '/history'],
])('goes on when %s is deleted before %s of %s', async (what, before, at) => {
  const { kb, folder, state } = await openSmallBase({ 'tea.md': 'x\n' })
  await appendToDocument(kb, 'tea', 'one', by)
  // A file that was just written to is moved aside, however long ago that is on a busy machine.
  vi.spyOn(Date, 'now').mockReturnValue(statSync(join(folder, 'tea.md')).ctimeMs)
  onTestFinished(() => void vi.restoreAllMocks())
  Object.assign(deletion, { before, at, folder: join(what === 'history' ? state : folder, what) })
  await appendToDocument(kb, 'tea', 'two', by)
  expect(deletion.before).toBe('')
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('x\n\none\n\ntwo\n')
  const { operations } = await listHistory(kb)
  expect(operations[0]).toMatchObject({ kind: 'append', state: 'done' })
})
