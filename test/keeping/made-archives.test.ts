/** Archives that somebody made by hand: they bring documents, and nothing else. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { readArchive } from '../../src/keep/archives/read-archive.ts'
import { END, headerBlocks } from '../../src/keep/archives/tar.ts'
import { makeArchive } from '../support/made-archive.ts'
import type { MadeArchive } from '../support/made-archive.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OK = ['sources/notes/ok.md', '# Ok\n'] as const

async function restored(archive: string, name = 'notes') {
  const above = temporaryFolder()
  const into = join(above, name)
  const { code, out, err } = await runCairn('/', 'restore', archive, '--into', into, '--json')
  return { above, into, code, err, report: code === 0 ? JSON.parse(out) : undefined }
}

async function refused(made: MadeArchive): Promise<string> {
  const { above, code, err } = await restored(makeArchive(made), 'elsewhere')
  expect(code).toBe(2)
  expect(err).toContain('Nothing was changed')
  expect(readdirSync(above)).toEqual([])
  return err
}

describe('a made archive', { timeout: 120_000 }, () => {
  it('never says where a source is', async () => {
    const secret = temporaryFolder({ 'private.md': '# Private\n\nwolverine diary\n' })
    const sources = [{ name: 'notes', rules: { path: secret } }]
    expect(await refused({ entries: [OK], manifest: { sources } })).toContain('manifest')
  })

  it.each<readonly [string, readonly Record<string, unknown>[]]>([
    ['no source', []],
    ['two of one name', [{ name: 'notes' }, { name: 'Notes' }]],
    ['the state folder as a source', [{ name: '.cairn' }, { name: 'notes' }]],
    ['a name that no source may have', [{ name: 'notes' }, { name: 'a b' }]],
    ['a folder above', [{ name: '..' }]],
    ['a file elsewhere', [{ name: 'notes', file: '../x.jsonl' }]],
    ['a file that is not in it', [{ name: 'notes', file: 'x.jsonl' }]],
    [
      'a setting of another kind',
      [{ name: 'notes', rules: { embedding: { provider: 'openai' } } }],
    ],
    ['a kind that has no folder', [{ name: 'notes', rules: { kind: 'database' } }]],
    ['rules that are none', [{ name: 'notes', rules: { include: 'x' } }]],
  ])('is refused with %s', async (_, sources) => {
    await refused({ entries: [OK], manifest: { sources } })
  })

  it.each([
    'sources/notes/.git/config',
    'sources/notes/deep/.GIT/hooks/post-checkout',
    'sources/notes/.cairn/tokens.json',
    'sources/notes/node_modules/x/index.md',
    'sources/other/a.md',
    'sources/notes',
    'sign-in.key',
    'base.json',
    'write.lock',
    'constructor',
    'deep/index.db',
  ])('does not bring %s', async (path) => {
    expect(await refused({ entries: [OK, [path, 'x']] })).toContain('nothing that a backup holds')
  })

  it('is unpacked within what its manifest counts', async () => {
    const entries: MadeArchive['entries'] = [
      ['sources/notes/uncounted.md', 'x'.repeat(50_000)],
      ['sources/notes/.git/config', 'uncounted too'],
      ['sources/notes/ok.md', 'an earlier and much longer version'],
      OK,
    ]
    const archive = makeArchive({ entries, counted: [OK[0]] })
    const opened: (readonly [string, number])[] = []
    const { bytes } = await readArchive(archive, {
      open: ({ path, size }) => void opened.push([path, size]),
    })
    expect([opened, bytes]).toEqual([[[OK[0], OK[1].length]], OK[1].length])
    const { into, report } = await restored(archive)
    expect(report).toMatchObject({ ok: true, documents: 1 })
    expect(readdirSync(into).toSorted()).toEqual(['.cairn', 'ok.md'])
    expect(readFileSync(join(into, 'ok.md'), 'utf8')).toBe(OK[1])
  })

  it('is refused before it is read where it would become far more than it is', async () => {
    const header = { kind: 'file', mode: 0o644, modifiedAt: 0 } as const
    const file = join(temporaryFolder(), 'bomb.tgz')
    const large = headerBlocks({ ...header, path: 'sources/notes/a.md', size: 4 * 1024 ** 3 })
    writeFileSync(file, gzipSync(large))
    await expect(readArchive(file)).rejects.toThrow(/far more/)
    const manifest = headerBlocks({ ...header, path: 'cairn-backup.json', size: 200 * 1024 ** 2 })
    writeFileSync(file, gzipSync(manifest))
    await expect(readArchive(file)).rejects.toThrow(/manifest is too long/)
    writeFileSync(file, gzipSync(Buffer.concat([END, Buffer.alloc(4 * 1024 ** 2)])))
    await expect(readArchive(file)).rejects.toThrow(/follows its end/)
  })

  it('brings tokens along, and whoever restores it is told whose', async () => {
    const digest = 'ab'.repeat(32)
    const may = ['read', 'write', 'maintain']
    const token = { id: 'abcdefgh', name: 'stranger', may, see: [], hide: [], digest }
    const tokens = JSON.stringify({ tokens: [{ ...token, createdAt: '2026-01-01T00:00:00Z' }] })
    const archive = makeArchive({
      entries: [
        ['sources/notes/a.md', '# A\n'],
        ['tokens.json', tokens],
      ],
    })
    const folder = temporaryFolder()
    const { code, out } = await runCairn(folder, 'restore', archive, '--into', 'notes')
    expect([code, out]).toEqual([0, expect.stringMatching(/^warning: .*tokens.*stranger/m)])
  })

  it('may hold configurations of its own, under any names', async () => {
    const own = { 'cairn.yaml': 'sources: []\n', 'Cairn.restored.yaml': 'a: 1\n' }
    const entries = Object.entries(own).map(
      ([name, text]) => [`sources/notes/${name}`, text] as const,
    )
    const { into, report, code } = await restored(makeArchive({ entries: [OK, ...entries] }), 'new')
    expect([code, report?.base]).toEqual([0, { configFile: join(into, 'cairn.restored-2.yaml') }])
    for (const [name, text] of Object.entries(own)) {
      expect(readFileSync(join(into, name), 'utf8')).toBe(text)
    }
    const config = JSON.parse(readFileSync(report.base.configFile, 'utf8'))
    expect(config).toEqual({ sources: [{ name: 'notes', path: '.' }], state: './.cairn' })
    const list = await runCairn('/', 'list', '--config', report.base.configFile, '--json')
    expect(list.out).toContain('notes/ok.md')
    // Backed up and restored once more, they are all still there.
    const again = await runCairn('/', 'backup', '--config', report.base.configFile, '--json')
    const twice = await restored(JSON.parse(again.out).path, 'newer')
    expect(twice.code).toBe(0)
    expect(existsSync(join(twice.into, 'cairn.yaml'))).toBe(true)
  })

  it('is read by its own rules, not by those of the folder one stands in', async () => {
    const here = temporaryFolder({ 'cairn.yaml': 'maxFileBytes: 1\n' })
    const into = join(temporaryFolder(), 'notes')
    const archive = makeArchive({ entries: [OK] })
    const { out } = await runCairn(here, 'restore', archive, '--into', into, '--json')
    expect(JSON.parse(out)).toMatchObject({ ok: true, documentsInIndex: 1 })
  })
})
