/**
 * A writer killed in the moment in which a note has no name: it was moved aside, and what was to
 * take its place is not there yet. Whoever comes next gives it its name back.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { recoverWrites } from '../../src/core/operations/writing/change-files.ts'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import { startDying } from '../support/appending.ts'
import { namelessFiles } from '../../src/core/sources/folder/nameless-files.ts'
import { ReplacedFiles } from '../../src/core/sources/folder/replaced-files.ts'
import { openTestBaseAt } from '../support/open-test-base.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const nobody = { by: {} }
const SOON = { timeout: 150_000, interval: 100 }

/** A folder with a note that has no name, and every line of it that was acknowledged. */
async function leave(root: string, path = 'log.md'): Promise<readonly string[]> {
  const writer = startDying(root, join(root, '.cairn'), path, 'agent')
  await writer.ended
  expect(existsSync(join(root, path))).toBe(false)
  return ['# Log', ...writer.acknowledged]
}

function linesOf(place: string): string[] {
  return readFileSync(place, 'utf8').split('\n')
}

it('comes back with the next write of a base with a state folder of its own', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n', 'tea.md': 'Tea.\n' })
  const lines = await leave(folder)
  const { kb } = await openTestBaseAt(folder)
  await appendToDocument(kb, 'tea.md', 'More.', nobody)
  expect(linesOf(join(folder, 'log.md'))).toEqual(expect.arrayContaining([...lines]))
  await appendToDocument(kb, 'log.md', '- next', nobody)
  expect(linesOf(join(folder, 'log.md'))).toEqual(expect.arrayContaining([...lines, '- next']))
  expect(readdirSync(join(folder, '.cairn/aside'))).toEqual([])
})

it('comes back when another base starts, however late, and is not swept away', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const lines = await leave(folder)
  const { kb } = await openTestBaseAt(folder)
  const later = Date.now() + 3 * 24 * 60 * 60 * 1_000
  vi.spyOn(Date, 'now').mockReturnValue(later)
  onTestFinished(() => void vi.restoreAllMocks())
  await recoverWrites(kb)
  expect(linesOf(join(folder, 'log.md'))).toEqual(expect.arrayContaining([...lines]))
})

it.each(['the same state', 'another state'])(
  'comes back while a server with %s runs and nobody writes',
  { timeout: 600_000 },
  async (whose) => {
    const folder = temporaryFolder({ 'log.md': '# Log\n' })
    const state = whose === 'the same state' ? join(folder, '.cairn') : temporaryFolder()
    const server = await startServerProcess([`notes=${folder}`, '--state', state])
    onTestFinished(() => server.kill())
    const writer = startDying(folder, join(folder, '.cairn'), 'log.md', 'agent')
    await writer.ended
    await vi.waitFor(() => expect(existsSync(join(folder, 'log.md'))).toBe(true), SOON)
    const lines = ['# Log', ...writer.acknowledged]
    expect(linesOf(join(folder, 'log.md'))).toEqual(expect.arrayContaining(lines))
    await vi.waitFor(async () => {
      const { text } = await server.call('fetch', { id: 'log.md' })
      expect(String(text).split('\n')).toEqual(expect.arrayContaining(lines))
    }, SOON)
  },
)

it('is not taken for free by whoever makes a note of that name', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const lines = await leave(folder)
  const { kb } = await openTestBaseAt(folder)
  await expect(createDocument(kb, 'log.md', 'new\n', nobody)).rejects.toMatchObject({
    code: 'exists',
  })
  expect(linesOf(join(folder, 'log.md'))).toEqual(expect.arrayContaining([...lines]))
})

it('comes back for a vault around its folder, and for a folder inside its vault', async () => {
  const vault = temporaryFolder({ 'work/log.md': '# Log\n', 'work/sub/log.md': '# Log\n' })
  const inner = await leave(join(vault, 'work'))
  const { kb } = await openTestBaseAt(vault)
  await expect(createDocument(kb, 'work/log.md', 'new\n', nobody)).rejects.toMatchObject({
    code: 'exists',
  })
  expect(linesOf(join(vault, 'work/log.md'))).toEqual(expect.arrayContaining([...inner]))

  const outer = await leave(vault, 'work/sub/log.md')
  const below = await openTestBaseAt(join(vault, 'work/sub'))
  await recoverWrites(below.kb)
  expect(linesOf(join(vault, 'work/sub/log.md'))).toEqual(expect.arrayContaining([...outer]))
})

it('stays where it is when someone has made another note of that name', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const lines = await leave(folder)
  writeFileSync(join(folder, 'log.md'), 'by hand\n')
  const { kb } = await openTestBaseAt(folder)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 24 * 60 * 60 * 1_000)
  onTestFinished(() => void vi.restoreAllMocks())
  await recoverWrites(kb)
  expect(readFileSync(join(folder, 'log.md'), 'utf8')).toBe('by hand\n')
  const [note] = readdirSync(join(folder, '.cairn/aside'))
  expect(linesOf(join(folder, '.cairn/replaced', note!))).toEqual(
    expect.arrayContaining([...lines]),
  )
})

it('leaves no note behind, also where a kill cut one off', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const { kb } = await openTestBaseAt(folder)
  const aside = join(folder, '.cairn/aside')
  mkdirSync(aside, { recursive: true })
  writeFileSync(join(aside, `20260101T000000-0a.${'a'.repeat(24)}.1.1`), '')
  await appendToDocument(kb, 'log.md', '- one', nobody)
  await appendToDocument(kb, 'log.md', '- two', nobody)
  expect(readdirSync(aside)).toEqual([])
})

it.skipIf(process.platform === 'win32')('holds up nobody with a pipe or a link', async () => {
  const folder = temporaryFolder({ 'tea.md': 'Tea.\n', '.cairn/aside/x': 'cut off' })
  expect(spawnSync('mkfifo', [join(folder, '.cairn/aside/q')]).status).toBe(0)
  symlinkSync('x', join(folder, '.cairn/aside/link'))
  const { kb } = await openTestBaseAt(folder)
  await appendToDocument(kb, 'tea.md', 'More.', nobody)
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toContain('More.')
  expect(readdirSync(join(folder, '.cairn/aside')).toSorted()).toEqual(['link', 'q'])
})

it.skipIf(process.platform === 'win32')('is not looked for where another user is at home', () => {
  const name = '20200101T000000-ab.594b1bb2c894d78e47283b7e.0.0'
  const above = temporaryFolder({ 'base/tea.md': '', [`.cairn/aside/${name}`]: 'base/x.md' })
  expect(namelessFiles(join(above, 'base'), [])).toMatchObject([{ path: 'x.md' }])
  vi.spyOn(process, 'getuid').mockReturnValue(statSync(above).uid + 1)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(namelessFiles(join(above, 'base'), [])).toEqual([])
})

it.skipIf(process.platform === 'win32')('is never a link, whose target stays as it is', () => {
  const outside = join(temporaryFolder({ 'mine.txt': 'mine' }), 'mine.txt')
  utimesSync(outside, 0, 0)
  const folder = temporaryFolder({ '.cairn/replaced/.keep': '' })
  const name = '20200101T000000-ab.0123456789abcdef01234567.0.0'
  symlinkSync(outside, join(folder, '.cairn/replaced', name))
  for (const each of new ReplacedFiles(folder).list()) each.release()
  expect(readFileSync(outside, 'utf8')).toBe('mine')
})
