/**
 * Indexes in a process of its own. A large job needs hundreds of megabytes for seconds; a process
 * that ends gives all of them back, which a thread does not.
 */
import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { Progress } from '../../core/indexing/indexer.ts'
import type { Errand, Report } from './indexing-messages.ts'

export interface ErrandListeners {
  readonly onProgress: (progress: Progress) => void
  readonly onReport: (report: Report) => void
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
