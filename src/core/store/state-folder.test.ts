import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openFolderLocks } from './sqlite/open-folder-locks.ts'
import { makeStateFolder, requireOwnTree } from './state-folder.ts'

const modeOf = (folder: string) => statSync(folder).mode & 0o777

it.skipIf(process.platform === 'win32')('is private, whatever the folder was', () => {
  const around = temporaryFolder()
  for (const name of ['.cairn', 'empty', 'new']) {
    const folder = join(around, name)
    if (name !== 'new') mkdirSync(folder)
    if (name === '.cairn') writeFileSync(join(folder, 'index.db'), '')
    if (name !== 'new') chmodSync(folder, 0o755)
    makeStateFolder(folder)
    expect([name, modeOf(folder)]).toEqual([name, 0o700])
    // Opened up by someone or something since, such as a restored backup.
    chmodSync(folder, 0o777)
    makeStateFolder(folder)
    expect([name, modeOf(folder)]).toEqual([name, 0o700])
  }
})

it.skipIf(process.platform === 'win32')('leaves a folder alone that holds other things', () => {
  const folder = temporaryFolder({ 'mine.txt': 'x' })
  chmodSync(folder, 0o755)
  for (let time = 0; time < 2; time++) makeStateFolder(folder)
  expect([modeOf(folder), readdirSync(folder)]).toEqual([0o755, ['mine.txt']])
})

describe.skipIf(process.platform === 'win32')('links and pipes that were brought along', () => {
  /** A served folder, and one beside it that is nobody's business. */
  function places() {
    const root = temporaryFolder({ 'clone/a.md': '', 'public/theirs.txt': 'x' })
    chmodSync(join(root, 'public'), 0o755)
    const outside = join(root, 'public')
    const untouched = () => expect([modeOf(outside), readdirSync(outside)])
    return { root, state: join(root, 'clone/.cairn'), outside, untouched }
  }

  it('keeps no state where a link in a served folder leads', () => {
    for (const target of ['../public', '../nowhere']) {
      const { root, state, untouched } = places()
      symlinkSync(target, state)
      expect(() => makeStateFolder(state)).toThrow(/\.cairn is a symbolic link/)
      untouched().toEqual([0o755, ['theirs.txt']])
      expect(readdirSync(root).toSorted()).toEqual(['clone', 'public'])
    }
  })

  it('uses a link that the user named', () => {
    const { root, outside } = places()
    symlinkSync(outside, join(root, 'named'))
    makeStateFolder(join(root, 'named'))
    expect(modeOf(outside)).toBe(0o755)
  })

  it('refuses a link for a file or folder of its own, and names it', () => {
    const entries = ['index.db', 'history', 'write.lock', 'replaced', '.gitignore', 'base.json']
    for (const entry of entries) {
      const { state, outside, untouched } = places()
      mkdirSync(state)
      symlinkSync(join(outside, 'new'), join(state, entry))
      expect(() => makeStateFolder(state)).toThrow(`${join(state, entry)} is a symbolic link`)
      untouched().toEqual([0o755, ['theirs.txt']])
    }
  })

  it('finds those further below when it is opened', () => {
    const { state, outside } = places()
    for (const path of ['audit/actions.log', 'history/contents/ab']) {
      mkdirSync(join(state, path, '..'), { recursive: true })
      makeStateFolder(state)
      requireOwnTree(state)
      symlinkSync(join(outside, 'new'), join(state, path))
      expect(() => requireOwnTree(state)).toThrow(`${join(state, path)} is a symbolic link`)
      spawnSync('rm', [join(state, path)])
    }
  })

  it("leaves a user's own links beside it alone, and recipes in it", () => {
    const { state, outside } = places()
    symlinkSync('theirs.txt', join(outside, 'mine'))
    makeStateFolder(outside)
    symlinkSync('theirs.txt', join(outside, 'index.db'))
    expect(() => makeStateFolder(outside)).toThrow('index.db is a symbolic link')
    mkdirSync(state)
    symlinkSync(outside, join(state, 'recipes'))
    makeStateFolder(state)
    requireOwnTree(state)
  })

  it('refuses a pipe', () => {
    const { state } = places()
    mkdirSync(state)
    expect(spawnSync('mkfifo', [join(state, 'index.db')]).status).toBe(0)
    expect(() => makeStateFolder(state)).toThrow('index.db is a pipe')
  })

  it('locks no folder through a link, unless it leads to the state that was named', async () => {
    const { root, state, outside, untouched } = places()
    symlinkSync('../public', state)
    const folder = join(root, 'clone')
    const other = openFolderLocks(join(root, 'other'))
    await expect(other.hold([folder], async () => 'held')).rejects.toThrow('is a symbolic link')
    untouched().toEqual([0o755, ['theirs.txt']])
    const named = openFolderLocks(outside)
    expect(await named.hold([folder], async () => 'held')).toBe('held')
    for (const locks of [other, named]) await locks.close()
  })
})
