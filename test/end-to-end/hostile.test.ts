/** Bad files, bad questions and bad surroundings: a clear word each time, and the server stays up. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import {
  CAIRN,
  cairnJson,
  cleanEnvironment,
  handbookCopy,
  runCairn,
} from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { openSession } from '../support/stdio-session.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { generatedNotes } from './generated-notes.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const isRoot = process.getuid?.() === 0

describe('files', () => {
  it('indexes what it can, says why it left out the rest, and stays up', async () => {
    const outside = temporaryFolder({ 'secret.md': 'The password is capybara.\n' })
    const folder = temporaryFolder({
      'good.md': '# Good\n\nA narwhal.\n',
      'front-matter.md': '---\ntitle: [unclosed\n  - tags: : :\n---\n\nA narwhal too.\n',
      'unclosed.md': '---\ntitle: Never ends\n\nStill a narwhal.\n',
      'binary.md': new Uint8Array([0x4e, 0x00, 0xff, 0x00]),
      'latin1.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      'empty.md': '',
      'long.md': `# Long\n\n${'A line about nothing in particular.\n'.repeat(100_000)}\nThe ibex is on the last line.\n`,
      'one-line.md': `start ${'word '.repeat(200_000)} aardwolf`,
      'new\nline.md': '# New line\n\nA pangolin.\n',
      '🦔 emoji.md': '# Emoji\n\nA pangolin.\n',
      'שלום עולם.md': '# Right to left\n\nA pangolin.\n',
      'sub/note.md': 'A narwhal below.\n',
    })
    const large = openSync(join(folder, 'large.md'), 'w')
    ftruncateSync(large, 50 * 1024 * 1024)
    closeSync(large)
    symlinkSync('.', join(folder, 'loop'))
    symlinkSync('../sub', join(folder, 'sub/again'))
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(join(outside, 'secret.md'), join(folder, 'out.md'))
    symlinkSync('nowhere.md', join(folder, 'dangling.md'))
    expect(spawnSync('mkfifo', [join(folder, 'pipe.md')]).status).toBe(0)
    writeFiles(folder, { 'closed.md': 'Nobody may read the narwhal.\n' })
    chmodSync(join(folder, 'closed.md'), 0)

    const session = await openSession([`notes=${folder}`])
    await session.caughtUp()
    const narwhals = await session.found('narwhal')
    expect(narwhals.toSorted()).toEqual([
      // For root there are no closed doors.
      ...(isRoot ? ['notes/closed.md'] : []),
      'notes/front-matter.md',
      'notes/good.md',
      'notes/sub/note.md',
      'notes/unclosed.md',
    ])
    expect(await session.found('ibex')).toEqual(['notes/long.md'])
    expect(await session.found('aardwolf')).toEqual(['notes/one-line.md'])
    expect(await session.found('capybara password')).toEqual([])

    const odd = await session.found('pangolin')
    expect(odd.toSorted()).toEqual(
      ['notes/new\nline.md', 'notes/שלום עולם.md', 'notes/🦔 emoji.md'].toSorted(),
    )
    for (const id of odd) {
      expect(await session.call('fetch', { id })).toMatchObject({ id, text: expect.any(String) })
      const { resources } = await session.request('resources/list')
      const uri = resources.find((each: { name: string }) => each.name === id).uri
      expect((await session.request('resources/read', { uri })).contents).toHaveLength(1)
    }
    const end = await session.call('fetch', { id: 'notes/long.md', lines: '100004-' })
    expect(end.text).toBe('The ibex is on the last line.\n')
    const start = await session.call('fetch', { id: 'notes/long.md' })
    expect(start.next).toContain('fetch(id="notes/long.md"')
    expect(start.text.length).toBeLessThan(50_000)

    const coverage = await session.call('insights', { report: 'coverage', state: 'skipped' })
    const reasons = Object.fromEntries(
      coverage.items.map(({ file, reason }: { file: string; reason: string }) => [file, reason]),
    )
    expect(reasons).toMatchObject({
      'notes/large.md': expect.stringContaining('larger than the limit of 10 MiB (50 MiB)'),
      'notes/binary.md': 'not UTF-8 text',
      'notes/latin1.md': 'not UTF-8 text',
      'notes/pipe.md': 'not a regular file',
      'notes/out.md': expect.any(String),
      'notes/out': expect.any(String),
      'notes/dangling.md': expect.any(String),
    })
    if (!isRoot) {
      const failed = await session.call('insights', { report: 'coverage', state: 'failed' })
      expect(failed.items).toMatchObject([{ file: 'notes/closed.md', reason: 'permission denied' }])
    }
    expect(session.stderr()).toBe('')
    chmodSync(join(folder, 'closed.md'), 0o600)
  })

  it('writes nothing where a link that a repository brought along leads', async () => {
    const root = temporaryFolder({ 'clone/a.md': 'A narwhal.\n', 'public/theirs.txt': 'x' })
    chmodSync(join(root, 'public'), 0o755)
    symlinkSync('../public', join(root, 'clone/.cairn'))
    const refused = await runCairn(['search', 'narwhal', '-f', join(root, 'clone')])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--state DIR') })
    expect(readdirSync(join(root, 'public'))).toEqual(['theirs.txt'])
    expect(statSync(join(root, 'public')).mode & 0o777).toBe(0o755)
    const named = ['-f', join(root, 'clone'), '--state', join(root, 'clone/.cairn')]
    expect((await cairnJson(['list', ...named])).total).toBe(1)
  })

  it.skipIf(!existsSync('/dev/full'))('says that nothing can be printed', () => {
    const folder = temporaryFolder({ 'a.md': 'A narwhal.\n' })
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [CAIRN, 'fetch', 'a.md', '-f', folder], {
      env: cleanEnvironment(),
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect(stderr).toMatch(/^error: Standard output cannot be written: [^\n]*\n$/)
    expect(status).toBe(1)
  })
})

describe('questions', () => {
  it('answers or explains whatever is asked', async () => {
    const session = await openSession([handbookCopy()])
    await session.caughtUp()
    const search = (query: unknown, more: object = {}) => session.call('search', { query, ...more })

    const long = await search('tide '.repeat(200_000))
    expect(long.results.length).toBeGreaterThan(0)
    expect(long.note).toContain('long')
    expect((await search('x'.repeat(1_000_000))).error).toBeUndefined()
    for (const nothing of ['!?', '...', '«»', '🎺', '- + "']) {
      expect(await search(nothing)).toMatchObject({ results: [], relevant: false })
    }
    const stopWords = await search('the of and to')
    expect(stopWords.error).toBeUndefined()
    expect(stopWords.results).toEqual(expect.any(Array))

    const wrong: [string, object][] = [
      ['search', { query: '' }],
      ['search', { query: '   ' }],
      ['search', { query: 7 }],
      ['search', {}],
      ['search', { query: 'tide', limit: -1 }],
      ['search', { query: 'tide', limit: 1.5 }],
      ['search', { query: 'tide', limit: 1e9 }],
      ['search', { query: 'tide', cursor: 'made up' }],
      ['search', { query: 'tide', sources: ['nope'] }],
      ['search', { query: 'tide', updated_after: 'yesterday-ish' }],
      ['fetch', {}],
      ['fetch', { id: '' }],
      ['fetch', { id: 'x'.repeat(1_000_000) }],
      ['fetch', { id: 'handbook/index.md', lines: '9-1' }],
      ['fetch', { id: 'handbook/index.md', section: 'No such heading' }],
      ['neighbors', { id: 'handbook/index.md', depth: 99 }],
      ['path', { from: 'handbook/index.md', to: 'nowhere/to/go.md' }],
      ['insights', { report: 'gossip' }],
    ]
    for (const [tool, args] of wrong) {
      const { error } = await session.call(tool, args)
      expect(error, `${tool} ${JSON.stringify(args).slice(0, 80)}`).toMatchObject({
        code: expect.stringMatching(/^(invalid|not_found)$/),
        message: expect.any(String),
        hint: expect.stringMatching(/./),
      })
      expect(error.message.length).toBeLessThan(1_000)
    }
    expect(session.stderr()).toBe('')
  })

  it('never leads out of the folder', async () => {
    const folder = handbookCopy()
    writeFileSync(join(folder, '../secret.md'), 'The password is capybara.\n')
    const session = await openSession([folder])
    await session.caughtUp()
    const ids = [
      '../secret.md',
      'handbook/../secret.md',
      'handbook/../../secret.md',
      'handbook/people/../../secret.md',
      'handbook/%2e%2e/secret.md',
      'handbook/%2e%2e%2fsecret.md',
      'handbook/..%2fsecret.md',
      'handbook/..\\secret.md',
      'handbook/%252e%252e/secret.md',
      'kb://handbook/../secret.md',
      'kb://handbook/%2e%2e/secret.md',
      'kb://handbook/..%2f..%2fetc/passwd',
      '/etc/passwd',
      'file:///etc/passwd',
      join(folder, '../secret.md'),
      'handbook/.cairn/index.db',
      'handbook/index.md\0.txt',
    ]
    for (const id of ids) {
      const { error, text } = await session.call('fetch', { id })
      expect(text, id).toBeUndefined()
      expect(error.code).toMatch(/^(invalid|not_found)$/)
      const read = await session.request('resources/read', { uri: id })
      expect(read.error, id).toBeDefined()
    }
    expect(session.stdout()).not.toContain('capybara')
    expect(session.stderr()).toBe('')
  })
})

describe('the index file', () => {
  const damages: Record<string, (file: string) => void> = {
    garbage: (file) => writeFileSync(file, 'This is no database at all. '.repeat(1_000)),
    empty: (file) => writeFileSync(file, ''),
    'cut off': (file) => truncateSync(file, 20_000),
    'overwritten in the middle': (file) => {
      const bytes = readFileSync(file)
      bytes.fill(0xa5, 8_192, bytes.length - 8_192)
      writeFileSync(file, bytes)
    },
    "another program's": writeForeignDatabase,
  }

  it.each(Object.entries(damages))(
    'is set aside and rebuilt when it is %s',
    async (damage, spoil) => {
      const folder = handbookCopy()
      const before = snapshot(folder)
      await cairnJson(['index', folder])
      const index = join(folder, '.cairn/index.db')
      spoil(index)
      const spoilt = readFileSync(index)

      const session = await openSession([folder])
      await session.caughtUp()
      expect((await session.found('roll back a release'))[0]).toBe(
        'handbook/runbooks/roll-back-a-release.md',
      )
      const { summary } = await session.call('insights')
      expect(summary.documents).toBe(33)
      session.child.stdin.end()
      expect((await session.ended).code).toBe(0)
      if (damage !== 'empty') {
        expect(session.stderr()).toMatch(
          /warn: The index file could not be used .*no file of yours/,
        )
        const aside = readdirSync(join(folder, '.cairn')).find((name) => name.includes('.broken-'))
        expect(readFileSync(join(folder, '.cairn', aside!)).equals(spoilt)).toBe(true)
      }
      expect((await cairnJson(['doctor', folder])).ok).toBe(true)
      expect(snapshot(folder)).toEqual(before)
    },
  )

  it('is found out when its damage shows only in use, and rebuilt at the next start', async () => {
    const folder = temporaryFolder(generatedNotes(1_000))
    const index = () => cairnJson(['index', `notes=${folder}`])
    const search = () => runCairn(['search', 'harbour lantern', '-f', `notes=${folder}`])
    await index()
    const before = snapshot(folder)
    const { stdout: answer } = await search()

    damageDeep(folder)
    const broken = await search()
    expect([broken.code, broken.stdout]).toEqual([1, ''])
    expect(broken.stderr).toMatch(/The index file is damaged .*\n.*rebuilt from your files/)
    const healed = await search()
    expect([healed.code, healed.stdout]).toEqual([0, answer])
    expect(healed.stderr).toContain('no file of yours was touched')

    damageDeep(folder)
    const doctor = await runCairn(['doctor', `notes=${folder}`, '--repair'])
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('was repaired')])
    expect((await search()).stdout).toBe(answer)

    damageDeep(folder)
    const session = await openSession([`notes=${folder}`])
    await vi.waitFor(() => expect(session.stderr()).toContain('The index file is damaged'), SOON)
    expect((await session.request('tools/list')).tools).toHaveLength(10)
    session.child.stdin.end()
    expect((await session.ended).code).toBe(0)
    const again = await openSession([`notes=${folder}`])
    await again.caughtUp()
    expect((await again.call('insights')).summary.documents).toBe(1_000)
    expect(snapshot(folder)).toEqual(before)
  })

  it('says on the command line that it was rebuilt', async () => {
    const folder = handbookCopy()
    mkdirSync(join(folder, '.cairn'))
    writeFileSync(join(folder, '.cairn/index.db'), 'nonsense '.repeat(1_000))
    const { code, stdout, stderr } = await runCairn(['index', folder])
    expect([code, stdout]).toEqual([0, expect.stringContaining('33 documents (33 indexed)')])
    expect(stderr).toContain('The index file could not be used')
  })
})

describe('surroundings', () => {
  it('explains a state folder it cannot use', async () => {
    const file = join(temporaryFolder({ taken: 'a file' }), 'taken')
    for (const command of ['index', 'serve', 'status', 'doctor']) {
      const state = join(file, 'state')
      const { code, stdout, stderr } = await runCairn([command, handbookCopy(), '--state', state])
      expect([command, code, stdout]).toEqual([command, 1, ''])
      expect(stderr).toContain(`The state folder ${state} cannot be used`)
      expect(stderr).toContain('--state DIR')
    }
  })

  it.skipIf(isRoot)('explains a folder it may not write to', async () => {
    const folder = handbookCopy()
    chmodSync(folder, 0o500)
    const { code, stderr } = await runCairn(['index', folder])
    chmodSync(folder, 0o700)
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be used')
  })

  it('explains a port that is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const { code, stdout, stderr } = await runCairn([
      'serve',
      handbookCopy(),
      '--http',
      String(port),
    ])
    other.close()
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is already in use.`)
  })

  it('keeps what it knows when a folder disappears, and catches up when it is back', async () => {
    const [gone, stays] = [handbookCopy(), temporaryFolder({ 'tea.md': 'A kettle.\n' })]
    const state = temporaryFolder()
    const session = await openSession([gone, `notes=${stays}`, '--state', state])
    await session.caughtUp()
    renameSync(gone, `${gone}-away`)
    await vi.waitFor(() => expect(session.stderr()).toMatch(/warn: .*handbook/), SOON)

    const { summary } = await session.call('insights')
    expect(summary.documents).toBe(34)
    expect((await session.call('list', { sources: ['handbook'] })).total).toBe(33)
    // The other folder is served and watched as before.
    writeFileSync(join(stays, 'coffee.md'), 'A percolator.\n')
    await vi.waitFor(async () => {
      expect(await session.found('percolator')).toEqual(['notes/coffee.md'])
    }, SOON)

    writeFileSync(join(`${gone}-away`, 'back.md'), 'The lyrebird is back.\n')
    renameSync(`${gone}-away`, gone)
    await vi.waitFor(async () => {
      expect(await session.found('lyrebird')).toEqual(['handbook/back.md'])
    }, SOON)
    expect(existsSync(join(gone, 'index.md'))).toBe(true)
    expect((await session.found('roll back a release'))[0]).toBe(
      'handbook/runbooks/roll-back-a-release.md',
    )
  })

  it('goes on with the other folders when one is gone at a full look', async () => {
    const [gone, stays] = [handbookCopy(), temporaryFolder({ 'tea.md': 'A kettle.\n' })]
    const session = await openSession([gone, `notes=${stays}`, '--state', temporaryFolder()])
    await session.caughtUp()
    renameSync(gone, `${gone}-away`)
    await vi.waitFor(() => expect(session.stderr()).toMatch(/warn: .*handbook/), SOON)
    // Changed rules ask for a look at everything.
    writeFiles(stays, { '.cairnignore': 'tea.md\n', 'coffee.md': 'A percolator.\n' })
    await vi.waitFor(async () => {
      expect(await session.found('percolator kettle')).toEqual(['notes/coffee.md'])
    }, SOON)
    expect((await session.call('list', { sources: ['handbook'] })).total).toBe(33)
  })
})

/** Path → bytes of every file of the user's. */
function snapshot(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.cairn'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file).toString('hex')]),
  )
}

function writeForeignDatabase(file: string): void {
  writeFileSync(file, '')
  const database = new DatabaseSync(file)
  database.exec("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
  database.close()
}

/** Overwrites the last page of the documents, where opening the file does not look. */
function damageDeep(folder: string): void {
  const file = join(folder, '.cairn/index.db')
  const database = new DatabaseSync(file)
  const place = database
    .prepare("SELECT pgoffset, pgsize FROM dbstat WHERE name = 'documents' ORDER BY path DESC")
    .get()
  database.close()
  const bytes = readFileSync(file)
  const at = Number(place?.['pgoffset'])
  bytes.fill(0xa5, at, at + Number(place?.['pgsize']))
  writeFileSync(file, bytes)
}
