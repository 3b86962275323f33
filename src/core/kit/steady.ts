/**
 * Measures of a whole base, rounded so coarsely that one more note hardly ever changes them. What
 * ranking computes from them then stays the same to the last bit: a note that has nothing to do
 * with a question cannot shift its answers.
 */

/** Neighbouring steps differ by this factor, which is finer than ranking could tell apart. */
const STEP = Math.log(1.15)

/** A handful is counted exactly. */
const HANDFUL = 8

export function steadyAverage(average: number): number {
  return average > 0 ? Math.exp(Math.round(Math.log(average) / STEP) * STEP) : 0
}

export function steadyCount(count: number): number {
  return count < HANDFUL ? count : steadyAverage(count)
}
