/** Who does what among several servers, and who does it when that one is killed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SOON = { timeout: 150_000, interval: 250 }
const title = `status says who indexes, and who took over${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

it.skipIf(!POSTGRES_BIN)(title, { timeout: 600_000 }, async () => {
  const server = await startPostgres(['fsync=off'])
  onTestFinished(() => server.remove())
  const folder = temporaryFolder({ 'tea.md': '# Tea\n\nTea needs a kettle.' })
  const store = `${server.url()}?base=roles`
  const state = (): string => join(temporaryFolder(), 'state')
  const servers = await Promise.all(
    [1, 2].map(() => startServerProcess([folder, '--state', state(), '--store', store])),
  )
  onTestFinished(async () => void (await Promise.all(servers.map((each) => each.close()))))
  const { config } = await loadConfig({
    folders: [folder],
    flags: { state: state(), store },
    configFile: undefined,
    env: {},
    cwd: folder,
    home: folder,
  })
  const base = await openBase(config)
  onTestFinished(() => base.close())
  const indexing = async () => {
    const { roles } = await base.status()
    const [found] = (roles as { role: string; by: string; since: string }[]).filter(
      (each) => each.role === 'indexing',
    )
    return found && { pid: Number.parseInt(found.by, 10), since: Date.parse(found.since) }
  }
  /** As it was when it was waited for. */
  let role: Awaited<ReturnType<typeof indexing>>
  await expect.poll(async () => (role = await indexing()), SOON).toBeDefined()
  const before = role!
  const pids = servers.map(({ process }) => process.pid)
  expect(pids).toContain(before.pid)
  const [leader, other] = pids[0] === before.pid ? servers : servers.toReversed()
  await leader!.kill()
  await expect.poll(async () => (role = await indexing())?.pid, SOON).toBe(other!.process.pid)
  expect(role!.since).toBeGreaterThan(before.since)
  // It does the work, too.
  writeFileSync(join(folder, 'cup.md'), '# Cup\n\nA zygomorphic cup.')
  const found = async () => {
    const { results } = await other!.call('search', { query: 'zygomorphic cup' })
    return (results as { title: string }[]).map((each) => each.title)
  }
  await expect.poll(found, SOON).toContain('Cup')
})
