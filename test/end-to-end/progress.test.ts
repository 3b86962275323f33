/** How far the first index has come: told while files are read. */
import { expect, it } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it.each([
  ['in a small base', 600, [0, 250, 500]],
  ['in a large one, behind what was published first', 1_600, [200, 450, 700]],
])('is told with the whole number from the first note on, %s', async (_, count, steps) => {
  const notes = Object.fromEntries(
    Array.from({ length: count }, (__, at) => [`${at}.md`, `# Note ${at}\n\nAbout ${at % 7}.\n`]),
  )
  const folder = temporaryFolder(notes)
  const { config } = await loadConfig({
    cwd: folder,
    home: folder,
    env: {},
    flags: {},
    folders: [folder],
    configFile: undefined,
  })
  const base = await openBase(config)
  const told: { done: number; total: number }[] = []
  try {
    await base.index({
      onProgress({ phase, done, total }) {
        if (phase === 'index' && total > 0) told.push({ done, total })
      },
    })
  } finally {
    await base.close()
  }
  expect(new Set(told.map(({ total }) => total))).toEqual(new Set([count]))
  const done = told.map((each) => each.done)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect([done[0], done.at(-1)]).toEqual([steps[0], count])
  expect(done).toEqual(expect.arrayContaining(steps))
  // Somewhere in the middle as well.
  expect(done.some((each) => each > 0 && each < count)).toBe(true)
})
