import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { goalTable } from '../bench/goals.ts'
import { keep, lastOfEach, reachedIn, readKept, type Kept } from '../bench/kept.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-kept-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (name: string, day: string, about: Partial<Kept> = {}): Kept => ({
  name,
  quick: false,
  at: `2026-11-${day}T08:00:00.000Z`,
  commit: 'abcd1234',
  noise: ['quiet', 'quiet'],
  text: `## ${name} of the ${day}th`,
  headlines: [],
  panels: [],
  reached: [],
  ...about,
})

it('writes the page from parts that were measured on different days', () => {
  keep(run('large', '17', { reached: [{ key: 'firstEdit', now: 250 }] }), folder)
  keep(
    run('server', '18', {
      reached: [
        { key: 'afterQuestions', now: 190 },
        { key: 'warmStart', now: 170 },
      ],
    }),
    folder,
  )
  // A quick run leaves the 2,000 questions out, and is newer.
  keep(
    run('server', '19', {
      quick: true,
      commit: 'ef567890+',
      reached: [{ key: 'warmStart', now: 150 }],
    }),
    folder,
  )
  const kept = readKept(folder)
  expect(lastOfEach(kept, ['search', 'server', 'large']).map(({ text }) => text)).toEqual([
    '## server of the 19th',
    '## large of the 17th',
  ])
  const rows = goalTable(reachedIn(kept))
    .split('\n')
    .filter((row) => row.includes('2026-11'))
    .map((row) => row.split('|').map((cell) => cell.trim()))
  expect(rows.map((cells) => [cells[3], cells.at(-3), cells.at(-2)])).toEqual([
    ['150 ms', 'met', '2026-11-19, ef567890+, quick'],
    ['190 MB', 'met', '2026-11-18, abcd1234'],
    ['250 ms', 'met', '2026-11-17, abcd1234'],
  ])
})

it('keeps of one benchmark the last run, whole and quick', () => {
  for (const day of ['17', '19']) keep(run('search', day), folder)
  keep(run('search', '18', { quick: true }), folder)
  expect(readKept(folder).map(({ at, quick }) => [at.slice(8, 10), quick])).toEqual([
    ['18', true],
    ['19', false],
  ])
})
