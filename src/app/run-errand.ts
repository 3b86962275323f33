/**
 * Indexes in a process of its own. A large job needs hundreds of megabytes for seconds; a process
 * that ends gives all of them back, which a thread does not.
 */
import { fork } from 'node:child_process'
import type { Progress } from '../indexing/indexer.ts'
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
      execArgv: [],
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
