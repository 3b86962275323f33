/** Documents of the database as files and back: the same bytes, one way, nothing overwritten. */
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { app } from '../../src/serve/cli/plug-in.ts'
import { NO_INPUT } from '../../src/serve/cli/input.ts'
import { run } from '../../src/serve/cli/run.ts'
import { openTerminal } from '../../src/serve/cli/terminal.ts'
import { startPglite } from '../support/pglite-server.ts'
import type { PgliteServer } from '../support/pglite-server.ts'
import { runCairn } from '../support/run-cairn.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

let server: PgliteServer
let bases = 0
beforeAll(async () => {
  server = await startPglite()
}, 600_000)
afterAll(() => server.close())

/** Runs commands on one base whose documents are in the database. */
function openCommands(sources: readonly string[] = ['db:notes']) {
  const home = temporaryFolder()
  const url = `${server.url}?base=files ${bases++}`
  const where = [...sources.flatMap((each) => ['--folder', each]), '--store', url]
  const cairn = async (...words: string[]) => {
    const { code, out, err } = await runCairn(home, ...words, ...where, '--json')
    const answer = out === '' ? {} : (JSON.parse(out) as Record<string, any>)
    return { ...answer, code, err } as Record<string, any>
  }
  return { home, where, cairn }
}

const ODD = new Uint8Array([0xef, 0xbb, 0xbf, 0x41, 0x0d, 0x0a, 0x42, 0x0d])

it('brings files in and gives them back byte for byte', { timeout: 600_000 }, async () => {
  const { cairn } = openCommands()
  const from = temporaryFolder({
    'tea.md': 'Needs a [[kettle]].\n',
    'things/kettle.md': 'Boils.',
    'odd.md': ODD,
    'none.md': '',
    'things/picture.png': 'no document',
  })
  const dry = await cairn('import', from, '--dry-run')
  expect([dry['code'], dry['created'].length]).toEqual([0, 4])
  expect((await cairn('list'))['total']).toBe(0)
  const brought = await cairn('import', from)
  expect([brought['created'].length, brought['conflicts']]).toEqual([4, []])
  expect((await cairn('search', 'boils'))['results'][0].id).toBe('notes/things/kettle.md')
  expect(await cairn('import', from)).toMatchObject({ code: 0, created: [], unchanged: 4 })

  const to = join(temporaryFolder(), 'copy')
  expect((await cairn('export', to))['written']).toHaveLength(4)
  for (const path of ['tea.md', 'things/kettle.md', 'odd.md', 'none.md']) {
    expect(readFileSync(join(to, path)).equals(readFileSync(join(from, path)))).toBe(true)
  }
  expect(await cairn('export', to)).toMatchObject({ code: 0, written: [], unchanged: 4 })
  expect(await cairn('undo')).toMatchObject({ code: 0 })
  expect((await cairn('export', to))['removed']).toHaveLength(4)
})

it(
  'names what differs on either side, and overwrites nothing unasked',
  { timeout: 600_000 },
  async () => {
    const { cairn } = openCommands()
    const from = temporaryFolder({ 'a.md': 'one\n', 'b.md': 'two\n', 'c.md': 'three\n' })
    await cairn('import', from)
    writeFiles(from, { 'a.md': 'mine\n', 'B2.md': 'new\n', 'b2.md': 'twin\n' })
    const again = await cairn('import', from)
    expect(again).toMatchObject({ code: 1, created: ['notes/B2.md'], replaced: [], unchanged: 2 })
    expect(again['conflicts'].map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'a.md',
      'b2.md',
    ])

    const to = temporaryFolder({ 'a.md': 'somebody wrote this\n' })
    const first = await cairn('export', to)
    expect([first['code'], first['written'].length]).toEqual([1, 3])
    expect(readFileSync(join(to, 'a.md'), 'utf8')).toBe('somebody wrote this\n')
    writeFileSync(join(to, 'b.md'), 'changed here\n')
    rmSync(join(to, 'c.md'))
    await cairn('delete', 'b')
    const second = await cairn('export', to)
    expect(second).toMatchObject({ code: 1, written: ['c.md'], removed: [] })
    expect(readFileSync(join(to, 'b.md'), 'utf8')).toBe('changed here\n')
    const asked = await cairn('export', to, '--overwrite')
    expect(asked).toMatchObject({ code: 0, written: ['a.md'], removed: ['b.md'] })
    expect(readFileSync(join(to, 'a.md'), 'utf8')).toBe('one\n')
    expect((await cairn('import', from, '--overwrite'))['replaced']).toEqual(['notes/a.md'])
  },
)

it('writes nothing outside of the folder', { timeout: 600_000 }, async () => {
  const { cairn } = openCommands()
  await cairn('import', temporaryFolder({ 'out/a.md': 'one\n' }))
  const [outside, to] = [temporaryFolder(), temporaryFolder()]
  symlinkSync(outside, join(to, 'out'))
  const { code, conflicts } = await cairn('export', to)
  expect([code, conflicts.length]).toEqual([1, 1])
  expect(readdirSync(outside)).toEqual([])
})

it(
  'keeps several sources apart, and says where there is nothing to do',
  { timeout: 600_000 },
  async () => {
    const { cairn } = openCommands(['db:one', 'db:two'])
    const from = temporaryFolder({ 'a.md': 'text\n' })
    expect((await cairn('import', from))['code']).toBe(2)
    await cairn('import', from, '--into', 'two')
    const to = temporaryFolder()
    expect((await cairn('export', to))['written']).toEqual(['two/a.md'])
    const folder = temporaryFolder({ 'a.md': 'text\n' })
    const plain = await runCairn(folder, 'export', to, '--folder', folder)
    expect([plain.code, plain.err]).toEqual([2, expect.stringContaining('files already')])
  },
)

it('follows what changes until it is stopped', { timeout: 600_000 }, async () => {
  const { home, where, cairn } = openCommands()
  await cairn('import', temporaryFolder({ 'a.md': 'one\n', 'b.md': 'two\n' }))
  const to = temporaryFolder()
  let stop = (): void => {}
  const silent = openTerminal({ write: () => {} }, { write: () => {} }, {})
  const following = run(['export', to, '--follow', ...where], {
    app,
    terminal: silent,
    env: {},
    cwd: home,
    home,
    input: NO_INPUT,
    onStop: (listener) => (stop = listener),
  })
  onTestFinished(() => stop())
  await vi.waitFor(() => expect(existsSync(join(to, 'b.md'))).toBe(true), SOON)
  await cairn('write', 'replace', 'a', 'changed')
  await cairn('delete', 'b')
  const text = () => readFileSync(join(to, 'a.md'), 'utf8')
  await vi.waitFor(() => expect(text()).toContain('changed'), SOON)
  await vi.waitFor(() => expect(existsSync(join(to, 'b.md'))).toBe(false), SOON)
  stop()
  expect(await following).toBe(0)
})

it('packs documents of the database into a backup, and gives them back as a folder', async () => {
  const { home, cairn } = openCommands()
  await cairn('import', temporaryFolder({ 'a.md': 'one\n', 'b/c.md': ODD }))
  await cairn('write', 'replace', 'a', 'changed')
  const made = await cairn('backup', '--to', join(home, 'backups'))
  expect(made).toMatchObject({ code: 0, documents: 2 })
  const into = join(temporaryFolder(), 'back')
  const back = await runCairn(home, 'restore', made['path'], '--into', into)
  expect([back.code, back.err]).toEqual([0, expect.any(String)])
  expect(readFileSync(join(into, 'b/c.md')).equals(Buffer.from(ODD))).toBe(true)
  // The history came along: what was changed in the database can be undone in the folder.
  expect(readFileSync(join(into, 'a.md'), 'utf8')).toContain('changed')
  const undone = await runCairn(into, 'undo')
  expect([undone.code, undone.err]).toEqual([0, expect.any(String)])
  expect(readFileSync(join(into, 'a.md'), 'utf8')).toBe('one\n')
  expect(readdirSync(join(home, 'backups'))).toHaveLength(1)
})
