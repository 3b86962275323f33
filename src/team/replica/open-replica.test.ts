/** A store elsewhere, as one of several servers has it. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { note, segmentOf } from '../../../test/contract/store-contract.ts'
import { SOON } from '../../../test/support/soon.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import type { History } from '../../core/domain/history.ts'
import { resolveLink } from '../../core/indexing/resolve-link.ts'
import { openMemoryStore } from '../../../test/support/memory-store/open-memory-store.ts'
import { emptyTables } from '../../../test/support/memory-store/tables.ts'
import type { NewDocument, Store } from '../../core/store/store.ts'
import { asReplica } from './as-replica.ts'
import { openReplica } from './open-replica.ts'
import type { ReplicaOptions } from './open-replica.ts'

const gone = new KnowledgeError('unavailable', 'The database does not answer.', 'Start it.')

/** Counts what is asked, and answers nothing while it is down. */
function openRemote(options: ReplicaOptions = {}) {
  const remote = {
    down: false,
    asked: [] as string[],
    answersAfter: undefined as Promise<void> | undefined,
  }
  const tables = emptyTables()
  const behind = openMemoryStore(tables)
  const store = new Proxy(behind, {
    get(target, name: keyof Store) {
      const method = Reflect.get(target, name) as ((...all: unknown[]) => unknown) | undefined
      if (!method) return undefined
      return async (...values: unknown[]) => {
        const until = remote.answersAfter
        remote.asked.push(name)
        if (remote.down) throw gone
        const found = await method(...values)
        await until
        return found
      }
    },
  })
  const replica = openReplica(store, options)
  /** From here on records and passages can be had at once. */
  const withPages = (): void => {
    behind.documentsWithChunks = async (nos) => {
      const [documents, chunks] = [await behind.documents(nos), await behind.chunksOf(nos)]
      return documents.map((document, at) => document && { document, chunks: chunks[at]! })
    }
  }
  onTestFinished(() => replica.store.close().catch(() => {}))
  const put = (to: Store, ...documents: NewDocument[]) =>
    to.commit({ put: documents, segment: segmentOf(documents) }, resolveLink)
  const other = openMemoryStore(tables)
  return { remote, replica, store: replica.store, behind: store, other, put, withPages }
}

it('fetches a page with its passages at once, where that can be had', async () => {
  const { remote, store, other, put, withPages } = openRemote()
  withPages()
  await put(other, note(1, 'a.md', { title: 'old' }), note(2, 'b.md'))
  const read = async () => {
    remote.asked.length = 0
    await store.stamps()
    const titles = (await store.documents([2, 1, 9])).map((record) => record?.title)
    const passages = (await store.chunksOf([2, 1])).map(([first]) => first?.doc)
    return [titles, passages, [...remote.asked]]
  }
  const page = [
    ['Note 2', 'old', undefined],
    [2, 1],
  ]
  expect(await read()).toEqual([...page, ['stamps', 'documentsWithChunks']])
  await put(other, note(1, 'a.md', { title: 'new' }))
  const [titles, passages, asked] = await read()
  expect([titles, passages]).toEqual([
    ['Note 2', 'new', undefined],
    [2, 1],
  ])
  expect(asked).toContain('documentsWithChunks')
  expect(asked).not.toContain('chunksOf')
  // Very many are not shown at once, and nobody wants their passages.
  remote.asked.length = 0
  await store.documents(Array.from({ length: 100 }, (_, at) => at + 10))
  expect(remote.asked).toEqual(['documents'])
})

it('asks for a document once, until it changes, wherever it was changed', async () => {
  const { remote, store, other, put } = openRemote()
  await put(other, note(1, 'a.md', { title: 'old' }), note(2, 'b.md'))
  const read = async () => {
    remote.asked.length = 0
    await store.stamps()
    const titles = (await store.documents([1, 2])).map((record) => record?.title)
    const passages = (await store.chunksOf([1, 2])).map(({ length }) => length)
    return [titles, passages, [...remote.asked]]
  }
  expect(await read()).toEqual([
    ['old', 'Note 2'],
    [1, 1],
    ['stamps', 'documents', 'chunksOf'],
  ])
  expect(await read()).toEqual([['old', 'Note 2'], [1, 1], ['stamps']])
  await put(other, note(1, 'a.md', { title: 'new', chunks: [] }))
  const asked = ['stamps', 'changesSince', 'documents', 'chunksOf']
  expect(await read()).toEqual([['new', 'Note 2'], [0, 1], asked])
  await other.commit({ remove: [2] }, resolveLink)
  expect((await read()).slice(0, 2)).toEqual([
    ['new', undefined],
    [0, 0],
  ])
  // Its own change shows before anybody was told a new generation.
  await put(store, note(1, 'a.md', { title: 'own' }))
  expect((await store.documents([1]))[0]?.title).toBe('own')
})

it('does not take an answer that was under way for what holds after a change', async () => {
  const { remote, store, other, put } = openRemote()
  await put(other, note(1, 'a.md', { title: 'old' }))
  await store.stamps()
  const late = Promise.withResolvers<void>()
  remote.answersAfter = late.promise
  const reading = store.documents([1])
  await vi.waitFor(() => expect(remote.asked).toContain('documents'), SOON)
  remote.answersAfter = undefined
  await put(other, note(1, 'a.md', { title: 'new' }))
  await store.stamps()
  // Whoever asks next finds out what changed.
  await store.chunksOf([1])
  late.resolve()
  expect((await reading)[0]?.title).toBe('old')
  expect((await store.documents([1]))[0]?.title).toBe('new')
})

it('answers from what it has while nobody answers, says since when, and heals by itself', async () => {
  const { remote, replica, store, other, put } = openRemote({ now: () => 42, tryEveryMs: 1 })
  await put(other, note(1, 'a.md', { title: 'old' }), note(2, 'b.md'))
  const before = await store.stamps()
  await store.documents([1])
  await store.chunksOf([1])
  remote.down = true
  expect(await store.stamps()).toEqual({ ...before, remembered: true })
  expect(replica.awaySince()).toBe(42)
  expect((await store.documents([2, 1])).map((record) => record?.title)).toEqual([undefined, 'old'])
  expect((await store.chunksOf([1, 2])).map(({ length }) => length)).toEqual([1, 0])
  expect((await store.findByPath('notes', 'a.md'))?.title).toBe('old')
  await expect(store.findByPath('notes', 'b.md')).rejects.toThrow('does not answer')
  await expect(replica.requireReachable()).rejects.toMatchObject({ code: 'unavailable' })
  await expect(store.list({}, 'path', { offset: 0, limit: 1 })).rejects.toThrow('does not answer')

  await put(other, note(1, 'a.md', { title: 'new' }))
  remote.down = false
  await vi.waitFor(() => expect(replica.awaySince()).toBeUndefined(), SOON)
  await store.stamps()
  expect((await store.documents([1]))[0]?.title).toBe('new')
  await replica.requireReachable()
})

it('finds again by its path what it was asked for, also where it is the first to hear nothing', async () => {
  const { remote, replica, store, other, put } = openRemote()
  await put(other, note(1, 'a.md', { title: 'old' }), note(2, 'b.md'))
  await store.stamps()
  await store.findByPath('notes', 'a.md')
  await put(other, note(1, 'a.md', { title: 'new' }))
  await store.stamps()
  expect((await store.findByPath('notes', 'a.md'))?.title).toBe('new')
  expect((await store.documents([1]))[0]?.title).toBe('new')
  await store.findByPath('notes', 'a.md')
  remote.down = true
  expect((await store.findByPath('notes', 'a.md'))?.title).toBe('new')
  expect(replica.awaySince()).toBeDefined()
  await expect(store.findByPath('notes', 'b.md')).rejects.toThrow('does not answer')
})

it('refuses to begin a change that nobody else could see', async () => {
  const { remote, behind, put, other } = openRemote()
  await put(other, note(1, 'a.md'))
  const worked: string[] = []
  const lock = {
    hold: <Result>(_: readonly string[], work: () => Promise<Result>) => work(),
    fence() {},
    disarm: async () => false,
    isKept: () => true,
    unheldBelow: () => [],
    close: async () => {},
  }
  const opened = asReplica({
    store: behind,
    warning: undefined,
    openWriting: async () => ({ lock, history: {} as History, close: async () => {} }),
  })
  const writing = await opened.openWriting({})
  const write = () => writing.lock.hold([], async () => worked.push('written'))
  await write()
  remote.down = true
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
  expect(worked).toEqual(['written'])
  expect(opened.trouble?.()).toMatch(/^the database has not answered since \d{4}-/)
  remote.down = false
  await write()
  expect(opened.trouble?.()).toBeUndefined()
  await opened.store.close()
})

it('fails at once where it never knew anything, and with what is no outage', async () => {
  const { remote, replica, store } = openRemote()
  remote.down = true
  await expect(store.stamps()).rejects.toThrow('does not answer')
  const broken = openReplica({
    ...openMemoryStore(),
    stamps: () => Promise.reject(new Error('bug')),
  })
  await expect(broken.store.stamps()).rejects.toThrow('bug')
  expect(broken.awaySince()).toBeUndefined()
  await expect(replica.requireReachable()).rejects.toThrow('does not answer')
})

it('remembers no more than it may', async () => {
  const { remote, store, other, put } = openRemote({ mostBytes: 4_000 })
  await put(other, ...Array.from({ length: 5 }, (_, no) => note(no, `${no}.md`)))
  await store.stamps()
  for (const no of [0, 1, 2, 3, 4]) await store.documents([no])
  remote.asked.length = 0
  await store.documents([4])
  expect(remote.asked).toEqual([])
  await store.documents([0])
  expect(remote.asked).toEqual(['documents'])
})

it('says how long ago the other side was last looked at', async () => {
  let time = 1_000
  const opened = asReplica(
    {
      store: openMemoryStore(),
      warning: undefined,
      openWriting: () => Promise.reject(new Error()),
    },
    { now: () => time },
  )
  time += 5_000
  expect(opened.lagMs?.()).toBe(5_000)
  await opened.store.stamps()
  expect(opened.lagMs?.()).toBe(0)
  await opened.store.close()
})

it('asks one that falls silent no second time before it has answered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { remote, store, put, other } = openRemote({ tryEveryMs: 1 })
  await put(other, note(1, 'a.md'))
  await store.stamps()
  remote.down = true
  await store.stamps()
  const silent = Promise.withResolvers<void>()
  remote.down = false
  remote.answersAfter = silent.promise
  remote.asked.length = 0
  await vi.waitFor(() => expect(remote.asked).toEqual(['stamps']), SOON)
  await vi.advanceTimersByTimeAsync(20)
  expect(remote.asked).toEqual(['stamps'])
  silent.resolve()
  await vi.waitFor(async () => expect((await store.stamps()).remembered).toBeUndefined(), SOON)
})
