/** The right to write is one row in the database: one server has it, and who stands still loses it. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Operation } from '../../src/core/domain/history.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { LockLost } from '../../src/core/domain/write-lock.ts'
import { newOperationId } from '../../src/core/history/open-history.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { WritingOptions } from '../../src/team/postgres/open-postgres-store.ts'
import { startPglite } from '../support/pglite-server.ts'
import type { PgliteServer } from '../support/pglite-server.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function opened(url: string, lease: WritingOptions['lease'] = {}) {
  const address = parseStoreAddress(url)
  const store = await openPostgresStore({
    address,
    format: 'test',
    sources: '',
    copies: temporaryFolder(),
  })
  onTestFinished(() => store.close())
  return { store, ...(await store.openWriting({ keep: {}, lease })) }
}

function operation(): Operation {
  const at = Date.now()
  return { id: newOperationId(at), at, kind: 'create', by: {}, changes: [] }
}

describe('on PGlite', () => {
  let database: PgliteServer
  beforeAll(async () => {
    database = await startPglite()
  }, 600_000)
  afterAll(() => database.close())

  it('is held by one at a time, and by everybody in the end', async () => {
    const url = `${database.url}?base=turns`
    const patient = { waitMs: 600_000 }
    const servers = [
      await opened(url, patient),
      await opened(url, patient),
      await opened(url, patient),
    ]
    let holders = 0
    let most = 0
    let turns = 0
    await Promise.all(
      servers.flatMap(({ lease }) =>
        Array.from({ length: 5 }, () =>
          lease.hold(async () => {
            most = Math.max(most, ++holders)
            turns++
            await sleep(1)
            holders--
          }),
        ),
      ),
    )
    expect([most, turns]).toEqual([1, 15])
  })

  it('is given back by work that fails, and refuses who has waited for too long', async () => {
    const url = `${database.url}?base=failing`
    const [one, two] = [await opened(url), await opened(url, { waitMs: 50 })]
    const failing = one.lease.hold(async () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    await one.lease.hold(async () => {
      await expect(two.lease.hold(async () => 'in')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('busy'),
      })
    })
    expect(await two.lease.hold(async () => 'in')).toBe('in')
  })

  it('passes on when it is not renewed, and whoever had it can change nothing', async () => {
    const url = `${database.url}?base=late`
    const never = { ttlMs: 50, renewMs: 1_000_000 }
    const [late, next] = [await opened(url, never), await opened(url)]
    const [begun, more] = [operation(), operation()]
    await late.lease.hold(async () => {
      await late.history.begin(begun)
      await next.lease.hold(async () => {
        // Whoever comes next settles what was begun, as it finds it.
        expect((await next.history.unsettled())[0]?.id).toBe(begun.id)
        await next.history.settle(begun.id, 'failed')
        await expect(late.lease.requireHeld()).rejects.toBeInstanceOf(LockLost)
        await expect(late.history.begin(more)).rejects.toBeInstanceOf(LockLost)
        await expect(late.history.settle(begun.id, 'done')).rejects.toBeInstanceOf(LockLost)
        // What was found out already need not be refused.
        await late.history.settle(begun.id, 'failed')
      })
    })
    expect(await next.history.find(more.id)).toBeUndefined()
    expect((await next.history.find(begun.id))?.state).toBe('failed')
    // Letting go late takes nothing from anybody.
    await next.lease.hold(async () => {
      await next.lease.requireHeld()
      await next.history.begin(more)
    })
  })

  it('is kept by who was late where nobody else wanted it', async () => {
    const { lease, history } = await opened(`${database.url}?base=alone`, {
      ttlMs: 1,
      renewMs: 1_000_000,
    })
    await lease.hold(async () => {
      await sleep(20)
      await lease.requireHeld()
      const own = operation()
      await history.begin(own)
      await history.settle(own.id, 'done')
      expect(await history.unsettled()).toEqual([])
    })
  })
})

describe.skipIf(!POSTGRES_BIN)(`on a server${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`, () => {
  it(
    'lets others go on while a writer is frozen, and refuses it when it is thawed',
    {
      timeout: 300_000,
    },
    async () => {
      const server = await startPostgres(['fsync=off'])
      onTestFinished(() => server.remove())
      const url = `${server.url()}?base=frozen`
      const { lease, history } = await opened(url)
      const program = fileURLToPath(new URL('../support/lock-holder-process.ts', import.meta.url))
      const { id } = operation()
      const child = spawn(process.execPath, [program, url, temporaryFolder(), id], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const heard = async (): Promise<string> => String((await lines.next()).value)
      expect(await heard()).toBe('held')
      child.kill('SIGSTOP')
      const frozenAt = performance.now()
      await lease.hold(async () => {
        console.log(`others went on after ${Math.round(performance.now() - frozenAt)} ms`)
        expect((await history.unsettled())[0]?.id).toBe(id)
        await history.settle(id, 'failed')
      })
      child.kill('SIGCONT')
      child.stdin.write('go on\n')
      expect([await heard(), await heard(), await heard()]).toEqual([
        'lock refused by LockLost',
        'settle refused by LockLost',
        'begin refused by LockLost',
      ])
      expect(await heard()).toBe('end')
      expect((await history.find(id))?.state).toBe('failed')
    },
  )
})
