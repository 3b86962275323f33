/**
 * Does things again and again: after so long, or when a pattern of cron says so. What was done when
 * is kept in a file, so that a restart neither forgets a run nor repeats it, and several servers on
 * one base do each of them once.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Cron } from 'croner'
import { invalid, quoted } from '../../core/domain/error.ts'
import { takeLock } from '../../core/history/open-run-records.ts'
import { openWriteLock } from '../../core/store/sqlite/open-write-lock.ts'
import type { Schedule } from '../../core/domain/schedule.ts'

export interface Job {
  readonly name: string
  readonly schedule: Schedule
  /** Throws where it went wrong. */
  run(signal: AbortSignal): Promise<void>
}

export interface JobState {
  /** ISO instants. */
  readonly last_started_at: string | null
  readonly last_finished_at: string | null
  readonly last_status: 'success' | 'failure' | null
  readonly last_error: string | null
  readonly next_at: string
  readonly runs: number
}

export interface Scheduler {
  status(): Readonly<Record<string, JobState>>
  /** Ends what is under way. */
  close(): Promise<void>
}

export interface SchedulerOptions {
  readonly state: string
  readonly jobs: readonly Job[]
  readonly log: (level: 'info' | 'warn', message: string) => void
  /** From 0 to 1: how much of the pause that keeps servers apart. */
  readonly chance?: () => number
}

const STATE = 'scheduler/state.json'
const LOCK = 'scheduler/state.lock'
/** A start late by this much, and no more: many servers do not begin in the same moment. */
const MOST_JITTER_MS = 30_000
const JITTER_SHARE = 0.1
/** Clocks are set, and machines sleep: a long pause is looked at again in between. */
const LONGEST_SLEEP_MS = 60_000
const SHORTEST_SLEEP_MS = 20

export function startScheduler(options: SchedulerOptions): Scheduler {
  const { state, jobs, log, chance = Math.random } = options
  const stop = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const read = (): Record<string, JobState> => readState(join(state, STATE))
  /** One file for all jobs, which several servers write to: each adds to what the others wrote. */
  const lock = openWriteLock(join(state, LOCK))
  const keep = (name: string, part: JobState): Promise<void> =>
    lock.hold(async () => writeState(join(state, STATE), { ...read(), [name]: part }))
  const follow = (work: Promise<void>): void => {
    const turn = work.finally(() => running.delete(turn))
    running.add(turn)
  }

  /** Waits until it is time, in short pauses. */
  const wait = (job: Job, dueAt: number): void => {
    if (stop.signal.aborted) return
    const left = dueAt - Date.now()
    const pause = Math.min(LONGEST_SLEEP_MS, Math.max(SHORTEST_SLEEP_MS, left))
    const timer = setTimeout(() => {
      if (Date.now() < dueAt) return wait(job, dueAt)
      follow(take(job))
    }, pause)
    timer.unref()
    timers.set(job.name, timer)
  }
  const plan = async (job: Job): Promise<void> => {
    const known = read()[job.name]
    const now = Date.now()
    // What came due while nobody was there is done once, now.
    const planned = known ? Date.parse(known.next_at) : nextAfter(job.schedule, now)
    if (!known) {
      await keep(job.name, { ...NEVER, next_at: new Date(planned).toISOString() }).catch(
        (error: unknown) => notKept(job, error),
      )
    }
    wait(job, Math.max(now, planned) + jitterOf(job.schedule, chance()))
  }
  const notKept = (job: Job, error: unknown): void =>
    log('warn', `The schedule of ${job.name} cannot be kept: ${String(error)}`)
  /** One process does it; who comes second sees in the file that it was done. */
  const take = async (job: Job): Promise<void> => {
    const unlock = takeLock(join(state, `scheduler/${job.name}.lock`))
    try {
      const known = read()[job.name] ?? { ...NEVER, next_at: new Date().toISOString() }
      const isDue = Date.parse(known.next_at) <= Date.now()
      if (unlock && isDue) await carryOut(job, known)
    } catch (error) {
      notKept(job, error)
    } finally {
      unlock?.()
    }
    // A run elsewhere is looked at again in a while.
    if (unlock) await plan(job)
    else wait(job, Date.now() + LONGEST_SLEEP_MS)
  }
  const carryOut = async (job: Job, known: JobState): Promise<void> => {
    const started = new Date()
    // Written down first: a run that ends the process is not begun again and again.
    const next_at = new Date(nextAfter(job.schedule, started.getTime())).toISOString()
    const begun = {
      ...known,
      last_started_at: started.toISOString(),
      next_at,
      runs: known.runs + 1,
    }
    await keep(job.name, begun)
    let failure: unknown
    await job.run(stop.signal).catch((error: unknown) => (failure = error ?? 'unknown'))
    const last_error = failure === undefined ? null : messageOf(failure)
    await keep(job.name, {
      ...begun,
      last_finished_at: new Date().toISOString(),
      last_status: last_error === null ? 'success' : 'failure',
      last_error,
    })
    if (last_error === null) log('info', `${job.name} is done; the next is at ${next_at}.`)
    else log('warn', `${job.name} failed: ${last_error} The next is at ${next_at}.`)
  }

  for (const job of jobs) {
    // A pattern that cannot be read is said at the start, not at night.
    nextAfter(job.schedule, Date.now())
    follow(plan(job))
  }
  return {
    status: read,
    async close() {
      stop.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
      await lock.close()
    },
  }
}

const NEVER = {
  last_started_at: null,
  last_finished_at: null,
  last_status: null,
  last_error: null,
  runs: 0,
} as const

/** Milliseconds since the epoch. */
export function nextAfter(schedule: Schedule, from: number): number {
  if ('everyMs' in schedule) return from + schedule.everyMs
  try {
    const next = new Cron(schedule.cron, { paused: true, timezone: 'UTC' }).nextRun(new Date(from))
    if (next) return next.getTime()
  } catch {
    // Said below.
  }
  throw invalid(
    `${quoted(schedule.cron)} is no pattern of cron that ever comes true.`,
    'Write five fields such as "0 3 * * *".',
  )
}

function jitterOf(schedule: Schedule, chance: number): number {
  const share = 'everyMs' in schedule ? schedule.everyMs * JITTER_SHARE : MOST_JITTER_MS
  return Math.floor(Math.min(MOST_JITTER_MS, share) * chance)
}

function readState(file: string): Record<string, JobState> {
  try {
    const { jobs } = JSON.parse(readFileSync(file, 'utf8')) as { jobs: Record<string, JobState> }
    const sound = Object.entries(jobs).filter(([, each]) => !Number.isNaN(Date.parse(each.next_at)))
    return Object.fromEntries(sound)
  } catch {
    // There is none yet, or it is damaged: everything is planned anew.
    return {}
  }
}

function writeState(file: string, jobs: Readonly<Record<string, JobState>>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}.tmp`
  writeFileSync(beside, `${JSON.stringify({ jobs }, undefined, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(beside, file)
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}
