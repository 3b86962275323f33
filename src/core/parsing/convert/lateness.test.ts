import { expect, it } from 'vitest'
import { lateness } from './open-converter.ts'

function check(
  name: string,
  [passed, worked, idle]: readonly [number, number, number],
  said: ReturnType<typeof lateness>,
): void {
  it(name, () => expect(lateness({ passed, worked, idle }, 60_000)).toBe(said))
}

check('a file has its time', [60_000, 60_000, 0], undefined)
check('a file that takes longer is slow', [61_000, 60_500, 0], 'slow')
check('on a busy machine it takes longer by the clock', [250_000, 59_000, 0], undefined)
check('a reader that waits for nothing is slow', [61_000, 2_000, 31_000], 'slow')
check('one that does not get on has no chance', [301_000, 20_000, 100], 'no chance')
