/**
 * Hysteresis: keeps V8's space for young objects near one size. V8 knows a factor by which it grows,
 * and no bound that a running program could set; and whenever little is going on it shrinks the space
 * to a megabyte. Without growth it would stay there, and be collected after every second answer.
 */
import { getHeapSpaceStatistics } from 'node:v8'

/** Measured: below, questions take more of the processor; above, only memory grows. */
const ENOUGH = 8 * 2 ** 20
const LOOK_EVERY_MS = 500

const GROWS = 2
const STAYS = 1

/** Sets the factor while the process lives, and whenever it has to be another one. */
export function keepYoungSpace(
  setGrowth: (factor: number) => void,
  sizeOf: () => number = youngBytes,
): void {
  let set: number | undefined
  const look = (): void => {
    const factor = sizeOf() < ENOUGH ? GROWS : STAYS
    if (factor === set) return
    set = factor
    setGrowth(factor)
  }
  look()
  setInterval(look, LOOK_EVERY_MS).unref()
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size
}
