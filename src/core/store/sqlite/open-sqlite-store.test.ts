/** Two versions of the program on one index. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { note, segmentOf } from '../../../../test/contract/store-contract.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { resolveLink } from '../../indexing/resolve-link.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

it('puts nothing into an index that another version has taken over', async () => {
  const file = join(temporaryFolder(), 'index.db')
  const { store: earlier } = await openSqliteStore(file, '1')
  const put = [note(1, 'a.md')]
  const batch = { put, segment: segmentOf(put) }
  await earlier.commit(batch, resolveLink)
  const { store: later } = await openSqliteStore(file, '2')
  await expect(earlier.commit(batch, resolveLink)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await later.findByPath('notes', 'a.md')).toBeUndefined()
  await later.commit(batch, resolveLink)
  expect(await later.findByPath('notes', 'a.md')).toMatchObject({ path: 'a.md' })
  await earlier.close()
  await later.close()
})
