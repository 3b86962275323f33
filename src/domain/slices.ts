/** Lets long synchronous work share the thread: requests that wait are served in between. */
import { setImmediate } from 'node:timers/promises'

/** Long enough that the pauses cost nothing, short enough that a search in between stays quick. */
const SLICE_MS = 8

export class Slices {
  #endsAt = performance.now() + SLICE_MS

  /** True when it is time to `await pause()`. Cheap enough to ask for every file. */
  get over(): boolean {
    return performance.now() >= this.#endsAt
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#endsAt = performance.now() + SLICE_MS
  }
}

/** Work that stops wherever it may be interrupted, and ends with a result. */
export type Steps<Result> = Generator<undefined, Result>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Others are served in between where it takes long. */
export async function stepsInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  const slices = new Slices()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (slices.over) await slices.pause()
  }
}

/** The results of all, in order; others are served in between where that takes long. */
export async function inSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const slices = new Slices()
  const results: Result[] = []
  for (const item of items) {
    if (slices.over) await slices.pause()
    results.push(work(item))
  }
  return results
}
