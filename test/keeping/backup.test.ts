/** Backups of a base that is being written to, and what comes back from them. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBackups } from '../../src/keep/backup/backups.ts'
import { openHistory } from '../../src/core/history/open-history.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { runCairn } from '../support/run-cairn.ts'
import { startServerProcess, writeThrough } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = (args: readonly string[]) => runCairn('/', ...args)

async function cairn(args: readonly string[]): Promise<Record<string, any>> {
  const { code, out, err } = await run([...args, '--json'])
  if (code !== 0) throw new Error(`cairn ${args.join(' ')} ended with ${code}: ${err}${out}`)
  return JSON.parse(out)
}

const problems = ({ findings }: Record<string, any>): string[] =>
  findings.filter(({ level }: any) => level !== 'ok').map(({ what }: any) => what)

/** All files of a folder with their bytes, the state's own left out. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    names
      .filter((name) => !name.startsWith('.cairn') && statSync(join(folder, name)).isFile())
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

/** Where the files are is another place on purpose. */
function withoutPaths(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === 'path' ? undefined : value)))
}

describe('a backup during 100 concurrent writes', () => {
  it('restores to a sound base with every write that was acknowledged before', async () => {
    const folder = join(temporaryFolder({}), 'notes')
    mkdirSync(folder)
    writeFileSync(join(folder, 'log.md'), '# Log\n')
    for (let note = 0; note < 200; note++) {
      writeFileSync(join(folder, `old-${note}.md`), `# Old ${note}\n\nharbour ${note}\n`)
    }
    const servers = await Promise.all([
      startServerProcess([folder], 'one'),
      startServerProcess([folder], 'two'),
    ])
    onTestFinished(async () => {
      for (const server of servers) await server.close()
    })
    const acknowledged: string[] = []
    const write = async (number: number): Promise<void> => {
      const server = servers[number % 2]!
      const text = `# Note ${number}\n\nwritten ${number}\n`
      const made = await writeThrough(server, {
        action: 'create',
        id: `new-${number}.md`,
        content: text,
      })
      if (made['error']) throw new Error(JSON.stringify(made))
      acknowledged.push(`new-${number}.md`)
    }
    await Promise.all(Array.from({ length: 20 }, (_, number) => write(number)))
    // A hundred at once, and each goes on until the backup is there.
    let made: Record<string, any> | undefined
    let next = 20
    const lane = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn++) {
        await write(next++)
        if (made) return
      }
    }
    const writing = Promise.all(Array.from({ length: 100 }, lane))
    const before = [...acknowledged]
    made = await cairn(['backup', '--folder', folder])
    const during = acknowledged.length
    await writing
    expect(before.length).toBeGreaterThanOrEqual(20)
    expect(acknowledged.length).toBeGreaterThan(during)

    const into = join(temporaryFolder({}), 'notes')
    const restored = await cairn(['restore', made['path'] as string, '--into', into])
    expect(problems(restored)).toEqual([])
    const doctor = await cairn(['doctor', into])
    expect(doctor['ok']).toBe(true)
    expect(problems(doctor).filter((what) => /index|histor|change|temporary/.test(what))).toEqual(
      [],
    )
    const files = contentOf(into)
    for (const name of before) {
      const number = /\d+/.exec(name)![0]
      expect(files[name]).toBe(`# Note ${number}\n\nwritten ${number}\n`)
    }
    const fresh = Object.keys(files).filter((name) => name.startsWith('new-'))
    console.log(`${before.length} writes before, ${during} when it was done, ${fresh.length} in it`)
    // The history is from the same moment: whatever is in the files is in it, and nothing else.
    const logged: string[] = []
    await openHistory(join(into, '.cairn/history')).each(({ changes, state }) => {
      expect(state).toBe('done')
      return logged.push(...changes.map(({ path }) => path)) > 0
    })
    expect(logged.toSorted()).toEqual(fresh.toSorted())
    // What was written can be undone there.
    await cairn(['undo', fresh[0]!, '--folder', into])
    expect(existsSync(join(into, fresh[0]!))).toBe(false)
  }, 600_000)
})

describe('cairn restore', { timeout: 600_000 }, () => {
  const base = (files: Record<string, string>, name = 'notes') => {
    const folder = join(temporaryFolder({}), name)
    mkdirSync(folder)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return folder
  }
  const NOTES = {
    'tea.md': '# Tea\n\nTo brew tea, use a [[kettle]].\n',
    'deep/kettle.md': '---\ntags: [kitchen]\n---\n# Kettle\n\nBoils water.\n',
    '.gitignore': 'secret.md\n',
    'secret.md': 'not offered',
  }

  it('gives the same answers elsewhere, under any name', async () => {
    const folder = base(NOTES)
    const at = new Date('2024-02-03T04:05:06.789Z')
    utimesSync(join(folder, 'tea.md'), at, at)
    const coffee = '# Coffee\n\nGrind first.\n'
    await cairn(['write', 'create', 'coffee.md', coffee, '--folder', folder])
    const { path } = await cairn(['backup', '--folder', folder])
    expect(path).toMatch(/\.cairn\/backups\/archives\/cairn-backup-\d{8}T\d{6}\.tgz$/)
    const into = join(temporaryFolder({}), 'elsewhere')
    const restored = await cairn(['restore', path, '--into', into])
    expect(restored['ok']).toBe(true)
    const files = contentOf(into)
    expect(files['deep/kettle.md']).toBe(NOTES['deep/kettle.md'])
    expect(files).not.toHaveProperty('secret.md')
    expect(statSync(join(into, 'tea.md')).mtime.toISOString()).toBe(at.toISOString())
    const config = ['--config', restored['base'].configFile]
    for (const question of [['search', 'how to brew'], ['list'], ['history'], ['tags']]) {
      const [was, is] = [
        await cairn([...question, '--folder', folder]),
        await cairn([...question, ...config]),
      ]
      expect(withoutPaths(is)).toEqual(withoutPaths(was))
    }
  })

  it('refuses what is not whole, and leaves everything as it was', async () => {
    const folder = base(NOTES)
    await cairn(['index', folder])
    const { path } = await cairn(['backup', '--folder', folder])
    const copies = temporaryFolder({})
    const cut = join(copies, 'cut.tgz')
    writeFileSync(cut, readFileSync(path).subarray(0, -100))
    const foreign = join(copies, 'foreign.tgz')
    execFileSync('tar', ['-czf', foreign, '-C', folder, 'tea.md'])
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    const altered = join(copies, 'altered.tgz')
    writeFileSync(altered, bytes)
    const before = contentOf(folder)
    for (const [archive, reason] of [
      [cut, /cut off/],
      [foreign, /no backup of Cairn/],
      [altered, /cannot be restored/],
      [join(copies, 'nope.tgz'), /no file/],
    ] as const) {
      for (const into of [folder, join(copies, 'new')]) {
        const { code, err } = await run(['restore', archive, '--into', into, '--replace'])
        expect([archive, code === 0]).toEqual([archive, false])
        expect(err).toMatch(reason)
      }
    }
    expect(contentOf(folder)).toEqual(before)
    expect(existsSync(join(copies, 'new'))).toBe(false)
    expect(readdirSync(copies).toSorted()).toEqual(['altered.tgz', 'cut.tgz', 'foreign.tgz'])
    const { code, err } = await run(['restore', path, '--into', folder])
    expect([code, err]).toEqual([1, expect.stringContaining('is not empty')])
    const plan = await cairn(['restore', path, '--into', folder, '--dry-run'])
    expect(plan).toMatchObject({ replaces: true, documents: 3, sources: ['notes'] })
    expect(contentOf(folder)).toEqual(before)
  })

  it('sets aside what it replaces, and nothing while a server is at work', async () => {
    const folder = base(NOTES)
    const { path } = await cairn(['backup', '--folder', folder])
    const archive = join(temporaryFolder({}), 'a.tgz')
    cpSync(path, archive)
    writeFileSync(join(folder, 'tea.md'), 'ruined')
    const server = await startServerProcess([folder])
    await expect
      .poll(async () => (await cairn(['status', folder]))['indexed_by'], { timeout: 150_000 })
      .not.toBeNull()
    const refused = await run(['restore', archive, '--into', folder, '--replace'])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('at work on')])
    await server.close()
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('ruined')
    const done = await cairn(['restore', archive, '--into', folder, '--replace'])
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(NOTES['tea.md'])
    expect(readFileSync(join(done['setAside'], 'tea.md'), 'utf8')).toBe('ruined')
  })

  it('brings several sources back, with their rules and their graph', async () => {
    const one = base({ 'a.md': '# A\n\nalpha\n', 'draft.md': 'no' }, 'one')
    const two = base(
      {
        'knowledge/entities/t.jsonl': '{"id":"tool_x","type":"tool","name":"Xtool"}\n',
        'b.md': 'beta',
      },
      'two',
    )
    const file = join(temporaryFolder({}), 'cairn.yaml')
    writeFileSync(
      file,
      JSON.stringify({
        sources: [{ path: one, exclude: ['draft.md'] }, { path: two }],
        state: join(temporaryFolder({}), 'state'),
      }),
    )
    const { path } = await cairn(['backup', '--config', file])
    const into = join(temporaryFolder({}), 'both')
    const restored = await cairn(['restore', path, into])
    expect(restored).toMatchObject({ ok: true, sources: ['one', 'two'] })
    expect(Object.keys(contentOf(into))).toEqual([
      'cairn.yaml',
      'one/a.md',
      'two/b.md',
      'two/knowledge/entities/t.jsonl',
    ])
    const list = (config: string) => cairn(['list', '--config', config])
    expect(withoutPaths(await list(join(into, 'cairn.yaml')))).toEqual(
      withoutPaths(await list(file)),
    )
  })
})

describe('archives', { timeout: 600_000 }, () => {
  const open = async () => {
    const base = await openSmallBase({ 'a.md': '# A\n' })
    const source = { name: 'notes', path: base.folder, include: [], exclude: [], hidden: false }
    const config = { state: base.state, sources: [source] }
    const { sources, writing } = base.base
    return { ...base, backups: openBackups({ config, sources, writing }) }
  }
  const request = { prefix: 'cairn-backup' } as const

  it('are kept up to a number, and only ours are removed', async () => {
    const { backups, state } = await open()
    const folder = join(state, 'backups/archives')
    mkdirSync(folder, { recursive: true })
    const old = ['cairn-backup-20200101T000000.tgz', 'km-backup-20210101T000000.tgz']
    for (const name of [...old, 'mine.tgz']) writeFileSync(join(folder, name), '')
    const made = await backups.create({ ...request, keep: 2 })
    expect(made.removed).toEqual([old[0]])
    expect(readdirSync(folder).toSorted()).toEqual(
      [basename(made.path), old[1], 'mine.tgz'].toSorted(),
    )
    expect((await backups.list()).map(({ name }) => name)).toEqual([basename(made.path), old[1]])
    expect(statSync(made.path).mode & 0o777).toBe(0o600)
  })

  it('hold no other archives, no locks and no key', async () => {
    const { backups, state } = await open()
    for (const [path, text] of Object.entries({
      'sign-in.db': 'secret',
      'audit/2026-01.jsonl': '{}',
      'reports/ingest.lock': '1',
      'foreign.txt': 'not ours',
    })) {
      mkdirSync(join(state, path, '..'), { recursive: true })
      writeFileSync(join(state, path), text)
    }
    const first = await backups.create(request)
    const second = await backups.create({ ...request, destination: 'backups/more' })
    expect(second.relative).toMatch(/^backups\/more\//)
    const names = execFileSync('tar', ['-tzf', second.path], { encoding: 'utf8' }).split('\n')
    expect(names.filter((name) => /backups|\.lock|sign-in|foreign/.test(name))).toEqual([])
    expect(names).toContain('audit/2026-01.jsonl')
    expect(names).toContain('sources/notes/a.md')
    expect(first.path).not.toBe(second.path)
  })

  it('go only where they may', async () => {
    const { backups, state, folder } = await open()
    const roots = { ...request, allowedRoots: [] }
    await expect(backups.create({ ...roots, destination: folder })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(backups.create({ ...roots, destination: '../x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    mkdirSync(state, { recursive: true })
    symlinkSync(folder, join(state, 'way-out'))
    await expect(backups.create({ ...roots, destination: 'way-out' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const there = await backups.create({ ...roots, allowedRoots: [folder], destination: folder })
    expect(existsSync(there.path)).toBe(true)
    const file = join(folder, 'a.md')
    await expect(backups.create({ ...request, destination: file })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  it('are made one at a time, and leave nothing where they fail', async () => {
    const { backups, state, folder } = await open()
    const results = await Promise.allSettled([backups.create(request), backups.create(request)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const abort = new AbortController()
    abort.abort()
    appendFileSync(join(folder, 'a.md'), 'more')
    await expect(backups.create({ ...request, signal: abort.signal })).rejects.toThrow()
    rmSync(join(state, 'nothing'), { force: true })
    expect(readdirSync(join(state, 'backups/archives'))).toHaveLength(1)
    renameSync(folder, `${folder}-gone`)
    onTestFinished(() => renameSync(`${folder}-gone`, folder))
    await expect(backups.create(request)).rejects.toMatchObject({ code: 'unavailable' })
    expect(readdirSync(join(state, 'backups/archives'))).toHaveLength(1)
  })
})
