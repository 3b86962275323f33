/** Writers that wait in one process share their flushes, and each gets its own answer and operation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { openSmallBase } from '../support/open-small-base.ts'

/** Flushes so far, and the name that nothing may be put in place under. */
const disk = vi.hoisted(() => ({ flushes: 0, refused: '' }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const refusing =
    (call: (...args: any[]) => unknown) =>
    (...args: any[]) => {
      const isRefused = disk.refused !== '' && String(args[1]).endsWith(disk.refused)
      if (isRefused) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      return call(...args)
    }
  const counting =
    (call: (...args: any[]) => unknown) =>
    (...args: any[]) => {
      disk.flushes++
      return call(...args)
    }
  const mocked = {
    ...fs,
    fsync: counting(fs.fsync),
    fsyncSync: counting(fs.fsyncSync),
    linkSync: refusing(fs.linkSync),
    renameSync: refusing(fs.renameSync),
  }
  return { ...mocked, default: mocked }
})

beforeEach(() => Object.assign(disk, { flushes: 0, refused: '' }))

const by = { by: { client: 'test/1' } }
const WRITERS = 64

it('puts what many append to one document on disk with few flushes', async () => {
  const { kb, folder } = await openSmallBase({ 'log.md': '# Log\n\n- begin\n' })
  const writes = Array.from({ length: WRITERS }, (_, n) =>
    appendToDocument(kb, 'log.md', `- line ${n}`, by),
  )
  const results = await Promise.all(writes)
  // Each on its own takes three: the log, the file and its folder.
  expect(disk.flushes).toBeLessThan(WRITERS)
  const lines = Array.from({ length: WRITERS }, (_, n) => `- line ${n}`)
  const text = readFileSync(join(folder, 'log.md'), 'utf8')
  // Each is there once, in the order in which they came to be planned.
  const [head, ...added] = text.trimEnd().split(/\n(?=- line)/)
  expect([head, added.toSorted()]).toEqual(['# Log\n\n- begin', lines.toSorted()])
  expect(new Set(results.map(({ operation }) => operation)).size).toBe(WRITERS)
  // Each says what it changed, and is taken back without the others.
  expect(results.map(({ diff }) => /^\+(- .*)$/m.exec(diff)?.[1])).toEqual(lines)
  await undoChanges(kb, { operation: results[7]!.operation! }, by)
  expect(readFileSync(join(folder, 'log.md'), 'utf8')).toBe(text.replace('- line 7\n', ''))
  const states: string[] = []
  await kb.writing!.history.each(({ state }) => states.push(state) > 0)
  expect(states).toEqual(Array(WRITERS + 1).fill('done'))
})

it('flushes the log and the folder once for many documents', async () => {
  const { kb, folder } = await openSmallBase({ 'log.md': '# Log\n' })
  await Promise.all(
    Array.from({ length: WRITERS }, (_, n) => createDocument(kb, `new/n${n}.md`, `${n}\n`, by)),
  )
  expect(disk.flushes).toBeLessThan(2 * WRITERS)
  expect(readdirSync(join(folder, 'new'))).toHaveLength(WRITERS)
})

it('refuses those that cannot be written, each for its own reason, and no others', async () => {
  const { kb, folder } = await openSmallBase({
    'log.md': '# Log\n',
    'tea.md': '# Tea\n',
    'links.md': '[[tea]]\n',
  })
  // From then on calls come to their turn in the order in which they were made.
  await createDocument(kb, 'first.md', 'made\n', by)
  disk.refused = 'bad.md'
  const outcomes = await Promise.allSettled([
    appendToDocument(kb, 'log.md', '- one', by),
    appendToDocument(kb, 'log.md', '- two', { ...by, ifDigest: '0'.repeat(64) }),
    createDocument(kb, 'bad.md', 'never\n', by),
    createDocument(kb, 'good.md', 'made\n', by),
    appendToDocument(kb, 'missing.md', '- three', by),
    moveDocument(kb, 'tea.md', 'cha.md', by),
    appendToDocument(kb, 'log.md', '- four', by),
    createDocument(kb, 'GOOD.md', 'other\n', by),
  ])
  const codes = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : 'written'))
  expect(codes).toEqual([
    'written',
    'conflict',
    'unavailable',
    'written',
    'not_found',
    'written',
    'written',
    'exists',
  ])
  expect(readFileSync(join(folder, 'log.md'), 'utf8')).toMatch(/^# Log\n- one\n- four\n$/)
  expect(readFileSync(join(folder, 'links.md'), 'utf8')).toBe('[[cha]]\n')
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  expect(names.toSorted()).toEqual(['cha.md', 'first.md', 'good.md', 'links.md', 'log.md'])
})
