/**
 * A timeout after so long, in which this process really had turns. On a busy machine, or where one
 * piece of work keeps all others waiting, what was waited for may have come long before it can be
 * seen: a pause counts as one step of a few, so nobody is given up who was only not looked at.
 */
const STEPS = 10

/** Returns how to call it off. */
export function afterTurns(ms: number, then: () => void): () => void {
  let left = STEPS
  const timer = setInterval(() => {
    if (--left > 0) return
    clearInterval(timer)
    then()
  }, ms / STEPS)
  return () => clearInterval(timer)
}
