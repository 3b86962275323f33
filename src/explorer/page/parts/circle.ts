/** Places on an ellipse: names at the left are written to the left, names at the right to the right. */

export interface Placed {
  readonly x: number
  readonly y: number
  /** Where the name goes from its dot: `end` to the right, `start` to the left. */
  readonly side: 'start' | 'end'
}

const ACROSS = 48
const DOWN = 96
/** A few names need no more room than this from one to the next. */
const LINE = 40

/** Down the right side and up the left one, so that no two names stand on the same line. */
export function circled(names: readonly string[]): ReadonlyMap<string, Placed> {
  const right = Math.ceil(names.length / 2)
  const down = Math.min(DOWN, (LINE * (right - 1)) / 2)
  return new Map(
    names.map((name, at) => {
      const isRight = at < right
      const of = isRight ? right : names.length - right
      const number = isRight ? at : names.length - 1 - at
      const y = of === 1 ? 0 : down * ((2 * number) / (of - 1) - 1)
      const x = ACROSS * Math.sqrt(1 - (y / (DOWN * 1.15)) ** 2) * (isRight ? 1 : -1)
      return [name, { x: round(x), y: round(y), side: isRight ? 'end' : 'start' }]
    }),
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
