/**
 * Indexes in a process of its own. A large job needs hundreds of megabytes for seconds; a process
 * that ends gives all of them back, which a thread does not.
 */
import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Progress, SyncReport } from '../../core/indexing/indexer.ts'
import type { Errand, Report } from './indexing-messages.ts'

export interface ErrandListeners {
  readonly onProgress: (progress: Progress) => void
  readonly onReport: (report: Report) => void
}

/** More processes than this wait for each other's transactions. */
const MOST_SHARES = 4

/**
 * Indexes everything that changed with as many processes as there are cores. Reading and inverting
 * run side by side; only the transactions take turns. What is left over, and merging, is up to the
 * caller.
 */
export async function indexInShares(
  errand: Omit<Errand, 'task' | 'share'>,
  signal: AbortSignal,
  { onProgress, onReport }: ErrandListeners,
): Promise<readonly SyncReport[]> {
  const of = Math.min(MOST_SHARES, availableParallelism())
  const progress = Array.from({ length: of }, (): Progress => ({
    phase: 'scan',
    done: 0,
    total: 0,
  }))
  const reports: SyncReport[] = []
  const tell = (): void => {
    const sum = (key: 'done' | 'total'): number =>
      progress.reduce((all, each) => all + each[key], 0)
    const scanning = progress.some(({ phase }) => phase === 'scan')
    onProgress({ phase: scanning ? 'scan' : 'index', done: sum('done'), total: sum('total') })
  }
  await Promise.all(
    progress.map((_, number) =>
      runErrand({ ...errand, task: 'index', share: { number, of } }, signal, {
        onProgress(each) {
          progress[number] = each
          tell()
        },
        onReport(report) {
          if (report.kind === 'done') reports.push(report.report)
          else onReport(report)
        },
      }),
    ),
  )
  return reports
}

/** Resolves when the process has ended, however it ended, and tells whether all was done. */
export function runErrand(
  errand: Errand,
  signal: AbortSignal,
  { onProgress, onReport }: ErrandListeners,
): Promise<boolean> {
  const file = import.meta.url.endsWith('.ts') ? './indexing-process.ts' : './indexing-process.js'
  return new Promise((resolve) => {
    const child = fork(new URL(file, import.meta.url), {
      // stdout belongs to the protocol of whoever serves.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // A small space for short-lived garbage: a quarter less memory at the peak, and no slower.
      execArgv: ['--max-semi-space-size=16'],
      // It may begin with the code that earlier ones compiled.
      env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
      signal,
    })
    child.on('message', (message: Report) => {
      if (message.kind === 'progress') onProgress(message.progress)
      else onReport(message)
    })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
    child.send(errand)
  })
}
