/**
 * Somebody else who uses the server meanwhile: small fetches, one after the other, on a connection
 * of its own. It runs in a thread of its own, so that the one who watches it cannot slow it down.
 */
import { Worker } from 'node:worker_threads'

export interface SecondClient {
  /** The longest wait, in milliseconds, of a fetch that was under way while `work` was. */
  during<Result>(work: () => Promise<Result>): Promise<{ result: Result; waitMs: number }>
  close(): Promise<void>
}

/** Places in what the threads share. */
export const WAITED = 0
export const ANSWERED = 1

/** Times are counted in tenths of a millisecond, which fit into what threads can share. */
export const TENTHS = 10

/**
 * Of the server behind `url`, whose process is `pid`. A fetch has waited no longer than the
 * server's main thread was at work meanwhile, where that is known: on a busy machine everybody
 * waits for the machine too.
 */
export async function openSecondClient(url: string, pid: number): Promise<SecondClient> {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL('./second-client-thread.ts', import.meta.url), {
    workerData: { url, pid, shared },
  })
  let failed: unknown
  worker.once('error', (error) => (failed = error))
  const answers = async (count: number): Promise<void> => {
    const until = Atomics.load(shared, ANSWERED) + count
    while (Atomics.load(shared, ANSWERED) < until) {
      if (failed) throw failed
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  await answers(20)
  return {
    async during(work) {
      await answers(1)
      Atomics.store(shared, WAITED, 0)
      const result = await work()
      // The one that was under way at the end counts too.
      await answers(2)
      return { result, waitMs: Atomics.load(shared, WAITED) / TENTHS }
    },
    async close() {
      await worker.terminate()
    },
  }
}
