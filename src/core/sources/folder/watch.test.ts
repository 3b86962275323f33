import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SOON } from '../../../../test/support/soon.ts'
import { temporaryFolder, writeFiles } from '../../../../test/support/temporary-folder.ts'
import type { SourceChange } from '../../domain/source.ts'
import { openFolderSource, type FolderOptions } from './open-folder-source.ts'
import type { WatchMethod, WatchOptions } from './watch.ts'
import { readableExtensions } from '../../../serve/parts/formats.ts'

type Options = Omit<FolderOptions, 'name' | 'root' | 'extensions' | 'watching'>

/** A watched folder with everything it has reported so far. */
async function watched(root: string, watching: WatchOptions = {}, options: Options = {}) {
  const source = openFolderSource({
    name: 'notes',
    extensions: readableExtensions(),
    root,
    // What the system reports is looked at here, and not what is said once a minute.
    watching: { reconcileMs: 3_600_000, ...watching },
    ...options,
  })
  const changes: SourceChange[] = []
  let settled = 0
  const handle = await source.watch((change) => changes.push(change))
  await source.scan()
  onTestFinished(() => handle.close())
  /** Whether a path was reported, by itself or by a folder above it. */
  const covers = (path: string) =>
    changes.some((change) =>
      change.paths?.some((reported) => path === reported || path.startsWith(`${reported}/`)),
    )
  const everything = () => changes.some((change) => change.paths === undefined)
  const until = async (done: () => boolean) => {
    for (let waited = 0; waited < SOON.timeout && !done(); waited += 10) await sleep(10)
    expect(done(), `reported so far: ${JSON.stringify(changes).slice(0, 500)}`).toBe(true)
  }
  return {
    root,
    changes,
    handle,
    until,
    everything,
    covers,
    reported: () => [...new Set(changes.flatMap((change) => change.paths))],
    reports: (...paths: string[]) => until(() => paths.every(covers)),
    /** Forgets what was reported, once nothing more is coming. */
    async settled() {
      // On a busy machine silence says little: what comes after the rest is waited for. One that is
      // covered by a look at everything may have come before what else is still to be reported.
      for (let isLast = false; !isLast;) {
        const last = existsSync(root) ? `settled-${++settled}.md` : undefined
        changes.length = 0
        if (last !== undefined) {
          writeFiles(root, { [last]: '' })
          await until(() => covers(last) || everything())
        }
        isLast = last === undefined || covers(last)
        for (let count = -1; count !== changes.length; await sleep(300)) count = changes.length
      }
      changes.length = 0
    },
  }
}

const onLinux = it.runIf(process.platform === 'linux')

const methods: WatchMethod[] =
  process.platform === 'linux' ? ['folders', 'recursive'] : ['recursive']

describe.each(methods)('watching by %s', (method) => {
  const watch = (root: string, options: Options = {}) => watched(root, { method }, options)

  it('reports an edit, a new file and a removed one, and nothing else', async () => {
    const folder = await watch(temporaryFolder({ 'a.md': '1', 'b/c.md': '1', 'd.md': '' }))
    appendFileSync(join(folder.root, 'b/c.md'), '2')
    writeFiles(folder.root, { 'b/new.md': '' })
    unlinkSync(join(folder.root, 'd.md'))
    await folder.reports('b/c.md', 'b/new.md', 'd.md')
    expect(folder.covers('a.md')).toBe(false)
    expect(folder.everything()).toBe(false)
  })

  it('reports an atomic save and a rename', async () => {
    const folder = await watch(temporaryFolder({ 'a/x.md': '1', 'a/old.md': '1' }))
    writeFiles(folder.root, { 'a/.x.md.tmp': '2' })
    renameSync(join(folder.root, 'a/.x.md.tmp'), join(folder.root, 'a/x.md'))
    renameSync(join(folder.root, 'a/old.md'), join(folder.root, 'a/new.md'))
    await folder.reports('a/x.md', 'a/old.md', 'a/new.md')
    expect(folder.covers('a/.x.md.tmp')).toBe(false)
  })

  it('says nothing about files that are not offered', async () => {
    const folder = await watch(
      temporaryFolder({ 'a.md': '', '.git/x.md': '', 'node_modules/x.md': '' }),
    )
    writeFiles(folder.root, {
      'x.png': '',
      '.git/y.md': '',
      'node_modules/y.md': '',
      '.b.md.swp': '',
    })
    await sleep(150)
    writeFiles(folder.root, { 'x.png': '2', 'a.md': '2' })
    await folder.reports('a.md')
    expect(folder.reported()).toEqual(['a.md'])
  })

  it('picks up nested folders, with files already in them and files that come later', async () => {
    const folder = await watch(temporaryFolder({ 'a.md': '' }))
    for (let n = 0; n < 20; n++) writeFiles(folder.root, { [`n${n}/x/y/z/first.md`]: '' })
    await folder.until(() =>
      [...Array(20).keys()].every((n) => folder.covers(`n${n}/x/y/z/first.md`)),
    )
    await folder.settled()
    writeFiles(folder.root, { 'n0/x/y/z/first.md': 'again', 'n19/x/y/second.md': '' })
    await folder.reports('n0/x/y/z/first.md', 'n19/x/y/second.md')
  })

  it('follows a folder that was moved, and reports under its new name only', async () => {
    const folder = await watch(temporaryFolder({ 'a/b/c.md': '', 'other.md': '' }))
    renameSync(join(folder.root, 'a'), join(folder.root, 'z'))
    await folder.reports('a/b/c.md', 'z/b/c.md')
    await folder.settled()
    writeFiles(folder.root, { 'z/b/c.md': 'edited' })
    await folder.reports('z/b/c.md')
    expect(folder.covers('a/b/c.md')).toBe(false)
  })

  it('reports a removed folder, and one put in its place', async () => {
    const folder = await watch(temporaryFolder({ 'a/b/c.md': '', 'a/d.md': '', 'x.md': '' }))
    rmSync(join(folder.root, 'a'), { recursive: true })
    await folder.reports('a/b/c.md', 'a/d.md')
    await folder.settled()
    writeFiles(folder.root, { 'a/b/e.md': '' })
    await folder.reports('a/b/e.md')
    await folder.settled()
    writeFiles(folder.root, { 'a/b/e.md': 'edited' })
    await folder.reports('a/b/e.md')
  })

  // Node's own recursive watch on Linux loses such a folder for good, which is why it is not used
  // there; the case is for the systems that watch trees themselves.
  const loses = method === 'recursive' && process.platform === 'linux'
  it.skipIf(loses)('reports a folder replaced between two looks', async () => {
    const folder = await watch(temporaryFolder({ 'a/b/c.md': '' }))
    rmSync(join(folder.root, 'a'), { recursive: true })
    writeFiles(folder.root, { 'a/b/c.md': 'new' })
    await folder.reports('a/b/c.md')
    await folder.settled()
    writeFiles(folder.root, { 'a/b/c.md': 'edited' })
    await folder.reports('a/b/c.md')
  })

  it('asks for a look at everything when an ignore file changes, and watches what it lets in', async () => {
    const folder = await watch(
      temporaryFolder({ '.gitignore': 'a/', 'a/b/x.md': '', 'c/y.md': '' }),
    )
    writeFiles(folder.root, { '.gitignore': 'c/' })
    await folder.until(folder.everything)
    await folder.settled()
    writeFiles(folder.root, { 'a/b/x.md': 'edited' })
    await folder.reports('a/b/x.md')
    writeFiles(folder.root, { 'a/.cairnignore': 'x.md' })
    await folder.until(folder.everything)
  })
})

onLinux('watches what changed last at once, the rest from where a scan comes to it', async () => {
  const files = { 'a/b/c.md': '', 'far/x.md': '', 'old.md': '' }
  const root = temporaryFolder(files)
  // Nothing has come or gone there lately.
  utimesSync(join(root, 'far'), 1, 1)
  const source = openFolderSource({ name: 'notes', extensions: readableExtensions(), root })
  const told: string[] = []
  const handle = await source.watch(({ paths }) => told.push(...(paths ?? [])), ['a/b/c.md'])
  onTestFinished(() => handle.close())
  // Written just now, and not known to anybody.
  expect(told).toContain('old.md')
  const isTold = (path: string) => vi.waitFor(() => expect(told).toContain(path), SOON)
  told.length = 0
  writeFiles(root, { 'far/y.md': '', 'a/b/new.md': '', 'a/other.md': '', 'root.md': '' })
  for (const path of ['a/b/new.md', 'a/other.md', 'root.md']) await isTold(path)
  expect(told).not.toContain('far/y.md')
  let isThere = false
  await source.scan(() => {
    // A folder that was listed is watched: what the scan came too early for is told.
    if (!isThere) writeFiles(root, { 'a/b/during.md': '', 'far/during.md': '' })
    isThere = true
    return undefined
  })
  await isTold('a/b/during.md')
  writeFiles(root, { 'far/z.md': '' })
  await isTold('far/z.md')
})

it('keeps its watches right when a folder and an ignore file change in the same moment', async () => {
  const folder = await watched(temporaryFolder({ 'a/b/x.md': '', '.gitignore': '' }))
  renameSync(join(folder.root, 'a'), join(folder.root, 'c'))
  writeFiles(folder.root, { '.gitignore': 'y.md', 'a/b/x.md': '' })
  await folder.until(folder.everything)
  await folder.settled()
  writeFiles(folder.root, { 'a/b/x.md': 'edited' })
  await folder.reports('a/b/x.md')
  expect(folder.covers('c/b/x.md')).toBe(false)
  writeFiles(folder.root, { 'c/b/x.md': 'edited' })
  await folder.reports('c/b/x.md')
})

it('hands a burst over in a few batches that cover every file', async () => {
  const names = Array.from({ length: 2000 }, (_, n) => `${n % 40}/${n}.md`)
  const folder = await watched(temporaryFolder({ 'a.md': '' }))
  writeFiles(folder.root, Object.fromEntries(names.map((name) => [name, 'x'])))
  const looked = () => folder.everything() || names.every(folder.covers)
  await folder.until(looked)
  await sleep(300)
  expect(folder.changes.length).toBeLessThan(30)
})

onLinux('asks for a look at everything when there were too many events to trust', async () => {
  const folder = await watched(temporaryFolder({ 'a.md': '' }))
  // Written while the event loop is busy, so that all events arrive in one turn.
  writeFiles(
    folder.root,
    Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}.md`, 'x'])),
  )
  writeFiles(folder.root, { 'new/x.md': '' })
  await folder.until(folder.everything)
  await folder.settled()
  writeFiles(folder.root, { 'new/x.md': 'edited' })
  await folder.reports('new/x.md')
})

it('watches only what the include globs can reach', async () => {
  const root = temporaryFolder({ 'docs/a.md': '', 'src/b.md': '', 'real/c.md': '' })
  symlinkSync('../real', join(root, 'docs/link'))
  const folder = await watched(root, {}, { include: ['docs'] })
  writeFiles(root, { 'src/b.md': '2', 'src/new/b.md': '2' })
  await sleep(150)
  writeFiles(root, { 'docs/a.md': '2' })
  await folder.reports('docs/a.md')
  expect(folder.reported()).toEqual(['docs/a.md'])
})

onLinux('sees through links to folders', async () => {
  const root = temporaryFolder({ 'docs/a.md': '', 'real/c.md': '' })
  symlinkSync('../real', join(root, 'docs/link'))
  const folder = await watched(root, {}, { include: ['docs'] })
  writeFiles(root, { 'real/c.md': '2' })
  await folder.reports('docs/link/c.md')
})

it('says "everything" from time to time, for what no system reports', async () => {
  const folder = await watched(temporaryFolder({ 'a.md': '' }), { reconcileMs: 50 })
  const routine = { paths: undefined, isRoutine: true }
  const isRoutine = (change: SourceChange): boolean => change.isRoutine === true
  await folder.until(() => folder.changes.filter(isRoutine).length >= 3)
  expect(folder.changes.find(isRoutine)).toEqual(routine)
})

it('waits for a root that went away, warns once, and watches it again when it is back', async () => {
  const top = temporaryFolder({ 'notes/a.md': '' })
  const warnings: string[] = []
  const onWarning = (message: string) => warnings.push(message)
  const folder = await watched(join(top, 'notes'), { onWarning, pollMs: 20 })
  renameSync(join(top, 'notes'), join(top, 'away'))
  await folder.until(() => warnings.length > 0)
  expect(warnings[0]).toContain('the folder is gone')
  await folder.settled()
  mkdirSync(join(top, 'notes'))
  await folder.until(folder.everything)
  await folder.settled()
  writeFiles(join(top, 'notes'), { 'b.md': '' })
  await folder.reports('b.md')
  expect(warnings).toHaveLength(1)
})

it('polls where it cannot watch: edits, new and removed files', async () => {
  const warnings: string[] = []
  const folder = await watched(temporaryFolder({ 'a/x.md': '', 'b.md': '', 'c.md': '' }), {
    method: 'polling',
    pollMs: 20,
    onWarning: (message) => warnings.push(message),
  })
  expect(warnings).toEqual([expect.stringContaining('every 0.02 seconds')])
  writeFiles(folder.root, { 'a/x.md': 'edited', 'new/y.md': '' })
  unlinkSync(join(folder.root, 'b.md'))
  await folder.reports('a/x.md', 'new/y.md', 'b.md')
  expect(folder.covers('c.md')).toBe(false)
})

it('reports nothing after it was closed', async () => {
  const folder = await watched(temporaryFolder({ 'a.md': '' }), { reconcileMs: 20 })
  writeFiles(folder.root, { 'a.md': '2' })
  folder.handle.close()
  folder.handle.close()
  const { length } = folder.changes
  const [other, routine] = [
    await watched(folder.root),
    await watched(folder.root, { reconcileMs: 20 }),
  ]
  writeFiles(folder.root, { 'a.md': '3', 'new/b.md': '' })
  await other.reports('a.md', 'new/b.md')
  await routine.until(routine.everything)
  expect(folder.changes).toHaveLength(length)
})

it('lets the process end, closed or not', () => {
  const root = temporaryFolder({ 'a/b.md': '' })
  const script = `
    for (const method of ['folders', 'recursive', 'polling']) {
      const source = openFolderSource({ name: 'n', extensions: ['md'], root: ${JSON.stringify(root)}, watching: { method } })
      const watching = await source.watch(() => {})
      if (method !== 'folders') watching.close()
    }`
  expect(run(process.execPath, nodeArguments(script))).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  })
})

/** A user namespace has limits of its own, so the machine's stay as they are. */
const canLimit =
  process.platform === 'linux' &&
  run('unshare', ['-Ur', 'sh', '-c', 'echo 9 > /proc/sys/user/max_inotify_watches']).status === 0

it.runIf(canLimit).each([
  ['max_inotify_instances', 0, 'no watchers left', 'a/b/x.md'],
  ['max_inotify_watches', 2, 'no file watches left', 'a/b/x.md'],
  ['max_inotify_watches', 3, 'no file watches left', 'a/b/new/deep/x.md'],
])('polls when %s is %i', (limit, value, reason, path) => {
  const root = temporaryFolder({ 'a/b/x.md': '' })
  const script = `
    import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
    const root = ${JSON.stringify(root)}
    const onWarning = (message) => console.log(message)
    const source = openFolderSource({ name: 'n', extensions: ['md'], root, watching: { pollMs: 10, onWarning } })
    const seen = new Promise((resolve) => {
      source.watch((change) => {
        console.log(JSON.stringify(change))
        if (change.paths?.includes('last.md')) resolve()
      }).then(() => source.scan()).then(() => {
        mkdirSync(root + '/a/b/new/deep', { recursive: true })
        writeFileSync(root + '/${path}', 'edited')
        // Again and again: what is there before polling begins is no change.
        setInterval(() => appendFileSync(root + '/last.md', 'x'), 500)
      })
    })
    setTimeout(() => process.exit(3), 60_000)
    await seen
    process.exit(0)`
  const shell = `echo ${value} > /proc/sys/user/${limit} && exec "$@"`
  const node = [process.execPath, ...nodeArguments(script)]
  const { status, stdout } = run('unshare', ['-Ur', 'sh', '-c', shell, 'sh', ...node])
  expect(status, stdout).toBe(0)
  expect(stdout).toContain(reason)
  // Either the path itself, or everything, because it changed before polling began.
  expect(stdout.includes(path) || stdout.includes('{}')).toBe(true)
  expect(stdout).toContain('last.md')
})

function nodeArguments(script: string): string[] {
  const module = JSON.stringify(new URL('open-folder-source.ts', import.meta.url).href)
  const whole = `import { openFolderSource } from ${module}\n${script}`
  return ['--no-warnings', '--experimental-strip-types', '--input-type=module', '-e', whole]
}

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    timeout: 120_000,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it.each([1, 2])('keeps an outside copy true through random changes (%i)', async (start) => {
  const root = temporaryFolder({ 'a.md': '' })
  const source = openFolderSource({ name: 'notes', extensions: readableExtensions(), root })
  const known = new Map((await source.scan()).files.map((file) => [file.path, file.modifiedAt]))
  let looking = Promise.resolve()
  const look = async ({ paths }: SourceChange) => {
    const scan = paths ? await source.rescan(paths) : await source.scan()
    const gone = (path: string) =>
      !paths || paths.some((top) => path === top || path.startsWith(`${top}/`))
    for (const path of known.keys()) if (gone(path)) known.delete(path)
    for (const file of scan.files) known.set(file.path, file.modifiedAt)
  }
  const handle = await source.watch((change) => {
    looking = looking.then(() => look(change))
  })
  onTestFinished(() => handle.close())
  await source.scan()
  let seed = start * 7919
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const place = () => Array.from({ length: 1 + random(4) }, () => 'abc'[random(3)]).join('/')
  for (let step = 0; step < 300; step++) {
    attempt(() => {
      const action = random(12)
      const spot = join(root, place())
      if (action < 5) writeFiles(spot, { [`${random(3)}.md`]: String(step) })
      else if (action < 8) renameSync(spot, join(root, place()))
      else if (action < 9) rmSync(spot, { recursive: true })
      else if (action < 10) writeFileSync(join(spot, '.gitignore'), `${'abc'[random(3)]}/\n1.md\n`)
      else if (action < 11) mkdirSync(`${spot}.md`, { recursive: true })
      else symlinkSync(`../${place()}`, random(2) ? spot : `${spot}.md`)
    })
    if (step % 5 === 0) await sleep(random(40))
  }
  const truth = async () =>
    new Map((await source.scan()).files.map((file) => [file.path, file.modifiedAt]))
  const agrees = async () => {
    await looking
    const now = await truth()
    return now.size === known.size && [...now].every(([path, at]) => known.get(path) === at)
  }
  for (let waited = 0; waited < SOON.timeout && !(await agrees()); waited += 50) await sleep(50)
  await looking
  expect(new Map([...known].toSorted())).toEqual(new Map([...(await truth())].toSorted()))
})

function attempt(action: () => void): void {
  try {
    action()
  } catch {
    // The random place was not there, or not a folder.
  }
}
