/** A file that nobody has touched since it was indexed has the digest it had; any other is looked through. */
import { hash } from 'node:crypto'
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { FileContent, IndexedFile } from '../../domain/source.ts'
import { fileStamp } from './file-version.ts'
import { openFolderSource } from './open-folder-source.ts'

const TEXT = '# Tea\n\nNeeds a kettle.\n'
const KNOWN = 'what the index says'

function served() {
  const folder = temporaryFolder({ 'notes/tea.md': TEXT })
  const place = join(folder, 'notes/tea.md')
  const { size, mtimeMs, ...stats } = statSync(place)
  const indexed: IndexedFile = {
    size,
    modifiedAt: mtimeMs,
    stamp: fileStamp(stats),
    checkedAt: Date.now() + 60_000,
    digest: KNOWN,
  }
  const source = openFolderSource({ name: 'notes', root: folder, extensions: ['md'] })
  const digest = async (known: IndexedFile | undefined = indexed) => {
    const [content] = await source.read(['notes/tea.md'], () => known)
    return (content as Extract<FileContent, { kind: 'text' }>).digest
  }
  return { place, indexed, digest }
}

it('takes the digest of the index where size, times and number of the file are the same', async () => {
  const { digest } = served()
  expect(await digest()).toBe(KNOWN)
})

it('looks through a file that was written, replaced or set back in time', async () => {
  const { place, digest, indexed } = served()
  const before = new Date(indexed.modifiedAt)
  const other = TEXT.replace('kettle', 'KETTLE')
  writeFileSync(place, other)
  utimesSync(place, before, before)
  expect(await digest()).toBe(hash('sha256', other))
  writeFileSync(`${place}.new`, TEXT)
  utimesSync(`${place}.new`, before, before)
  renameSync(`${place}.new`, place)
  expect(await digest()).toBe(hash('sha256', TEXT))
})

it('trusts no file that was written a moment before it was indexed, or of which little is known', async () => {
  const { place, digest, indexed } = served()
  const { stamp: _, ...withoutStamp } = indexed
  expect(await digest({ ...indexed, checkedAt: statSync(place).ctimeMs + 1 })).not.toBe(KNOWN)
  expect(await digest(withoutStamp)).not.toBe(KNOWN)
  expect(await digest({ ...indexed, size: indexed.size + 1 })).not.toBe(KNOWN)
  expect(await digest({ ...indexed, modifiedAt: indexed.modifiedAt + 1 })).not.toBe(KNOWN)
})
