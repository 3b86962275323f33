/** A machine that has no more threads: there is no other way to have none here. */
import type * as Threads from 'node:worker_threads'
import { onTestFinished } from 'vitest'

let areOver = false

/** For `vi.mock('node:worker_threads', …)`, which gives the module as it is. */
export async function failing(original: () => Promise<typeof Threads>): Promise<typeof Threads> {
  const threads = await original()
  class Worker extends threads.Worker {
    constructor(...given: ConstructorParameters<typeof threads.Worker>) {
      if (areOver) throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN')
      super(...given)
    }
  }
  return { ...threads, Worker }
}

export function haveNoMoreThreads(): void {
  areOver = true
  onTestFinished(() => void (areOver = false))
}
