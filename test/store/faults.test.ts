/** Real servers that are killed, restored and kept waiting; each is started and ended here. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/domain/store-address.ts'
import { resolveLink } from '../../src/indexing/resolve-link.ts'
import { Database } from '../../src/store/postgres/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { note, segmentOf } from '../contract/store-contract.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `servers that fail${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

describe.skipIf(!POSTGRES_BIN)(title, { timeout: 120_000 }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)
  afterAll(() => server.remove())

  async function opened(url: string, format = 'test', sources = ''): Promise<PostgresStore> {
    const address = parseStoreAddress(url)
    const copies = temporaryFolder()
    const store = await openPostgresStore({ address, format, sources, copies })
    onTestFinished(() => store.close())
    return store
  }
  const put = (store: PostgresStore, no: number, path = `${no}.md`) => {
    const document = note(no, path)
    return store.commit({ put: [document], segment: segmentOf([document]) }, resolveLink)
  }
  /** Tries again until it succeeds; what is acknowledged is counted by the caller. */
  const eventually = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt > 100) throw error
        await sleep(100)
      }
    }
  }

  it('keeps every acknowledged batch when the server is killed, again and again', async () => {
    const store = await opened(`${server.url()}?base=killed`)
    const kept: number[] = []
    for (let round = 0; round < 5; round++) {
      const writing = (async () => {
        for (let each = 0; each < 20; each++) {
          const no = round * 20 + each
          await put(store, no).then(
            () => kept.push(no),
            () => {},
          )
        }
      })()
      await sleep(30 + round * 20)
      server.kill()
      server.start()
      await writing
    }
    await eventually(() => store.stamps())
    const there = await store.documents(kept)
    expect(there.filter((document) => document === undefined)).toEqual([])
    expect(await store.check()).toEqual([])
    expect(kept.length).toBeGreaterThan(10)
  })

  it('begins a new epoch when the database comes back from an earlier time', async () => {
    const store = await opened(`${server.url()}?base=restored`)
    await put(store, 1)
    const file = join(server.folder, 'sockets', 'dump')
    server.tool('pg_dump', '-n', 'cairn', '-Fc', '-f', file, 'postgres')
    await put(store, 2)
    const { epoch, generation } = await store.stamps()
    server.tool('pg_restore', '--clean', '--if-exists', '-d', 'postgres', file)
    // As many as before, and others: no number tells that this is another history.
    await put(store, 3)
    const now = await store.stamps()
    expect([now.generation, now.epoch === epoch]).toEqual([generation, false])
    expect(await store.documents([1, 2, 3])).toMatchObject([{ no: 1 }, undefined, { no: 3 }])
    expect((await store.stamps()).epoch).toBe(now.epoch)
  })

  it('builds the index anew when its tables were emptied or a page of it is damaged', async () => {
    const url = `${server.url()}?base=emptied`
    const store = await opened(url)
    await put(store, 1)
    const { epoch } = await store.stamps()
    server.sql("UPDATE cairn.documents SET title = 'another' WHERE title = 'Note 1'")
    await expect(store.documents([1])).rejects.toMatchObject({ code: 'unavailable' })
    const mended = await store.stamps()
    expect(mended.epoch).not.toBe(epoch)
    expect((await store.counts()).documents).toBe(0)
    await put(store, 2)
    server.sql('TRUNCATE cairn.bases')
    expect((await store.stamps()).epoch).not.toBe(mended.epoch)
    await put(store, 3)
    expect((await store.counts()).documents).toBe(1)
  })

  it('notices a standby that was behind when it took over', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await primary.standby()
    onTestFinished(() => standby.remove())
    const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?base=b`
    const store = await opened(both)
    await put(store, 1)
    const { epoch } = await store.stamps()
    while (standby.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'cairn'") !== '1')
      await sleep(50)
    while (standby.sql('SELECT count(*) FROM cairn.documents') !== '1') await sleep(50)
    standby.sql('SELECT pg_wal_replay_pause()')
    standby.stop()
    // Acknowledged by the primary alone.
    await put(store, 2)
    expect((await store.stamps()).epoch).toBe(epoch)
    primary.kill()
    standby.start()
    standby.promote()
    const now = await eventually(() => store.stamps())
    expect(now.epoch).not.toBe(epoch)
    expect(now.generation).toBe(1)
    expect(await store.documents([1, 2])).toMatchObject([{ no: 1 }, undefined])
    await eventually(() => put(store, 3))
    expect((await store.stamps()).epoch).toBe(now.epoch)
    expect(await store.check()).toEqual([])
  })

  it('goes on searching while no server answers, says so, and refuses to write', async () => {
    const own = await startPostgres(['fsync=off'])
    onTestFinished(() => own.remove())
    const folder = temporaryFolder({
      'tea.md': '# Tea\n\nBoil water.',
      'cup.md': '# Cup\n\nHolds tea.',
    })
    const cairn = await startServerProcess([
      folder,
      '--state',
      join(temporaryFolder(), 's'),
      '--store',
      `${own.url()}?base=o`,
    ])
    onTestFinished(() => cairn.close())
    const found = async (query: string) => {
      const { results, ...rest } = await cairn.call('search', { query })
      return {
        ids: (results as { id: string }[]).map(({ id }) => id.split('/').at(-1)),
        rest: JSON.stringify(rest),
      }
    }
    await eventually(async () => expect((await found('tea')).ids).toContain('tea.md'))
    await sleep(1_500)
    own.stop()
    const during = await found('cup')
    expect(during.ids).toContain('cup.md')
    expect(during.rest).toMatch(/has not answered since/)
    const written = await cairn.call('write', { action: 'create', id: 'new.md', content: '# New' })
    expect(JSON.stringify(written)).toMatch(/unavailable/)
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .toSorted(),
    ).toEqual(['cup.md', 'tea.md'])
    own.start()
    await eventually(async () => expect((await found('cup')).rest).not.toMatch(/has not answered/))
    writeFileSync(join(folder, 'pot.md'), '# Pot\n\nFor tea.')
    await eventually(async () => expect((await found('pot')).ids).toContain('pot.md'))
  })

  it('finds on three servers what one of them was told, and takes over from a dead one', async () => {
    const folder = temporaryFolder()
    cpSync(join(import.meta.dirname, '../../examples/handbook'), folder, { recursive: true })
    rmSync(join(folder, '.cairn'), { recursive: true, force: true })
    const state = join(temporaryFolder(), 'state')
    const args = [folder, '--state', state, '--store', `${server.url()}?base=three`]
    const servers = await Promise.all([1, 2, 3].map(() => startServerProcess(args)))
    onTestFinished(async () => void (await Promise.all(servers.map((each) => each.close()))))
    const finds = async (each: (typeof servers)[number], query: string) =>
      ((await each.call('search', { query })).results as { title: string }[]).map(
        (found) => found.title,
      )
    for (const each of servers) {
      await eventually(async () =>
        expect(await finds(each, 'code review')).toContain('Code review'),
      )
    }
    const [first, ...others] = servers
    await first!.call('write', {
      action: 'create',
      id: 'kettle.md',
      content: '# Kettle\n\nA zygomorphic kettle.',
    })
    for (const each of others) expect(await finds(each, 'zygomorphic kettle')).toContain('Kettle')
    await first!.kill()
    await others[0]!.call('write', {
      action: 'create',
      id: 'teapot.md',
      content: '# Teapot\n\nA quixotic teapot.',
    })
    expect(await finds(others[1]!, 'quixotic teapot')).toContain('Teapot')
    const outside = join(folder, 'outside.md')
    writeFileSync(outside, '# Outside\n\nWritten by a sesquipedalian editor.')
    // Whoever indexed may be the one that is dead: its lease has to run out.
    await eventually(async () => {
      await sleep(200)
      expect(await finds(others[1]!, 'sesquipedalian')).toContain('Outside')
    })
  })

  it('loses nothing that was acknowledged when one server after the other is killed', async () => {
    const folder = temporaryFolder({ 'index.md': '# Index' })
    const state = join(temporaryFolder(), 'state')
    const args = [folder, '--state', state, '--store', `${server.url()}?base=replicas`]
    const acknowledged: string[] = []
    const lasting = await startServerProcess(args)
    onTestFinished(() => lasting.close())
    for (let round = 0; round < 5; round++) {
      const victim = await startServerProcess(args)
      const writing = (async () => {
        for (let each = 0; each < 30; each++) {
          const name = `n${round}-${each}`
          const content = `# ${name}\n\nWord${round}x${each}.`
          const written = await victim.call('write', {
            action: 'create',
            id: `${name}.md`,
            content,
          })
          if (!('error' in written)) acknowledged.push(name)
        }
      })().catch(() => {})
      // In the middle of whatever follows the second one.
      const enough = acknowledged.length + 2
      for (let look = 0; look < 2_000 && acknowledged.length < enough; look++) {
        await sleep(10 + round)
      }
      await victim.kill()
      await writing
    }
    expect(acknowledged.length).toBeGreaterThan(6)
    const files = new Set(readdirSync(folder))
    expect(acknowledged.filter((name) => !files.has(`${name}.md`))).toEqual([])
    for (const name of acknowledged) {
      await eventually(async () => {
        const { results } = await lasting.call('search', { query: `title:${name}`, limit: 3 })
        expect((results as { title: string }[]).map((found) => found.title)).toContain(name)
      })
    }
  })

  it('goes on when a writer stands still, and refuses it when it comes back', async () => {
    const store = await opened(`${server.url()}?base=frozen`)
    await put(store, 1)
    const database = new Database(parseStoreAddress(server.url()))
    onTestFinished(() => database.close())
    const locked = Promise.withResolvers<void>()
    const thawed = Promise.withResolvers<void>()
    const frozen = database.transaction(async (asking) => {
      await asking.rows("SELECT 1 FROM cairn.bases WHERE name = 'frozen' FOR UPDATE")
      locked.resolve()
      // As in a process that was stopped: nothing is said any more.
      await thawed.promise
      await asking.rows("UPDATE cairn.bases SET generation = 99 WHERE name = 'frozen'")
    })
    const refused = expect(frozen).rejects.toMatchObject({ code: 'unavailable' })
    await locked.promise
    await put(store, 2)
    thawed.resolve()
    await refused
    expect((await store.stamps()).generation).toBe(2)
    expect(await store.check()).toEqual([])
  })
})
