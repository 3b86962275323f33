import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openSameFolders } from './same-folders.ts'

/** A leader over one folder and a follower over another, which may be the same. */
function pair(led: string, followed: string) {
  let until = 0
  const leader = async () => (until === 0 ? undefined : { owner: 'leader', until })
  const sourceOf = (path: string) => [
    { name: 'notes', path },
    { name: 'db', path: 'db:x', kind: 'database' as const },
  ]
  const leading = openSameFolders({ sources: sourceOf(led), leader: async () => undefined })
  const following = openSameFolders({ sources: sourceOf(followed), leader, patienceMs: 9_000 })
  return {
    following,
    renew() {
      leading.answer()
      until += 3_000
    },
  }
}

const questions = (folder: string): string[] =>
  existsSync(join(folder, '.cairn'))
    ? readdirSync(join(folder, '.cairn')).filter((name) => name.startsWith('same-'))
    : []

it('knows its own folder again, and leaves nothing there', async () => {
  const folder = temporaryFolder({ 'a.md': 'A' })
  const { following, renew } = pair(folder, folder)
  expect(await following.look()).toEqual([])
  // Nobody leads: nobody is asked.
  expect(questions(folder)).toEqual([])
  renew()
  await following.look()
  expect(questions(folder)).toHaveLength(1)
  for (let round = 0; round < 10; round++) {
    renew()
    expect(await following.look()).toEqual([])
  }
  expect(questions(folder)).toEqual([])
})

it('finds out that the leader has another copy, and only from one that is alive', async () => {
  const [led, copy] = [temporaryFolder({ 'a.md': 'A' }), temporaryFolder({ 'a.md': 'A' })]
  const { following, renew } = pair(led, copy)
  renew()
  // One that stands still renews nothing, however long it is looked at.
  for (let round = 0; round < 10; round++) expect(await following.look()).toEqual([])
  for (let round = 0; round < 3; round++) {
    expect(await following.look()).toEqual([])
    renew()
  }
  expect(await following.look()).toEqual(['notes'])
  expect(questions(led)).toEqual([])
  following.close()
  expect(questions(copy)).toEqual([])
})

it('asks again where its question was taken away, and believes a late answer', async () => {
  const [led, copy] = [temporaryFolder(), temporaryFolder()]
  const { following, renew } = pair(led, copy)
  for (let round = 0; round < 6; round++) {
    renew()
    await following.look()
  }
  expect(await following.look()).toEqual(['notes'])
  // The volume is there now: whoever leads looks into this folder.
  openSameFolders({
    sources: [{ name: 'notes', path: copy }],
    leader: async () => undefined,
  }).answer()
  expect(await following.look()).toEqual([])
})
