/** Jobs that are done by themselves: once among several servers, and not again after a restart. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { kmJobs } from '../../src/vocabularies/duskmantle/start/km-jobs.ts'
import { nextAfter, startScheduler } from '../../src/keep/backup/scheduler.ts'
import type { Job } from '../../src/keep/backup/scheduler.ts'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import { loadDuskmantleSettings } from '../../src/vocabularies/duskmantle/start/duskmantle-settings.ts'
import { openWriteLock } from '../../src/core/store/sqlite/open-write-lock.ts'
import { FIXTURE, openDuskmantle } from '../duskmantle/open-duskmantle.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const at = (text: string) => Date.parse(text)

describe('a schedule', () => {
  it.each([
    [{ everyMs: 60_000 }, '2026-01-01T00:01:00Z'],
    [{ cron: '0 3 * * *' }, '2026-01-01T03:00:00Z'],
    [{ cron: '*/15 * * * *' }, '2026-01-01T00:15:00Z'],
    [{ cron: '0 0 29 2 *' }, '2028-02-29T00:00:00Z'],
  ])('%j comes next at %s', (schedule, next) => {
    expect(nextAfter(schedule, at('2026-01-01T00:00:00Z'))).toBe(at(next))
  })

  it.each(['', 'soon', '99 * * * *', '0 0 31 2 *'])('refuses the pattern %j', (cron) => {
    expect(() => nextAfter({ cron }, 0)).toThrow(/cron/)
  })

  it.each([
    [{}, {}],
    [{ KM_SCHEDULER_ENABLED: 'true' }, { ingest: { everyMs: 30 * 60_000 } }],
    [
      { KM_SCHEDULER_ENABLED: 'true', KM_SCHEDULER_CRON: '0 3 * * *' },
      { ingest: { cron: '0 3 * * *' } },
    ],
    [{ KM_BACKUP_ENABLED: 'true' }, { backup: { everyMs: 720 * 60_000 } }],
    [
      { KM_BACKUP_ENABLED: 'true', KM_BACKUP_INTERVAL_MINUTES: '5' },
      { backup: { everyMs: 5 * 60_000 } },
    ],
    [{ KM_BACKUP_ENABLED: 'false', KM_BACKUP_INTERVAL_MINUTES: '5' }, {}],
  ])('comes from the environment: %j', (env, schedules) => {
    const given = env as Record<string, string>
    expect(loadDuskmantleSettings({ env: given, strict: true }).schedules).toEqual(schedules)
  })
})

describe('the scheduler', { timeout: 600_000 }, () => {
  const start = (state: string, jobs: readonly Job[], chance = () => 0) => {
    const lines: string[] = []
    const scheduler = startScheduler({ state, jobs, chance, log: (_, line) => lines.push(line) })
    onTestFinished(() => scheduler.close())
    return { ...scheduler, lines }
  }
  const counting = (everyMs: number, work = async () => {}) => {
    let runs = 0
    let together = 0
    let most = 0
    const job: Job = {
      name: 'count',
      schedule: { everyMs },
      async run() {
        runs++
        most = Math.max(most, ++together)
        await work()
        together--
      },
    }
    return { job, runs: () => runs, most: () => most }
  }

  it('repeats, never beside itself, and says how it went', async () => {
    const { job, runs, most } = counting(30, () => sleep(60))
    const state = temporaryFolder({})
    const one = start(state, [job])
    const two = start(state, [job])
    await expect.poll(runs, { timeout: 150_000 }).toBeGreaterThanOrEqual(3)
    expect(most()).toBe(1)
    await one.close()
    await two.close()
    const done = runs()
    const after = counting(30)
    start(state, [{ ...after.job, name: 'after' }])
    await expect.poll(after.runs, { timeout: 150_000 }).toBeGreaterThanOrEqual(3)
    expect(runs()).toBe(done)
    expect(one.status()['count']).toMatchObject({ last_status: 'success', last_error: null })
    expect([...one.lines, ...two.lines].join('\n')).toContain('count is done')
  })

  it('remembers over a restart what is done and what is due', async () => {
    const state = temporaryFolder({})
    const first = counting(3_600_000)
    const before = start(state, [first.job])
    await before.close()
    const file = join(state, 'scheduler/state.json')
    const planned = JSON.parse(readFileSync(file, 'utf8')).jobs.count.next_at
    const second = counting(3_600_000)
    const after = start(state, [second.job])
    expect(after.status()['count']!.next_at).toBe(planned)
    await after.close()
    // What came due while nobody was there is done once.
    const late = { ...after.status()['count'], next_at: '2020-01-01T00:00:00.000Z' }
    writeFileSync(file, JSON.stringify({ jobs: { count: late } }))
    const third = counting(3_600_000)
    const again = start(state, [third.job])
    await expect.poll(third.runs, { timeout: 150_000 }).toBe(1)
    await expect.poll(() => again.status()['count']!.last_status).toBe('success')
    expect(Date.parse(again.status()['count']!.next_at)).toBeGreaterThan(Date.now() + 3_000_000)
    expect(first.runs() + second.runs()).toBe(0)
  })

  it('adds to what another server writes down at the same time', async () => {
    const state = temporaryFolder({})
    const file = join(state, 'scheduler/state.json')
    const other = openWriteLock(join(state, 'scheduler/state.lock'))
    onTestFinished(() => other.close())
    const { job } = counting(3_600_000)
    const planned = { next_at: '2099-01-01T00:00:00.000Z', runs: 3 }
    const scheduler = await other.hold(async () => {
      const begun = start(state, [job])
      mkdirSync(join(state, 'scheduler'), { recursive: true })
      writeFileSync(file, JSON.stringify({ jobs: { other: planned } }))
      return begun
    })
    await scheduler.close()
    expect(scheduler.status()).toMatchObject({ other: planned, count: { runs: 0 } })
  })

  it('goes on after a failure and over a damaged file', async () => {
    const state = temporaryFolder({})
    mkdirSync(join(state, 'scheduler'))
    writeFileSync(join(state, 'scheduler/state.json'), '{"jobs": {"count": 3')
    const { job, runs } = counting(30, async () => {
      throw new Error('no disk')
    })
    const { lines, status } = start(state, [job])
    await expect.poll(runs, { timeout: 150_000 }).toBeGreaterThanOrEqual(2)
    await expect.poll(() => status()['count']!.last_status).toBe('failure')
    expect(lines[0]).toContain('no disk')
  })

  it('waits a little, so that servers do not begin in the same moment', async () => {
    const due = { runs: 0, next_at: '2020-01-01T00:00:00.000Z' }
    const begin = (chance: number) => {
      const { job, runs } = counting(300_000)
      const scheduler = JSON.stringify({ jobs: { count: due } })
      const state = temporaryFolder({ 'scheduler/state.json': scheduler })
      return { ...start(state, [job], () => chance), runs }
    }
    // A tenth of five minutes is thirty seconds: long after this test.
    const late = begin(1)
    const soon = begin(0)
    await expect.poll(soon.runs, { timeout: 150_000 }).toBe(1)
    await late.close()
    expect(late.runs()).toBe(0)
  })

  it('ingests and backs up through the tools', async () => {
    const { surface, base, call } = await openDuskmantle()
    const jobs = kmJobs(surface, {
      schedules: { ingest: { everyMs: 20 }, backup: { everyMs: 20 } },
    })
    const once = jobs.map((job) => ({ ...job, schedule: { everyMs: 3_600_000 } }))
    mkdirSync(join(base.state, 'scheduler'), { recursive: true })
    const due = { runs: 0, next_at: '2020-01-01T00:00:00.000Z' }
    writeFileSync(
      join(base.state, 'scheduler/state.json'),
      JSON.stringify({ jobs: { ingest: due, backup: due } }),
    )
    const { status } = start(base.state, once)
    await expect
      .poll(() => Object.values(status()).map((each) => each.last_status), { timeout: 150_000 })
      .toEqual(['success', 'success'])
    expect(await call('km-ingest-status')).toMatchObject({ profile: 'scheduled', success: true })
    expect(readdirSync(join(base.state, 'backups/archives'))).toHaveLength(1)
  })

  it('is started and ended with a server', async () => {
    const folder = temporaryFolder(FIXTURE)
    const config = await configOf(folder, {
      port: 0,
      'log-level': 'silent',
      surface: ['duskmantle'],
    })
    const file = join(config.state, 'scheduler/state.json')
    mkdirSync(join(config.state, 'scheduler'), { recursive: true })
    const due = { runs: 0, next_at: '2020-01-01T00:00:00.000Z' }
    writeFileSync(file, JSON.stringify({ jobs: { backup: due } }))
    const env = {
      KM_AUTH_ENABLED: 'false',
      KM_BACKUP_ENABLED: 'true',
      KM_BACKUP_INTERVAL_MINUTES: '1',
    }
    const duskmantle = loadDuskmantleSettings({ env, strict: true })
    const server = await startServer(config, { transport: 'http', duskmantle })
    await expect
      .poll(() => JSON.parse(readFileSync(file, 'utf8')).jobs.backup.last_status, {
        timeout: 150_000,
      })
      .toBe('success')
    await server.close()
    expect(existsSync(join(config.state, 'scheduler/backup.lock'))).toBe(false)
    const bad = loadDuskmantleSettings({
      env: { ...env, KM_BACKUP_CRON: 'never' },
      strict: true,
    })
    await expect(startServer(config, { transport: 'http', duskmantle: bad })).rejects.toThrow(
      /cron/,
    )
  })
})
