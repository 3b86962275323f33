/** Bases that do not know of each other write to the same files: nothing acknowledged is lost. */
import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appendToDocument } from '../support/edit-documents.ts'
import { startAppending } from '../support/appending.ts'
import type { Appending } from '../support/appending.ts'
import { openSmallBase, openSmallBaseAt } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const nobody = { by: {} }

/** How many lines each of the processes must have had acknowledged before the count. */
const LINES = Number(process.env['TEST_LINES'] ?? 60)

const TIMEOUT = { timeout: 600_000 + LINES * 2_000 }

async function countLost(file: string, writers: readonly Appending[]): Promise<string[]> {
  await Promise.all(writers.map((writer) => writer.reached(LINES)))
  for (const writer of writers) await writer.stop()
  const lines = new Set(readFileSync(file, 'utf8').split('\n'))
  const acknowledged = writers.flatMap((writer) => writer.acknowledged)
  console.log(`${acknowledged.length} acknowledged lines from ${writers.length} processes`)
  expect(writers.flatMap(({ errors }) => errors)).toEqual([])
  return acknowledged.filter((line) => !lines.has(line))
}

it('keeps every line of two bases with state folders of their own', TIMEOUT, async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n\n- begin\n' })
  const [one, two] = [temporaryFolder(), temporaryFolder()]
  const writers = [
    startAppending(folder, one, 'log.md', 'one'),
    startAppending(folder, two, 'log.md', 'two'),
  ]
  expect(await countLost(join(folder, 'log.md'), writers)).toEqual([])
})

it('keeps every line of a vault and a folder inside it', TIMEOUT, async () => {
  const vault = temporaryFolder({ 'work/log.md': '# Log\n\n- begin\n' })
  const inner = join(vault, 'work')
  const writers = [
    startAppending(vault, join(vault, '.cairn'), 'work/log.md', 'outer'),
    startAppending(inner, join(inner, '.cairn'), 'log.md', 'inner'),
  ]
  expect(await countLost(join(inner, 'log.md'), writers)).toEqual([])
})

/** By the clock, the folder has changed only just now, until whoever gets this puts time right. */
function stillTime(folder: string): () => void {
  vi.spyOn(Date, 'now').mockImplementation(() => statSync(folder).mtimeMs)
  onTestFinished(() => void vi.restoreAllMocks())
  return () => void vi.restoreAllMocks()
}

it('finds a file that is put back after the machine has stood still', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const { kb } = await openSmallBaseAt(folder)
  const place = join(folder, 'log.md')
  renameSync(place, `${place}.aside`)
  const goOn = stillTime(folder)
  // After the first looks, nothing happens for longer than all of them would have taken.
  const back = sleep(60).then(async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
    await sleep(1)
    renameSync(`${place}.aside`, place)
    goOn()
  })
  await appendToDocument(kb, 'log.md', '- line', nobody)
  await back
  expect(readFileSync(place, 'utf8')).toContain('- line')
})

it('waits for a file that another program is just replacing, and for no other', async () => {
  const folder = temporaryFolder({ 'log.md': '# Log\n' })
  const { kb } = await openSmallBaseAt(folder)
  const place = join(folder, 'log.md')
  renameSync(place, `${place}.aside`)
  const goOn = stillTime(folder)
  const back = sleep(60).then(() => {
    renameSync(`${place}.aside`, place)
    goOn()
  })
  await appendToDocument(kb, 'log.md', '- line', nobody)
  await back
  expect(readFileSync(place, 'utf8')).toContain('- line')
  await expect(appendToDocument(kb, 'lag.md', '- line', nobody)).rejects.toThrow(/no document/i)
})

it(
  'goes on without a restart when .cairn is deleted, and still keeps others out',
  TIMEOUT,
  async () => {
    const folder = temporaryFolder({ 'log.md': '# Log\n\n- begin\n' })
    const away = temporaryFolder()
    const state = join(folder, '.cairn')
    const writers = [startAppending(folder, state, 'log.md', 'first')]
    for (let deletion = 1; deletion <= 5; deletion++) {
      await writers[0]!.reached((deletion * LINES) / 5)
      expect(writers.flatMap(({ errors }) => errors)).toEqual([])
      renameSync(state, join(away, String(deletion)))
      writers[1] ??= startAppending(folder, state, 'log.md', 'second')
    }
    expect(await countLost(join(folder, 'log.md'), writers)).toEqual([])
  },
)

it('writes again in the same process after .cairn was deleted', async () => {
  const { kb, folder, state } = await openSmallBase({ 'tea.md': 'x\n' })
  await appendToDocument(kb, 'tea', '- one', nobody)
  rmSync(join(folder, '.cairn'), { recursive: true })
  rmSync(join(state, 'history'), { recursive: true })
  rmSync(join(state, 'write.lock'))
  await appendToDocument(kb, 'tea', '- two', nobody)
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toContain('- two\n')
  expect(existsSync(join(folder, '.cairn', 'write.lock'))).toBe(true)
})

/** What happens in which order when `held` has the lock and `waiting` wants to write. */
async function orderOf(held: SmallBase, waiting: SmallBase, path: string): Promise<string[]> {
  const order: string[] = []
  let write: Promise<unknown> | undefined
  await held.kb.writing!.lock.hold([held.folder], async () => {
    write = appendToDocument(waiting.kb, path, '- one', nobody).then(() => order.push('written'))
    await sleep(200)
    order.push('let go')
  })
  await write
  return order
}

it('waits for a base with another state folder, above or below its own', async () => {
  const outer = await openSmallBase({ 'a.md': 'x\n', 'sub/b.md': 'x\n' })
  const same = await openSmallBaseAt(outer.folder)
  const inner = await openSmallBaseAt(join(outer.folder, 'sub'))
  expect(await orderOf(outer, same, 'a.md')).toEqual(['let go', 'written'])
  expect(await orderOf(outer, inner, 'b.md')).toEqual(['let go', 'written'])
  expect(await orderOf(inner, outer, 'sub/b.md')).toEqual(['let go', 'written'])
  expect(await orderOf(inner, same, 'sub/b.md')).toEqual(['let go', 'written'])
})

it('writes to a folder of another base that is reached through a link', async () => {
  const { kb, folder } = await openSmallBase({ 'sub/deep/a.md': 'x\n' })
  const inner = await openSmallBaseAt(join(folder, 'sub'))
  await appendToDocument(inner.kb, 'deep/a.md', '- one', nobody)
  symlinkSync('sub', join(folder, 'way'))
  await appendToDocument(kb, 'way/deep/a.md', '- two', nobody).catch(() => undefined)
  await appendToDocument(kb, 'sub/deep/a.md', '- three', nobody)
  expect(readFileSync(join(folder, 'sub/deep/a.md'), 'utf8')).toContain('- three')
})
