import { expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../../test/support/temporary-folder.ts'
import { findBase, forgetBase, registerBase, registeredBases } from './find-base.ts'

function around(files: Record<string, string>, cwd: string) {
  const home = temporaryFolder()
  writeFiles(home, files)
  return { home, cwd: `${home}/${cwd}`, env: {} }
}

it('finds the nearest base above', () => {
  const files = {
    'vault/cairn.yaml': 'sources: [.]',
    'vault/inner/.cairn/index.db': '',
    'vault/inner/deep/a.md': '',
    'vault/other/b.md': '',
  }
  const at = (cwd: string) => {
    const where = around(files, cwd)
    const found = findBase(where)
    return found && 'folder' in found
      ? [found.kind, found.folder.slice(where.home.length + 1)]
      : found
  }
  expect(at('vault')).toEqual(['file', 'vault'])
  expect(at('vault/other')).toEqual(['file', 'vault'])
  expect(at('vault/inner/deep')).toEqual(['folder', 'vault/inner'])
})

it('falls back to the one set up last that is still there', () => {
  const where = around({ 'a/cairn.yaml': '', 'b/cairn.yaml': '', 'else/x.md': '' }, 'else')
  expect(findBase(where)).toBeUndefined()
  for (const name of ['a', 'b', 'a', 'gone'])
    registerBase(where, `${where.home}/${name}/cairn.yaml`)
  expect(registeredBases(where).map((file) => file.slice(where.home.length))).toEqual([
    '/gone/cairn.yaml',
    '/a/cairn.yaml',
    '/b/cairn.yaml',
  ])
  expect(findBase(where)).toEqual({ kind: 'registered', file: `${where.home}/a/cairn.yaml` })
  expect(forgetBase(where, `${where.home}/a`)).toBe(true)
  expect(forgetBase(where, `${where.home}/a`)).toBe(false)
  expect(findBase(where)).toEqual({ kind: 'registered', file: `${where.home}/b/cairn.yaml` })
})

it('takes a damaged list for an empty one', () => {
  const where = around({ '.config/cairn/bases.json': '{ "bases": 3 ' }, '.')
  expect(registeredBases(where)).toEqual([])
})
