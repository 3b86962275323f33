/** The index may be taken away from under a running server at any time. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { cairnJson } from '../support/cairn-process.ts'
import { openSession } from '../support/stdio-session.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const SOON = { timeout: 20_000, interval: 50 }

it('goes on with a new index when the old one is deleted or replaced', async () => {
  const folder = temporaryFolder({ 'a.md': '# A\n\nAn aardvark.\n', 'b.md': '# B\n\nA badger.\n' })
  const state = temporaryFolder()
  const session = await openSession([`notes=${folder}`, '--state', state])
  await session.caughtUp()
  expect(await session.found('badger')).toEqual(['notes/b.md'])

  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(state, `index.db${suffix}`), { force: true })
  writeFiles(folder, { 'c.md': '# C\n\nA capybara.\n' })
  await vi.waitFor(
    async () => expect(await session.found('capybara')).toEqual(['notes/c.md']),
    SOON,
  )
  await vi.waitFor(async () => expect(await session.found('badger')).toEqual(['notes/b.md']), SOON)

  writeFileSync(join(folder, 'b.md'), '# B\n\nA beaver.\n')
  await vi.waitFor(async () => expect(await session.found('beaver')).toEqual(['notes/b.md']), SOON)
  expect(await session.found('badger')).toEqual([])
})

it('keeps the index of one folder apart from that of the folder and others', async () => {
  const [one, two] = [
    temporaryFolder({ 'a.md': 'aardvark' }),
    temporaryFolder({ 'b.md': 'badger' }),
  ]
  const state = ['--state', temporaryFolder()]
  const both = [`one=${one}`, `two=${two}`, ...state]
  await cairnJson(['index', ...both])
  await cairnJson(['index', `one=${one}`, ...state])
  const report = await cairnJson(['index', ...both])
  expect(report).toMatchObject({ indexed: 0, documents: 2 })
})
