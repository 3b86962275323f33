import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openLocalCopies } from './local-copies.ts'

const STREAMS = new Map([
  ['words', Uint8Array.from({ length: 5_000 }, (_, at) => at % 251)],
  ['empty', new Uint8Array()],
])

function opened(folder: string, mostBytes?: number) {
  const fetched: number[] = []
  const copies = openLocalCopies(
    folder,
    async (segment) => {
      fetched.push(segment)
      return STREAMS
    },
    mostBytes,
  )
  return { copies, fetched }
}

it('fetches a segment once, for all who read it and for later processes', async () => {
  const folder = join(temporaryFolder(), 'copies')
  const first = opened(folder)
  const [a, b] = await Promise.all([first.copies.copy(7), first.copies.copy(7)])
  expect([...a.read('words', 10, 13)!]).toEqual([10, 11, 12])
  expect(b.read('empty')?.length).toBe(0)
  expect([b.read('nothing'), b.read('words', 0, 5_001)]).toEqual([undefined, undefined])
  expect(first.fetched).toEqual([7])
  first.copies.close()
  const second = opened(folder)
  expect((await second.copies.copy(7)).read('words')).toEqual(STREAMS.get('words'))
  expect(second.fetched).toEqual([])
  second.copies.close()
})

it('fetches again what is damaged, cut short or deleted', async () => {
  const folder = temporaryFolder()
  const file = join(folder, '7.segment')
  const first = opened(folder)
  await first.copies.copy(7)
  first.copies.close()
  const sound = readFileSync(file)
  const flipped = Buffer.from(sound)
  flipped[flipped.length - 9]! ^= 1
  for (const bad of [flipped, sound.subarray(0, 3_000), Buffer.from('x'), Buffer.alloc(0)]) {
    writeFileSync(file, bad)
    const again = opened(folder)
    expect((await again.copies.copy(7)).read('words')).toEqual(STREAMS.get('words'))
    expect(again.fetched).toEqual([7])
    again.copies.close()
  }
  rmSync(folder, { recursive: true })
  const last = opened(folder)
  expect((await last.copies.copy(7)).read('words', 1, 2)).toEqual(Uint8Array.of(1))
  last.copies.close()
})

it('writes pages as they arrive, and leaves nothing of what breaks off', async () => {
  const folder = join(temporaryFolder(), 'copies')
  let isWhole = false
  const copies = openLocalCopies(folder, async function* () {
    yield ['empty', new Uint8Array()]
    yield ['words', Uint8Array.of(1, 2, 3)]
    // Nobody holds what came before: it is on the disk by now.
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\..*\.partial$/)])
    if (!isWhole) throw new Error('the database is gone')
    yield ['words', Uint8Array.of(4, 5)]
    yield ['numbers', Uint8Array.of(6)]
  })
  await expect(copies.copy(7)).rejects.toThrow('the database is gone')
  expect(readdirSync(folder)).toEqual([])
  isWhole = true
  const copy = await copies.copy(7)
  expect([copy.read('words', 1, 4), copy.read('numbers'), copy.read('empty')]).toEqual([
    Uint8Array.of(2, 3, 4),
    Uint8Array.of(6),
    new Uint8Array(),
  ])
  expect(readdirSync(folder)).toEqual(['7.segment'])
  copies.close()
})

it('removes what servers that were killed had begun, and nothing that is being fetched', async () => {
  const folder = temporaryFolder({
    '.0123456789ab.partial': 'half',
    '.ba9876543210.partial': 'half',
  })
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(join(folder, '.0123456789ab.partial'), longAgo, longAgo)
  const { copies } = opened(folder)
  await copies.copy(7)
  expect(readdirSync(folder).toSorted()).toEqual(['.ba9876543210.partial', '7.segment'])
  copies.close()
})

it('keeps within its bound, and reads from memory where nothing can be written', async () => {
  const folder = temporaryFolder()
  for (const segment of [1, 2, 3]) {
    const { copies } = opened(folder, 12_000)
    await copies.copy(segment)
    copies.close()
  }
  expect(readdirSync(folder)).toHaveLength(2)
  expect(existsSync(join(folder, '3.segment'))).toBe(true)
  const { copies } = opened(join(folder, '3.segment'))
  expect((await copies.copy(9)).read('words', 5, 6)).toEqual(Uint8Array.of(5))
})

it('keeps what came along, and lets go of what nobody has read for long', async () => {
  const folder = temporaryFolder()
  const { copies, fetched } = opened(folder)
  copies.take(7, STREAMS)
  await copies.copy(8)
  expect((await copies.copy(7)).read('words', 10, 12)).toEqual(Uint8Array.of(10, 11))
  expect([fetched, [...copies.held()]]).toEqual([[8], [7, 8]])
  const now = vi.spyOn(performance, 'now')
  onTestFinished(() => now.mockRestore())
  const keepAt = (ms: number, segments: readonly number[]): string[] => {
    now.mockReturnValue(ms)
    copies.keep(segments)
    return readdirSync(folder).toSorted()
  }
  // One that was replaced can be read for a while.
  expect(keepAt(0, [8])).toEqual(['7.segment', '8.segment'])
  expect(keepAt(100_000, [8])).toEqual(['7.segment', '8.segment'])
  expect(keepAt(130_000, [8])).toEqual(['8.segment'])
  expect([...copies.held()]).toEqual([8])
  copies.close()
  const later = opened(folder)
  expect([...later.copies.held()]).toEqual([8])
  later.copies.close()
})
