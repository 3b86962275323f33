/** Calls that took effect and report an error all the same, as a network drive that repeats them. */
import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { deleteDocument } from '../../src/core/operations/writing/delete-document.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { openSmallBase } from '../support/open-small-base.ts'

/** Which calls on notes report an error, once each, after they were done. */
const lying = vi.hoisted(() => new Map<string, string>())
const lies = vi.hoisted(() => ({ told: 0 }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const twice =
    (name: string, call: (...args: any[]) => unknown) =>
    (...args: any[]) => {
      const result = call(...args)
      const code = lying.get(name)
      if (code === undefined || !args.some((arg) => String(arg).endsWith('.md'))) return result
      lying.delete(name)
      lies.told++
      throw Object.assign(new Error(`${code}: repeated`), { code, syscall: name })
    }
  const mocked = {
    ...fs,
    renameSync: twice('rename', fs.renameSync),
    linkSync: twice('link', fs.linkSync),
    unlinkSync: twice('unlink', fs.unlinkSync),
    symlinkSync: twice('symlink', fs.symlinkSync),
  }
  return { ...mocked, default: mocked }
})

const by = { by: { client: 'test/1' } }

beforeEach(() => {
  lying.clear()
  lies.told = 0
})

it.each([
  ['rename', 'ENOENT'],
  ['link', 'EEXIST'],
])('settles a %s that says %s by looking at the files', async (call, code) => {
  const { kb, folder } = await openSmallBase({ 'tea.md': 'x\n', 'old.md': 'y\n' })
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  const changes = [
    () => appendToDocument(kb, 'tea.md', 'one', by),
    () => createDocument(kb, 'new.md', 'new\n', by),
    () => moveDocument(kb, 'tea.md', 'cha.md', by),
    () => deleteDocument(kb, 'old.md', by),
  ]
  for (const change of changes) {
    lying.set(call, code)
    await change()
  }
  expect(text('cha.md')).toContain('one')
  expect(text('new.md')).toBe('new\n')
  expect([existsSync(join(folder, 'tea.md')), existsSync(join(folder, 'old.md'))]).toEqual([
    false,
    false,
  ])
  expect(lies.told).toBeGreaterThan(1)
  const { operations } = await listHistory(kb)
  expect(operations.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'delete done',
    'move done',
    'create done',
    'append done',
  ])
})
