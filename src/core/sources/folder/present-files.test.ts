import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { presentFiles } from './present-files.ts'

const many = (folder: string): string[] =>
  Array.from({ length: 500 }, (_, n) => `${folder}gone-${n}.md`)

it('names the files that are there among very many that are not', async () => {
  const root = temporaryFolder({ 'a.md': '', 'deep/er/B.md': '', 'deep/file': '' })
  const there = ['a.md', 'deep/er/b.md']
  const asked = [...many(''), ...there, ...many('deep/er/'), ...many('no/such/')]
  expect(await presentFiles(root, asked)).toEqual(there)
})

it('takes what it cannot look at for there, and what is not worth a look at its folder', async () => {
  const root = temporaryFolder({ 'deep/file': '' })
  symlinkSync(temporaryFolder({}), join(root, 'out'))
  expect(await presentFiles(root, many('out/'))).toHaveLength(500)
  expect(await presentFiles(root, many('deep/file/'))).toHaveLength(500)
  expect(await presentFiles(root, ['few/a.md', 'few/b.md'])).toEqual(['few/a.md', 'few/b.md'])
})
