/** Real servers that are replaced, restored and kept waiting; each is started and ended here. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { FAULTS_TIMEOUT } from '../support/fault-counts.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { runCairn } from '../support/run-cairn.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `servers that fail${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 600_000)
  afterAll(() => server.remove())

  it('begins a new epoch when the database comes back from an earlier time', async () => {
    const store = await openedAt(`${server.url()}?base=restored`)
    await putNote(store, 1)
    const file = join(server.folder, 'sockets', 'dump')
    server.tool('pg_dump', '-n', 'cairn', '-Fc', '-f', file, 'postgres')
    await putNote(store, 2)
    const { epoch, generation } = await store.stamps()
    server.tool('pg_restore', '--clean', '--if-exists', '-d', 'postgres', file)
    // As many as before, and others: no number tells that this is another history.
    await putNote(store, 3)
    const now = await store.stamps()
    expect([now.generation, now.epoch === epoch]).toEqual([generation, false])
    expect(await store.documents([1, 2, 3])).toMatchObject([{ no: 1 }, undefined, { no: 3 }])
    expect((await store.stamps()).epoch).toBe(now.epoch)
  })

  it('asks once more, and not every connection that was lost with the first', async () => {
    const store = await openedAt(`${server.url()}?base=lost`)
    await putNote(store, 1)
    await Promise.all(Array.from({ length: 12 }, () => store.documents([1])))
    // Nobody here hears of it before the next question is asked.
    server.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cairn'",
    )
    expect(await store.documents([1])).toMatchObject([{ no: 1 }])
    server.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cairn'",
    )
    await putNote(store, 2)
  })

  it('builds the index anew when its tables were emptied or a page of it is damaged', async () => {
    const url = `${server.url()}?base=emptied`
    const store = await openedAt(url)
    await putNote(store, 1)
    const { epoch } = await store.stamps()
    server.sql("UPDATE cairn.documents SET title = 'another' WHERE title = 'Note 1'")
    await expect(store.documents([1])).rejects.toMatchObject({ code: 'unavailable' })
    const mended = await store.stamps()
    expect(mended.epoch).not.toBe(epoch)
    expect((await store.counts()).documents).toBe(0)
    await putNote(store, 2)
    server.sql('TRUNCATE cairn.bases')
    expect((await store.stamps()).epoch).not.toBe(mended.epoch)
    await putNote(store, 3)
    expect((await store.counts()).documents).toBe(1)
  })

  it('finds on three servers what one of them was told, when that one is dead, and after a restore', async () => {
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
    const file = join(server.folder, 'sockets', 'dump-of-three')
    server.tool('pg_dump', '-n', 'cairn', '-Fc', '-f', file, 'postgres')
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

    // The database comes back from a time before both; the files know more than it.
    const epochOf = (): string => server.sql("SELECT epoch FROM cairn.bases WHERE name = 'three'")
    const before = epochOf()
    // A server at work may hold what the restore wants, and want what it holds: the database ends
    // one of the two. All of it or nothing is restored, so that it can be begun again.
    await eventually(async () =>
      server.tool('pg_restore', '--clean', '--if-exists', '-1', '-d', 'postgres', file),
    )
    // Numbers that meant something else are given again at once.
    await eventually(async () => {
      const jug = { action: 'create', id: 'jug.md', content: '# Jug\n\nA crepuscular jug.' }
      const { error } = await others[0]!.call('write', jug)
      expect(error?.code ?? 'exists').toBe('exists')
    })
    await expect.poll(epochOf, { timeout: 150_000 }).not.toBe(before)
    const known = { Kettle: 'zygomorphic', Teapot: 'quixotic', Jug: 'crepuscular' }
    for (const each of others) {
      for (const [name, word] of Object.entries(known)) {
        await eventually(async () => expect((await finds(each, word))[0]).toBe(name))
      }
      await eventually(async () =>
        expect(await finds(each, 'code review')).toContain('Code review'),
      )
    }
    await eventually(async () => {
      const { code, out } = await runCairn(folder, 'doctor', ...args)
      expect(out).toContain('are in the index as they are on disk')
      expect(code).toBe(0)
    })
  })
})
