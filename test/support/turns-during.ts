/** How often somebody else had a turn while a piece of work was going on. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
    return turns
  } finally {
    isOver = true
  }
}

/** Work that takes at least so long, on any machine. */
export function takeMs(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}
