import { mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { readableExtensions } from '../../../serve/parts/formats.ts'
import { justChanged } from './just-changed.ts'
import { compileRules } from './rules.ts'
import type { Tree } from './scan.ts'

const treeOf = (root: string): Tree => ({
  name: 'notes',
  root,
  rules: compileRules({ extensions: readableExtensions() }),
  maxFileBytes: 1_000,
  decode: () => '',
  ignoresCase: false,
  heedsIgnoreFiles: true,
})

it.each<[string, readonly string[], readonly string[]]>([
  ['nothing is known', [], ['root.md']],
  ['a file deep down changed last', ['a/b/c.md'], ['a/b/c.md', 'a/b/new.md', 'a/x.md', 'root.md']],
  ['the folder is gone', ['gone/x.md'], ['root.md']],
])('tells what is new in the root and where files changed last: %s', (_, recent, expected) => {
  const files = ['root.md', 'a/x.md', 'a/b/c.md', 'a/b/new.md', 'far/away.md', 'a.png', '.git/a.md']
  const root = temporaryFolder(Object.fromEntries(files.map((path) => [path, ''])))
  // Nothing has come or gone there lately.
  for (const folder of ['a/b', 'a', 'far']) utimesSync(join(root, folder), 1, 1)
  const listed: string[] = []
  const tree = treeOf(root)
  const found = justChanged(tree, recent, (folder) => listed.push(folder))
  expect(found.toSorted()).toEqual(expected)
  expect(listed[0]).toBe('')
  expect(listed).not.toContain('far')
})

it('goes into folders that are new', () => {
  const root = temporaryFolder({ 'old.md': '' })
  mkdirSync(join(root, 'new/inner'), { recursive: true })
  const listed: string[] = []
  expect(justChanged(treeOf(root), [], (folder) => listed.push(folder))).toEqual(['old.md'])
  expect(listed).toEqual(['', 'new', 'new/inner'])
})
