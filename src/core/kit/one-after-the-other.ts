/**
 * Coalescing, for work that is asked for more often than it need be done: one run at a time, and
 * one more for all that was asked for meanwhile. What fails is tried when it is asked for next.
 */
export function oneAfterTheOther(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  const run = async (): Promise<void> => {
    running = true
    do {
      again = false
      await work().catch(() => {})
    } while (again)
    running = false
  }
  return () => {
    again = true
    if (!running) void run()
  }
}
