import { renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { note } from '../../../test/contract/store-contract.ts'
import { SOON } from '../../../test/support/soon.ts'
import { temporaryFolder, writeFiles } from '../../../test/support/temporary-folder.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import type { OnFound, Source, SourceChange } from '../../core/domain/source.ts'
import { resolveLink } from '../../core/indexing/resolve-link.ts'
import type { EmbeddingProvider } from '../../core/models/provider.ts'
import { openMemoryStore } from '../../../test/support/memory-store/open-memory-store.ts'
import type { Store } from '../../core/store/store.ts'
import type { Report } from './indexing-messages.ts'
import { askToReadAgain, keepCurrent, PROGRESS_KEY } from './keep-current.ts'
import type { SameFolders } from './same-folders.ts'
import { openSources } from '../parts/sources.ts'

/** Each waits for seconds, with a store of its own, and need not wait for the others. */
const it = test.concurrent

interface Keeping {
  /** A folder of notes; none unless said. */
  readonly path?: string
  readonly watch?: boolean
  readonly folders?: SameFolders
  /** Told of changes by the test alone. */
  readonly onWatch?: (tell: (change: SourceChange) => void) => void
  /** Stands between a walk and who looks at what it has found. */
  readonly onScan?: (found: OnFound | undefined) => OnFound
  readonly report?: Parameters<typeof keepCurrent>[0]['report']
  /** Learns what words mean; nothing is learned unless said. */
  readonly learn?: () => Promise<boolean>
}

/** There is always something left to learn. */
const NEVER_READY = { made: () => false } as unknown as EmbeddingProvider

/** Follows the files of one folder, with nobody else to index or to learn. */
function keep(store: Store, options: Keeping) {
  const { path, watch = true, folders, onWatch, onScan, report = () => {}, learn } = options
  const rules = { include: [], exclude: [], hidden: false }
  const notes = path === undefined ? [] : [{ name: 'notes', path, ...rules }]
  const opened = openSources({ sources: notes, maxFileBytes: 1_000 })
  const told = (source: Source): Source => ({
    ...source,
    scan: (onFound) => source.scan(onScan ? onScan(onFound) : onFound),
    async watch(onChange) {
      onWatch?.(onChange)
      return { close: () => {} }
    },
  })
  const stopping = new AbortController()
  const keeping = keepCurrent({
    store,
    sources: onWatch ? new Map([...opened].map(([name, each]) => [name, told(each)])) : opened,
    owner: '1@here:test',
    watch,
    signal: stopping.signal,
    report,
    ...(folders && { folders }),
    indexElsewhere: async () => false,
    wanted: learn ? { kind: 'provider', provider: NEVER_READY } : { kind: 'none' },
    learnElsewhere: learn ?? (async () => true),
  })
  return {
    look: keeping.look,
    async stop(): Promise<void> {
      stopping.abort()
      await keeping.done
    },
  }
}

it('tries less and less often what fails again and again', async () => {
  const tries: { readonly at: number; readonly message: string }[] = []
  const store = {
    acquireLease: async (owner: string) => ({ owner, fence: 1 }),
    releaseLease: async () => {},
    stamps: async () => ({ epoch: 'one' }),
    putMeta: async () => {
      throw new Error('the disk is full')
    },
  } as unknown as Store
  const keeping = keep(store, {
    report: (report) => {
      if (report.kind === 'trouble') tries.push({ at: performance.now(), message: report.message })
    },
  })
  await vi.waitFor(() => expect(tries.length).toBeGreaterThanOrEqual(3), SOON)
  await keeping.stop()
  expect(new Set(tries.map(({ message }) => message))).toEqual(new Set(['the disk is full']))
  // Two seconds after the first and four after the second; later on a busy machine, never earlier.
  const rests = tries.slice(1).map(({ at }, index) => at - tries[index]!.at)
  expect(rests[0]).toBeGreaterThan(1_900)
  expect(rests[1]).toBeGreaterThan(3_900)
})

it('goes on by itself once the index can be written again, and says what was in the way', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const real = openMemoryStore()
  let attempts = 0
  const store: Store = {
    ...real,
    async acquireLease(owner, ttlMs) {
      // Not even the lease can be written down.
      if (++attempts === 1) throw new Error('database or disk is full')
      return real.acquireLease(owner, ttlMs)
    },
  }
  const told: string[] = []
  const caughtUp = Promise.withResolvers<void>()
  const keeping = keep(store, {
    path,
    report: (report) => {
      if (report.kind === 'trouble') told.push(report.message)
      if (report.kind === 'caught_up') caughtUp.resolve()
    },
  })
  await caughtUp.promise
  await keeping.stop()
  expect(told).toEqual(['database or disk is full'])
  expect(await real.findByPath('notes', 'tea.md')).toBeDefined()
})

it('asks a store that did not answer again without waiting longer each time', async () => {
  const real = openMemoryStore()
  let attempts = 0
  const store: Store = {
    ...real,
    async acquireLease(owner, ttlMs) {
      // With rests that grow, so many would take longer than what is waited for below.
      if (++attempts <= 6) throw new KnowledgeError('unavailable', 'It is starting up.', 'Wait.')
      return real.acquireLease(owner, ttlMs)
    },
  }
  const told: Report[] = []
  const keeping = keep(store, { report: (report) => void told.push(report) })
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ kind: 'caught_up' }), SOON)
  await keeping.stop()
  expect(told[0]).toEqual({ kind: 'trouble', message: 'It is starting up.', outOfReach: true })
})

it('says once that the store went away while nothing was to be indexed', async () => {
  const real = openMemoryStore()
  let isAway = false
  let askedAway = 0
  const store: Store = {
    ...real,
    async acquireLease(owner, ttlMs) {
      if (isAway) askedAway++
      if (isAway) throw new KnowledgeError('unavailable', 'It does not answer.', 'Wait.')
      return real.acquireLease(owner, ttlMs)
    },
  }
  const told: Report[] = []
  const keeping = keep(store, { report: (report) => void told.push(report) })
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ kind: 'caught_up' }), SOON)
  isAway = true
  await vi.waitFor(() => expect(askedAway).toBeGreaterThan(1), SOON)
  await keeping.stop()
  expect(told.filter(({ kind }) => kind === 'warning')).toEqual([
    { kind: 'warning', message: 'The index is out of reach: It does not answer.' },
  ])
})

it('does not call the index behind while it looks to be sure and finds nothing new', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const told: Report[] = []
  let tell: (change: SourceChange) => void = () => {}
  const store = openMemoryStore()
  const keeping = keep(store, {
    path,
    onWatch: (watching) => (tell = watching),
    report: (report) => void told.push(report),
  })
  const kinds = () => told.map(({ kind }) => kind)
  const caughtUp = async () => {
    await vi.waitFor(() => expect(kinds()).toContain('caught_up'), SOON)
    return told.splice(0).map(({ kind }) => kind)
  }
  expect(await caughtUp()).toContain('progress')
  // A file that was only just written is read once more.
  await vi.waitFor(async () => {
    tell({ paths: undefined, isRoutine: true })
    expect(await caughtUp()).toEqual(['caught_up'])
  }, SOON)
  writeFiles(path, { 'cake.md': 'Beat eggs.\n' })
  tell({ paths: undefined, isRoutine: true })
  expect(await caughtUp()).toContain('progress')
  tell({ paths: undefined })
  expect(await caughtUp()).toContain('progress')
  await keeping.stop()
  expect(await store.findByPath('notes', 'cake.md')).toBeDefined()
})

it('indexes what is seen to change while a tree is walked, without waiting for the end of that', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const store = openMemoryStore()
  const has = (name: string) => async () =>
    expect(await store.findByPath('notes', name)).toBeDefined()
  let tell: (change: SourceChange) => void = () => {}
  const onWatch = (watching: (change: SourceChange) => void) => void (tell = watching)
  const first = keep(store, { path, onWatch })
  await vi.waitFor(has('tea.md'), SOON)
  await first.stop()
  // No time of its own tells that it is new, and the walk has come by already.
  const late = temporaryFolder({ 'late.md': 'Beat eggs.\n' }, onTestFinished)
  utimesSync(join(late, 'late.md'), 1, 1)
  writeFiles(path, { 'fresh.md': 'Whisk.\n' })
  const walked: string[] = []
  const second = keep(store, {
    path,
    onWatch,
    onScan: (found) => async (files) => {
      walked.push('begun')
      await found?.(files)
      await has('fresh.md')()
      renameSync(join(late, 'late.md'), join(path, 'late.md'))
      tell({ paths: ['late.md'] })
      await found?.(files)
      await has('late.md')()
      walked.push('over')
    },
  })
  await vi.waitFor(() => expect(walked).toEqual(['begun', 'over']), SOON)
  await second.stop()
})

it('indexes together what a program has changed a moment ago, whatever folders it is in', async ({
  onTestFinished,
}) => {
  const MANY = 100
  const texts = (word: string) =>
    Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`a${at}/tea.md`, `${word}\n`]))
  const path = temporaryFolder(texts('Boil.'), onTestFinished)
  const store = openMemoryStore()
  const follow = async () => {
    const kinds: string[] = []
    const { stop } = keep(store, { path, report: ({ kind }) => kinds.push(kind) })
    await vi.waitFor(() => expect(kinds).toContain('caught_up'), SOON)
    await stop()
    return kinds.filter((kind) => kind === 'committed').length
  }
  await follow()
  writeFiles(path, texts('Pour it.'))
  expect(await follow()).toBeLessThan(MANY / 2)
})

it('fills an index that was taken away right after it was filled for the first time', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const indexNamed = (epoch: string): Store => {
    const index = openMemoryStore()
    return { ...index, stamps: async () => ({ ...(await index.stamps()), epoch }) }
  }
  let current = indexNamed('first')
  const store = new Proxy(current, {
    get: (_, name) => Reflect.get(current, name) as unknown,
  })
  const caughtUp = Promise.withResolvers<void>()
  const keeping = keep(store, {
    path,
    report: ({ kind }) => {
      if (kind === 'caught_up') caughtUp.resolve()
    },
  })
  await caughtUp.promise
  current = indexNamed('second')
  await vi.waitFor(
    async () => expect(await store.findByPath('notes', 'tea.md')).toBeDefined(),
    SOON,
  )
  await keeping.stop()
})

it('says last that it is done, also where saying how far it was took longer', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const real = openMemoryStore()
  const put: string[] = []
  const putMeta = async (key: string, value: string): Promise<void> => {
    if (key === PROGRESS_KEY && !value.includes('"phase":"done"')) await sleep(50)
    await real.putMeta(key, value)
    if (key === PROGRESS_KEY) put.push(JSON.parse(value).phase)
  }
  const keeping = keep({ ...real, putMeta }, { path })
  await vi.waitFor(() => expect(put).toContain('done'), SOON)
  await keeping.stop()
  expect(put).toContain('index')
  expect(put.at(-1)).toBe('done')
})

it('reads every file again when someone without the lease asks for it', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const store = openMemoryStore()
  const keeping = keep(store, {
    path,
  })
  // The index is wrong in a way that no look at sizes and times shows.
  const document = () => store.findByPath('notes', 'tea.md')
  await vi.waitFor(async () => expect(await document()).toBeDefined(), SOON)
  const right = (await document())!.digest
  const [file] = await store.files('notes')
  const stamp = file?.stamp === undefined ? {} : { stamp: file.stamp }
  const put = [{ ...note((await document())!.no, 'tea.md'), ...(await document()), ...stamp }]
  await store.commit({ put: [{ ...put[0]!, digest: 'wrong' }], checkedAt: Infinity }, resolveLink)
  expect(await askToReadAgain(store, 'asker', SOON.timeout)).toBe('done')
  expect((await document())?.digest).toBe(right)
  await keeping.stop()
})

it('hands the lease of a server that was killed to whoever asks for every file', async () => {
  const store = openMemoryStore()
  await store.acquireLease('killed', SOON.timeout * 10)
  expect(await askToReadAgain(store, 'asker', 1)).toBe('late')
  await store.acquireLease('killed', 50)
  const lease = await askToReadAgain(store, 'asker', SOON.timeout)
  expect(lease).toMatchObject({ owner: 'asker' })
})

it('watches nothing when told so, looks at what it is pointed to, and lets others lead', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n', 'cup.md': 'Round.\n' }, onTestFinished)
  const store = openMemoryStore()
  const keeping = keep(store, {
    path,
    watch: false,
  })
  const digest = async (name: string) => (await store.findByPath('notes', name))?.digest
  await vi.waitFor(async () => expect(await digest('tea.md')).toBeDefined(), SOON)
  const free = async () => {
    expect(await store.acquireLease('2@here:other', 10_000)).toBeDefined()
    await store.releaseLease('2@here:other')
  }
  await vi.waitFor(free, SOON)
  const before = { tea: await digest('tea.md'), cup: await digest('cup.md') }
  writeFiles(path, { 'tea.md': 'Boil it twice.\n', 'cup.md': 'Square.\n', 'new.md': 'New.\n' })
  keeping.look('notes', 'tea.md')
  await vi.waitFor(async () => expect(await digest('tea.md')).not.toBe(before.tea), SOON)
  await vi.waitFor(free, SOON)
  expect([await digest('cup.md'), await digest('new.md')]).toEqual([before.cup, undefined])
  await keeping.stop()
})

it('does not index another copy of a folder, says so, and takes over once it is the same', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const store = openMemoryStore()
  let others = ['notes']
  const told: Report[] = []
  const folders = { look: async () => others, answer: () => {}, close: () => {} }
  const keeping = keep(store, { path, folders, report: (report) => void told.push(report) })
  const kinds = () => told.map(({ kind }) => kind)
  await vi.waitFor(() => expect(kinds()).toEqual(['other_copies', 'following', 'trouble']), SOON)
  expect(told[2]).toMatchObject({ message: expect.stringContaining('another copy of notes') })
  // Nobody else leads, and still nothing is indexed.
  expect(await store.leaseHolder()).toBeUndefined()
  expect((await store.counts()).documents).toBe(0)
  others = []
  await vi.waitFor(() => expect(kinds()).toContain('caught_up'), SOON)
  expect(told[3]).toEqual({ kind: 'other_copies', sources: [] })
  expect((await store.counts()).documents).toBe(1)
  await keeping.stop()
})

it('looks at what it is pointed to while it learns, also where it watches nothing', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const store = openMemoryStore()
  const learning = Promise.withResolvers<boolean>()
  const begun = Promise.withResolvers<void>()
  const keeping = keep(store, {
    path,
    watch: false,
    learn: () => {
      begun.resolve()
      return learning.promise
    },
  })
  await begun.promise
  writeFiles(path, { 'new.md': 'New.\n' })
  keeping.look('notes', 'new.md')
  const isThere = async () => expect(await store.findByPath('notes', 'new.md')).toBeDefined()
  await vi.waitFor(isThere, SOON)
  const stopped = keeping.stop()
  learning.resolve(true)
  await stopped
})

it('learns for the first time as soon as words are there, however busy the files are', async ({
  onTestFinished,
}) => {
  const path = temporaryFolder({ 'tea.md': 'Boil water.\n' }, onTestFinished)
  const learned = vi.fn(async () => true)
  const keeping = keep(openMemoryStore(), { path, learn: learned })
  // One change after the other: the files are never quiet for as long as later learning waits.
  for (let edit = 0; edit < 400 && learned.mock.calls.length === 0; edit++) {
    writeFiles(path, { 'tea.md': `Boil water ${edit} times.\n` })
    await sleep(20)
  }
  expect(learned).toHaveBeenCalled()
  await keeping.stop()
})
