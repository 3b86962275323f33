import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startPglite } from '../../../test/support/pglite-server.ts'
import { parseStoreAddress } from '../../core/domain/store-address.ts'
import { Sessions } from './sessions.ts'

it(
  'asks a server once whether it speaks TLS, and not for every connection',
  { timeout: 600_000 },
  async () => {
    const database = await startPglite()
    onTestFinished(() => database.close())
    const connects = vi.spyOn(pg.Client.prototype, 'connect')
    onTestFinished(() => connects.mockRestore())
    for (const expected of [2, 3]) {
      const sessions = new Sessions(parseStoreAddress(database.url))
      sessions.give(await sessions.take(true))
      await sessions.close()
      expect(connects).toHaveBeenCalledTimes(expected)
    }
  },
)
