/** The first look at a large tree: some of it can be found while the rest is still walked. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMemoryStore } from '../../../test/support/memory-store/open-memory-store.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { FileEntry } from '../domain/source.ts'
import { formatOf, readableExtensions } from '../../serve/parts/formats.ts'
import type { Place } from '../store/plan-commit.ts'
import type { Store } from '../store/store.ts'
import { openFolderSource } from '../sources/folder/open-folder-source.ts'
import { sync } from './indexer.ts'
import type { Progress } from './indexer.ts'

const notes = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `f${at % 40}/n${at}.md`,
      `# N ${at}\n\nTea ${at}.\n`,
    ]),
  )

async function indexed(
  files: Record<string, string>,
  unreadable = (_path: string) => false,
  commitOf = (commit: Store['commit']) => commit,
  sizeOf = ({ size }: FileEntry) => size,
) {
  const root = temporaryFolder(files)
  // What was written a moment before it is read is read again.
  for (const path of Object.keys(files)) utimesSync(join(root, path), 1_700_000_000, 1_700_000_000)
  const folder = openFolderSource({ name: 'notes', extensions: readableExtensions(), root })
  const opened = openMemoryStore()
  const store = { ...opened, commit: commitOf(opened.commit) }
  const lease = (await store.acquireLease('me', 60_000))!
  const events: string[] = []
  const source = {
    ...folder,
    async scan(onFound?: Parameters<typeof folder.scan>[0]) {
      const scan = await folder.scan((found) =>
        onFound?.(found.map((file) => ({ ...file, size: sizeOf(file) }))),
      )
      events.push('walked')
      return scan
    },
    async read(paths: readonly string[]) {
      const contents = await folder.read(paths)
      return contents.map((content) =>
        unreadable(content.path)
          ? { kind: 'failed' as const, path: content.path, reason: 'EACCES' }
          : content,
      )
    },
  }
  const told: Progress[] = []
  const run = () =>
    sync(
      { store, sources: [source], formatOf, lease },
      { onCommit: () => events.push('committed'), onProgress: (progress) => told.push(progress) },
    )
  return { store, run, events, told }
}

it('publishes the first files of a large tree before it has been walked', async () => {
  const { store, run, events, told } = await indexed({ ...notes(1_200), 'f0/key.md': '\0' })
  const report = await run()
  expect(report).toMatchObject({ indexed: 1_200, unchanged: 0, skipped: 1, failed: 0 })
  expect(events).toEqual(['committed', 'walked', 'committed'])
  expect(told.find(({ done }) => done > 0)).toEqual({ phase: 'scan', done: 200, total: 0 })
  expect(told.findLast(({ phase }) => phase === 'index')).toMatchObject({
    done: 1_201,
    total: 1_201,
  })
  expect((await store.counts()).documents).toBe(1_200)
  events.length = 0
  expect(await run()).toMatchObject({ indexed: 0, unchanged: 1_201 })
  expect(events).toEqual(['walked'])
})

it('counts what cannot be read once, however early it was tried', async () => {
  const { run, told } = await indexed(notes(1_200), (path) => path.endsWith('0.md'))
  expect(await run()).toMatchObject({ indexed: 1_080, unchanged: 0, failed: 120 })
  expect(told.at(-1)).toMatchObject({ done: 1_200, total: 1_200 })
})

it('reads what a writer was faster with again, however early it was tried', async () => {
  let leftOut: Place | undefined
  const { store, run } = await indexed(notes(1_200), undefined, (commit) => (batch, resolve) => {
    if (leftOut) return commit(batch, resolve)
    const [first, ...put] = batch.put!
    batch.onLeftOut!((leftOut = first!))
    return commit({ ...batch, put }, resolve)
  })
  await run()
  expect(await store.findByPath('notes', leftOut!.path)).toBeDefined()
})

it('publishes fewer files early where they are large', async () => {
  const { run, told } = await indexed(notes(1_200), undefined, undefined, () => 1024 ** 2)
  await run()
  expect(told.find(({ done }) => done > 0)).toEqual({ phase: 'scan', done: 32, total: 0 })
})

it('indexes a small tree in one step', async () => {
  const { run, events } = await indexed(notes(900))
  expect(await run()).toMatchObject({ indexed: 900, unchanged: 0 })
  expect(events).toEqual(['walked', 'committed'])
})
