/** What a file is besides its text: a link, its permissions, its odd name. All of it survives. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { deleteDocument } from '../../src/core/operations/writing/delete-document.ts'
import {
  appendToDocument,
  editSection,
  findAndReplace,
  replaceDocument,
} from '../support/edit-documents.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { restoreDocument, undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { openSmallBase, openSmallBaseAt } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const by = { by: { client: 'test/1' } }

describe.skipIf(process.platform === 'win32')('a note that is a symbolic link', () => {
  async function open() {
    const folder = temporaryFolder({ 'real/tea.md': '# Tea\n', 'index.md': '[[short]]\n' })
    symlinkSync('real/tea.md', join(folder, 'short.md'))
    const base = await openSmallBaseAt(folder)
    await base.sync()
    const target = (path: string) =>
      lstatSync(join(folder, path)).isSymbolicLink() ? readlinkSync(join(folder, path)) : 'a file'
    return { ...base, target }
  }

  it('stays one when it is edited', async () => {
    const { kb, folder, target } = await open()
    await appendToDocument(kb, 'short.md', 'More.', by)
    expect(target('short.md')).toBe('real/tea.md')
    expect(readFileSync(join(folder, 'real/tea.md'), 'utf8')).toContain('More.')
    await undoChanges(kb, {}, by)
    expect(target('short.md')).toBe('real/tea.md')
    expect(readFileSync(join(folder, 'real/tea.md'), 'utf8')).toBe('# Tea\n')
  })

  it('comes back as one when it is deleted and restored, or moved and moved back', async () => {
    const { kb, folder, target } = await open()
    await deleteDocument(kb, 'short.md', by)
    expect(existsSync(join(folder, 'short.md'))).toBe(false)
    expect(existsSync(join(folder, 'real/tea.md'))).toBe(true)
    await restoreDocument(kb, 'short.md', by)
    expect(target('short.md')).toBe('real/tea.md')
    await deleteDocument(kb, 'short.md', by)
    await undoChanges(kb, {}, by)
    expect(target('short.md')).toBe('real/tea.md')
    await moveDocument(kb, 'short.md', 'a/b/brief.md', by)
    expect(target('a/b/brief.md')).toBe('../../real/tea.md')
    expect(existsSync(join(folder, 'short.md'))).toBe(false)
    await undoChanges(kb, {}, by)
    expect(target('short.md')).toBe('real/tea.md')
  })

  it('comes back as a file when what it led to says something else by now', async () => {
    const { kb, folder, target } = await open()
    await deleteDocument(kb, 'short.md', by)
    writeFileSync(join(folder, 'real/tea.md'), 'Other.\n')
    await restoreDocument(kb, 'short.md', by)
    expect(target('short.md')).toBe('a file')
    expect(readFileSync(join(folder, 'short.md'), 'utf8')).toBe('# Tea\n')
  })
})

it.skipIf(process.platform === 'win32')('keeps private notes private', async () => {
  const { kb, folder } = await openSmallBase({ 'tea.md': 'x\n' })
  const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8)
  chmodSync(join(folder, 'tea.md'), 0o600)
  await appendToDocument(kb, 'tea', 'More.', by)
  expect(mode('tea.md')).toBe('600')
  await undoChanges(kb, {}, by)
  expect(mode('tea.md')).toBe('600')
  await deleteDocument(kb, 'tea.md', by)
  await undoChanges(kb, {}, by)
  expect(mode('tea.md')).toBe('600')
  await deleteDocument(kb, 'tea.md', by)
  await restoreDocument(kb, 'tea.md', by)
  expect(mode('tea.md')).toBe('600')
  await moveDocument(kb, 'tea', 'drinks/tea', by)
  await deleteDocument(kb, 'drinks/tea', by)
  const { undone } = await undoChanges(kb, { since: 0 }, by)
  expect(undone.length).toBeGreaterThan(1)
  expect(mode('tea.md')).toBe('600')
})

it.skipIf(process.platform === 'win32')(
  'edits and renames a note whose name another system would refuse',
  async () => {
    const { kb, folder } = await openSmallBase({
      'What?.md': '# What?\n',
      'a: b./c.md': 'x\n',
      'index.md': '[[What?]]\n',
    })
    await appendToDocument(kb, 'What?.md', 'This.', by)
    expect(readFileSync(join(folder, 'What?.md'), 'utf8')).toContain('This.')
    await appendToDocument(kb, 'a: b./c.md', 'More.', by)
    await moveDocument(kb, 'What?.md', 'What.md', by)
    expect(existsSync(join(folder, 'What.md'))).toBe(true)
    await undoChanges(kb, {}, by)
    expect(existsSync(join(folder, 'What?.md'))).toBe(true)
    await deleteDocument(kb, 'What?.md', by)
    await restoreDocument(kb, 'What?.md', by)
    expect(readFileSync(join(folder, 'What?.md'), 'utf8')).toContain('This.')
    await moveDocument(kb, 'What?.md', 'old/What?.md', by)
    expect(readFileSync(join(folder, 'old/What?.md'), 'utf8')).toContain('This.')
    // A new name is one that every system can keep.
    await expect(createDocument(kb, 'Why?.md', 'x', by)).rejects.toMatchObject({ code: 'invalid' })
    await expect(moveDocument(kb, 'index', 'Why?', by)).rejects.toMatchObject({ code: 'invalid' })
  },
)

it.each([
  ['a NUL character', 'a\0b'],
  ['a lone surrogate', 'a\ud800b'],
])('refuses %s in a text, and says so', async (_what, bad) => {
  const { kb, folder } = await openSmallBase({ 'tea.md': '# Tea\n\nx\n' })
  const refusals = [
    () => createDocument(kb, 'new', bad, by),
    () => replaceDocument(kb, 'tea', bad, by),
    () => appendToDocument(kb, 'tea', bad, by),
    () => editSection(kb, 'tea', { section: 'Tea', content: bad }, by),
    () => findAndReplace(kb, 'tea', { find: 'x', replace: bad }, by),
  ]
  for (const refusal of refusals) {
    await expect(refusal()).rejects.toMatchObject({ code: 'invalid', hint: expect.any(String) })
  }
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n\nx\n')
  expect(existsSync(join(folder, 'new.md'))).toBe(false)
})

it('leaves the blank lines of an empty last section', async () => {
  const { kb, folder } = await openSmallBase({ 'tea.md': '# Tea\n\n## Notes\n\n\n' })
  mkdirSync(join(folder, 'x'), { recursive: true })
  await editSection(kb, 'tea', { section: 'Notes', content: 'One.' }, by)
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n\n## Notes\n\nOne.\n\n')
})

/** Python can set extended attributes, and is there on most machines that run these tests. */
function python(code: string): string | undefined {
  const { status, stdout } = spawnSync('python3', ['-c', `import os\n${code}`], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : undefined
}

it.skipIf(process.platform !== 'linux')(
  'keeps extended attributes and access control lists through every kind of change',
  { timeout: 600_000 },
  async (context) => {
    const { kb, folder } = await openSmallBase({ 'tea.md': 'x\n' })
    const hourAgo = new Date(Date.now() - 3_600_000)
    utimesSync(join(folder, 'tea.md'), hourAgo, hourAgo)
    const file = JSON.stringify(join(folder, 'tea.md'))
    // user::rw- user:1234:rw- group::--- mask::rw- other::---
    const acl = `import struct
entries = [(1, 6, 0xffffffff), (2, 6, 1234), (4, 0, 0xffffffff), (16, 6, 0xffffffff), (32, 0, 0xffffffff)]
os.setxattr(${file}, 'system.posix_acl_access', struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *e) for e in entries))`
    const set = python(`os.setxattr(${file}, 'user.note', b'mine')\n${acl}`)
    if (set === undefined) return context.skip('this machine cannot set extended attributes')
    const show = `print({n: os.getxattr(${file}, n).hex() for n in sorted(os.listxattr(${file}))})`
    const before = python(show)
    expect(before).toContain('posix_acl_access')
    await appendToDocument(kb, 'tea', 'More.', by)
    expect(python(show)).toBe(before)
    await undoChanges(kb, {}, by)
    expect(python(show)).toBe(before)
    await replaceDocument(kb, 'tea', 'All new.\n', by)
    expect(python(show)).toBe(before)
    await moveDocument(kb, 'tea', 'drinks/cha', by)
    await undoChanges(kb, {}, by)
    expect(python(show)).toBe(before)
    await deleteDocument(kb, 'tea.md', by)
    await undoChanges(kb, {}, by)
    expect(python(show)).toBe(before)
    await deleteDocument(kb, 'tea.md', by)
    // When what was removed is not kept whole any more.
    await vi.waitFor(() => expect(readdirSync(join(folder, '.cairn/replaced'))).toEqual([]), {
      timeout: 150_000,
      interval: 100,
    })
    await restoreDocument(kb, 'tea.md', by)
    expect(python(show)).toBe(before)
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('All new.\n')
  },
)

it.skipIf(process.platform !== 'linux')(
  'gives each of many notes that change together what it had, and nothing of another',
  { timeout: 600_000 },
  async (context) => {
    const notes = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`f${n % 3}/note ${n}.md`, 'See [[tea]].\n']),
    )
    const { kb, folder } = await openSmallBase({ 'tea.md': '# Tea\n', ...notes })
    const files = Object.keys(notes).map((name) => join(folder, name))
    const marked = files.filter((_, n) => n % 7 === 0)
    const set = python(
      `for f in ${JSON.stringify(marked)}: os.setxattr(f, 'user.note', f.encode())`,
    )
    if (set === undefined) return context.skip('this machine cannot set extended attributes')
    const { rewrittenIn } = await moveDocument(kb, 'tea', 'cha', by)
    expect(rewrittenIn.length).toBe(files.length)
    const shown = python(
      `for f in ${JSON.stringify(files)}: print({n: os.getxattr(f, n).decode() for n in os.listxattr(f)})`,
    )
    expect(shown!.split('\n')).toEqual(
      files.map((file) => (marked.includes(file) ? `{'user.note': '${file}'}` : '{}')),
    )
  },
)
