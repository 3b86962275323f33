/**
 * The PostgreSQL server that is measured: one of our own, made for this run and removed afterwards,
 * or the one that CAIRN_BENCH_DATABASE names. Of our own it is known what its processes cost; of
 * another where CAIRN_BENCH_DATABASE_PID says which process of this machine it is.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../../test/support/postgres-server.ts'

export interface MeasuredDatabase {
  /** Address of a base in it. */
  url(base: string): string
  /** Milliseconds of processor time of all its processes so far; undefined where nobody can tell. */
  cpuMs(): number | undefined
  /** Of those alone that serve somebody now: not of what tidies up after an hour's work. */
  servingMs(): number | undefined
  sql?(text: string): string
  remove(): void
}

export async function openDatabase(settings: readonly string[] = []): Promise<MeasuredDatabase> {
  const named = process.env['CAIRN_BENCH_DATABASE']
  if (named) {
    const pid = Number(process.env['CAIRN_BENCH_DATABASE_PID'] ?? NaN)
    return { url: (base) => withBase(named, base), ...costOf(pid), remove() {} }
  }
  if (!POSTGRES_BIN) {
    throw new Error(`${WHY_SKIPPED}; CAIRN_BENCH_DATABASE names a server that runs already.`)
  }
  const server = await startPostgres(settings)
  const pid = Number(
    readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  return {
    url: (base) => withBase(server.url(), base),
    ...costOf(pid),
    sql: (text) => server.sql(text),
    remove: () => server.remove(),
  }
}

function costOf(pid: number): Pick<MeasuredDatabase, 'cpuMs' | 'servingMs'> {
  if (Number.isNaN(pid)) return { cpuMs: nobodyKnows, servingMs: nobodyKnows }
  return {
    cpuMs: () => familyCpuMs(pid),
    servingMs: () =>
      childrenOf(pid)
        .filter(isServing)
        .reduce((sum, each) => sum + (runningMs(each) ?? 0), 0),
  }
}

const nobodyKnows = (): undefined => undefined

function withBase(url: string, base: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}base=${encodeURIComponent(base)}`
}

/** A process, the children it has, and those that have ended. Linux only. */
export function familyCpuMs(pid: number): number | undefined {
  try {
    const family = [pid, ...childrenOf(pid)]
    const living = family.reduce((sum, each) => sum + (runningMs(each) ?? 0), 0)
    return living + endedChildrenMs(pid)
  } catch {
    return undefined
  }
}

/** Time on a processor to the nanosecond, of every thread. */
export function runningMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((a, b) => a + b, 0) / 1e6
  } catch {
    return undefined
  }
}

/** The title of such a process names who it is connected with. */
function isServing(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('127.0.0.1(')
  } catch {
    return false
  }
}

const TICKS_A_SECOND = 100

/** What the children that have ended used, in hundredths of a second. */
export function endedChildrenMs(pid: number): number {
  // The name of the program is in brackets and may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / TICKS_A_SECOND
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text.trim() !== '')
    .map(Number)
}
