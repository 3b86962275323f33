import {
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { readableExtensions } from '../../../serve/parts/formats.ts'
import { openFolderSource } from './open-folder-source.ts'

const FILES = { 'tea.md': 'Green tea.\n', 'kitchen/shelf/pot.md': 'An iron pot.\n' }

async function open() {
  const root = temporaryFolder(FILES)
  const source = openFolderSource({ name: 'notes', extensions: readableExtensions(), root })
  const read = await source.read(Object.keys(FILES))
  const files = read.filter((each) => each.kind === 'text')
  // As if they had been read long after they were written.
  const later = Date.now() + 60_000
  return { root, files, same: (readAt = later) => source.areAsRead!(files, readAt) }
}

it('knows files that nobody has touched', async () => {
  const { files, same } = await open()
  expect(files).toHaveLength(2)
  expect(same()).toBe(true)
})

it('is not certain of what was written shortly before it was read', async () => {
  const { root, same } = await open()
  expect(same(statSync(join(root, 'tea.md')).ctimeMs + 100)).toBe(false)
})

it.each<[string, (root: string) => void]>([
  ['was edited', (root) => writeFileSync(join(root, 'tea.md'), 'Black tea, and more.\n')],
  [
    'has other bytes of the same size and time',
    (root) => {
      const place = join(root, 'tea.md')
      const { atimeMs, mtimeMs } = statSync(place)
      rmSync(place)
      writeFileSync(place, 'Black tea\n\n')
      utimesSync(place, atimeMs / 1_000, mtimeMs / 1_000)
    },
  ],
  ['is gone', (root) => rmSync(join(root, 'tea.md'))],
  [
    'is a folder',
    (root) => {
      rmSync(join(root, 'tea.md'))
      mkdirSync(join(root, 'tea.md'))
    },
  ],
  [
    'stands behind a link to another file',
    (root) => {
      renameSync(join(root, 'tea.md'), join(root, 'other.md'))
      symlinkSync(join(root, 'other.md'), join(root, 'tea.md'))
    },
  ],
  [
    'stands in a folder that was moved out and linked to',
    (root) => {
      const outside = join(temporaryFolder({}), 'kitchen')
      renameSync(join(root, 'kitchen'), outside)
      symlinkSync(outside, join(root, 'kitchen'))
    },
  ],
  [
    'stands in a root that was',
    (root) => {
      const outside = join(temporaryFolder({}), 'notes')
      renameSync(root, outside)
      symlinkSync(outside, root)
    },
  ],
])('sees that a file %s', async (_, change) => {
  const { root, same } = await open()
  expect(same()).toBe(true)
  change(root)
  expect(same()).toBe(false)
})
