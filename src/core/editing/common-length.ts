/** How far are two sequences the same? */

/** So much is compared at once: the engine compares ranges many times as fast as single characters. */
const AT_ONCE = 64 * 1024

/**
 * Binary search within the first range that differs. `isSame` compares what stands in both from
 * one place to another, counted from the end that one likes.
 */
export function commonLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let same = 0
  for (let step = AT_ONCE; step >= 1 && same < most;) {
    const to = Math.min(most, same + step)
    if (isSame(same, to)) same = to
    else step >>= 1
  }
  return same
}
