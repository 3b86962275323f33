/** What is asked again is answered as if nobody had asked before, for less work. */
import { appendFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import type { Place } from '../../src/core/domain/document.ts'
import { createShownBefore } from '../../src/core/operations/searching/shown-before.ts'
import type { Surface } from '../../src/serve/door/surface.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTES = {
  'boat.md': '# Boat\n\nThe hull of the boat is painted blue every spring by Ada.\n',
  'shed.md': '# Shed\n\nThe shed keeps the paint for the hull of the boat. It is locked.\n',
  'yard/crane.md': '# Crane\n\nThe crane lifts a boat of ten tons; see [[boat]].\n',
  'yard/keys.md': '# Keys\n\nThe key is AKIAABCDEFGHIJKLMNOP, and the shed is locked with it.\n',
  'tea.md': '# Tea\n\nBoil the water first, then wait three minutes.\n',
}

async function open(notes: Readonly<Record<string, string>> = NOTES) {
  const base = await openTestBase(notes)
  // Files are certain once they have rested.
  let ahead = performance.timeOrigin + 60_000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ahead + performance.now())
  onTestFinished(() => clock.mockRestore())
  let ranked = 0
  const { index } = base.base
  const counted: typeof index = {
    ...index,
    retrying: (work) => {
      ranked++
      return index.retrying(work)
    },
  }
  const watched = { ...base.base, index: counted }
  const fresh = (): Surface => openNativeSurface(watched, { version: '0', log: console.error })
  const surface = fresh()
  return {
    ...base,
    surface,
    fresh,
    passes: (ms: number) => void (ahead += ms),
    /** How often the index was asked meanwhile. */
    async rankings(work: () => Promise<unknown>): Promise<number> {
      const before = ranked
      await work()
      return ranked - before
    },
  }
}

const signal = new AbortController().signal
const say = (surface: Surface, query: string, more: object = {}, args: object = {}) =>
  surface.call('search', { query, ...args }, { signal, progress: () => {}, ...more })

it('ranks what is asked for the third time no more', async () => {
  const { surface, rankings } = await open()
  const times = []
  for (let turn = 0; turn < 4; turn++) {
    times.push(await rankings(() => say(surface, 'who paints the boat')))
  }
  expect(times).toEqual([1, 1, 0, 0])
  expect(await rankings(() => say(surface, 'who paints the boat', {}, { limit: 2 }))).toBe(1)
})

it.each<[string, (folder: string, sync: () => Promise<unknown>) => unknown]>([
  ['a file that it shows was edited', (folder) => appendFileSync(join(folder, 'boat.md'), 'New.')],
  [
    'another file was indexed',
    async (folder, sync) => {
      writeFileSync(join(folder, 'hull.md'), '# Who paints the boat\n\nGrace does.\n')
      await sync()
    },
  ],
  [
    'a folder was moved out and linked to',
    (folder) => {
      const outside = join(temporaryFolder({}), 'yard')
      renameSync(join(folder, 'yard'), outside)
      symlinkSync(outside, join(folder, 'yard'))
    },
  ],
])('answers anew when %s', async (_, change) => {
  const { surface, fresh, rankings, folder, sync } = await open()
  const ask = () => say(surface, 'who paints the boat')
  for (let turn = 0; turn < 3; turn++) await ask()
  expect(await rankings(ask)).toBe(0)
  await change(folder, () => sync())
  expect(await rankings(ask)).toBe(1)
  expect(await ask()).toEqual(await say(fresh(), 'who paints the boat'))
})

it('gives what holds now again until it may hold no longer', async () => {
  const rota = 'Ada is on call, who is awake all night for the station.'
  const ends = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const { surface, fresh, rankings, passes } = await open({
    'ada.md': `---\nvalid_until: ${ends}\ndate: 2026-02-01\n---\n# On call\n\n${rota}\n`,
    'eve.md': `---\ndate: 2026-01-01\n---\n# On call\n\n${rota.replace('Ada', 'Eve')}\n`,
  })
  const ask = () => say(surface, 'who is on call')
  const first = [await ask(), await ask(), await ask()].at(-1)
  passes(86_400_000)
  expect(await rankings(ask)).toBe(0)
  passes(30 * 86_400_000)
  expect(await rankings(ask)).toBe(1)
  expect(await ask()).toEqual(await say(fresh(), 'who is on call'))
  expect(await ask()).not.toEqual(first)
})

it('keeps nothing that is shown to one caller for another', async () => {
  const { surface, fresh } = await open()
  const sees = ({ path }: Place): boolean => path.startsWith('yard/')
  const caller: Caller = { principal: 'guest', may: ['read'], sees }
  const who = [{}, { showSecrets: true }, { client: 'chatgpt/1' }, { onlyData: true }, { caller }]
  for (let turn = 0; turn < 4; turn++) {
    for (const each of who) {
      const query = 'which key locks the shed'
      expect(await say(surface, query, each)).toEqual(await say(fresh(), query, each))
    }
  }
  const shown = await Promise.all(who.map((each) => say(surface, 'shed', each)))
  expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(who.length)
})

const QUERIES = ['who paints the boat', 'boat painted hull', 'locked shed', 'tea water', 'nothing']

const STEP = fc.record({
  query: fc.constantFrom(...QUERIES),
  talk: fc.integer({ min: 0, max: 3 }),
  again: fc.integer({ max: 9, min: 0 }).map((drawn) => drawn === 0),
  edits: fc.integer({ min: 0, max: 120 }).map((drawn) => Object.keys(NOTES)[drawn]),
  syncs: fc.integer({ min: 0, max: 60 }).map((drawn) => drawn === 0),
})

it('says the same to every conversation as without (generated)', async () => {
  const { surface, fresh, rankings, folder, sync } = await open()
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 80, maxLength: 80 }), async (steps) => {
      // The last of them keeps nothing in mind.
      const talks = Array.from({ length: 3 }, () => [createShownBefore(), createShownBefore()])
      const spent = await rankings(async () => {
        for (const { query, talk, again, edits, syncs } of steps) {
          if (edits !== undefined) appendFileSync(join(folder, edits), 'One line more.\n')
          if (syncs) await sync()
          const [own, other] = talks[talk] ?? []
          const kept = await say(surface, query, own && { seen: own }, { again })
          expect(kept).toEqual(await say(fresh(), query, other && { seen: other }, { again }))
        }
      })
      // Whoever keeps nothing ranks each time.
      expect(spent).toBeLessThan(2 * steps.length)
    }),
    { numRuns: 5 },
  )
})
