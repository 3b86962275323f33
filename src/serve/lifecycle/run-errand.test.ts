import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { configOf } from '../../../test/support/serve-folder.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openStore } from '../parts/stores.ts'
import { runErrand } from './run-errand.ts'

const listeners = { onProgress: () => {}, onReport: () => {} }
const forever = new AbortController().signal

it('sees in a process of its own whether an index is sound', async () => {
  const config = await configOf(temporaryFolder())
  const { store } = await openStore(config)
  // A smaller file is looked through when it is opened.
  const segment = { docs: [], resident: {}, paged: { stream: new Uint8Array(3_000_000).fill(7) } }
  await store.commit({ segment }, () => undefined)
  await store.close()
  const look = () => runErrand({ task: 'check', config }, forever, listeners)
  expect(await look()).toBe(true)
  const damage = new DatabaseSync(join(config.state, 'index.db'))
  damage.exec('UPDATE segment_pages SET data = zeroblob(length(data)) WHERE page = 1')
  damage.close()
  expect(await look()).toBe(false)
})
