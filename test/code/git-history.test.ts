/** When git says that files were last committed. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { git } from '../duskmantle/open-duskmantle.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openWorkTree } from '../../src/core/sources/git/open-work-tree.ts'
import { readGitHistory } from '../../src/core/sources/git/read-git-history.ts'

const DAY = 86_400_000
const FIRST = new Date('2026-01-01T00:00:00Z')
const at = (days: number): Date => new Date(FIRST.getTime() + days * DAY)

/** Three commits, a day apart: all files, then `b.py`, then a file in a folder with an odd name. */
function repository(): string {
  const folder = temporaryFolder({ 'a.py': 'a', 'b.py': 'b', 'old.py': 'c' })
  const commit = (days: number): void => {
    git(folder, ['add', '-A'])
    git(folder, ['commit', '-q', '-m', `day ${days}`], at(days))
  }
  git(folder, ['init', '-q'])
  commit(0)
  writeFileSync(join(folder, 'b.py'), 'b2')
  renameSync(join(folder, 'old.py'), join(folder, 'new.py'))
  commit(1)
  mkdirSync(join(folder, 'über uns'))
  writeFileSync(join(folder, 'über uns/c.py'), 'c')
  commit(2)
  return folder
}

async function days(folder: string, paths: readonly string[]): Promise<Record<string, number>> {
  const { stamps } = (await readGitHistory(folder, { paths: new Set(paths) }))!
  return Object.fromEntries(
    [...stamps].map(([path, { committedAt }]) => [path, (committedAt - FIRST.getTime()) / DAY]),
  )
}

it('tells when each file was last committed', async () => {
  const folder = repository()
  writeFileSync(join(folder, 'never.py'), 'x')
  const paths = ['a.py', 'b.py', 'new.py', 'über uns/c.py', 'never.py']
  expect(await days(folder, paths)).toEqual({
    'a.py': 0,
    'b.py': 1,
    'new.py': 1,
    'über uns/c.py': 2,
  })
  // Paths count from the folder that is asked for.
  expect(await days(join(folder, 'über uns'), ['c.py'])).toEqual({ 'c.py': 2 })
})

it('takes the oldest commit that a shallow clone has for those before', async () => {
  const folder = repository()
  const clone = join(temporaryFolder({}), 'clone')
  git(folder, ['clone', '-q', '--depth', '2', `file://${folder}`, clone])
  expect(await days(clone, ['a.py', 'b.py', 'über uns/c.py'])).toEqual({
    'a.py': 1,
    'b.py': 1,
    'über uns/c.py': 2,
  })
})

it('knows nothing without git, and of a repository without a commit', async () => {
  const folder = temporaryFolder({ 'a.py': 'a' })
  expect(await readGitHistory(folder, { paths: new Set(['a.py']) })).toBeUndefined()
  git(folder, ['init', '-q'])
  expect(await readGitHistory(folder, { paths: new Set(['a.py']) })).toBeUndefined()
})

it('notices another commit, also from a folder below the top and in a linked work tree', () => {
  const folder = repository()
  git(folder, ['worktree', 'add', '-q', '.linked', '-b', 'other'])
  for (const place of [folder, join(folder, 'über uns'), join(folder, '.linked')]) {
    const tree = openWorkTree(place)
    const before = tree.stamp([])
    expect(tree.stamp([])).toBe(before)
    git(place, ['commit', '-q', '--allow-empty', '-m', 'more'])
    const after = tree.stamp([])
    expect(after).not.toBe(before)
    git(place, ['checkout', '-q', '--detach'])
    expect(tree.stamp([])).not.toBe(after)
    git(place, ['checkout', '-q', '-'])
  }
})
