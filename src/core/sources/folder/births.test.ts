import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { openFolderSource } from './open-folder-source.ts'
import { readableExtensions } from '../../../serve/parts/formats.ts'

it('tells when files came to be, and nothing of what is not there or not below the root', async () => {
  const began = Date.now() - 10_000
  const root = temporaryFolder({ 'a.md': 'a', 'b/c.md': 'c' })
  symlinkSync('nowhere', join(root, 'gone.md'))
  const paths = ['b/c.md', 'missing.md', '../etc/passwd', 'gone.md', 'a.md']
  const times = await openFolderSource({
    name: 'notes',
    extensions: readableExtensions(),
    root,
  }).bornAt(paths)
  const known = times.map((time) => time !== undefined && time > began)
  expect(known).toEqual([true, false, false, true, true])
})
