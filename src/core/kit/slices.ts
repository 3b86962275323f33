/**
 * Cooperative scheduling: long synchronous work shares the thread, and requests are served in
 * between. All who work in slices share the time of a turn of the event loop, whoever began it;
 * those who have used it up stand in one queue, and one of them goes on in each turn.
 */
import { setImmediate } from 'node:timers'

/** Long enough that the pauses cost nothing, short enough that a search in between stays quick. */
const SLICE_MS = 8

/** Those who wait to go on, in order. */
const waiting: (() => void)[] = []
let endsAt = 0
let isUnderWay = false
let isAwaited = false

/** What is called from a network or a timer comes first in a turn; then it is the queue's. */
function awaitNextTurn(): void {
  if (isAwaited) return
  isAwaited = true
  setImmediate(nextGoesOn)
  // Runs when whoever goes on has paused, before anybody else is called.
  setImmediate(endTurn)
}

function nextGoesOn(): void {
  const goOn = waiting.shift()
  if (!goOn) return
  endsAt = performance.now() + SLICE_MS
  isUnderWay = true
  goOn()
}

function endTurn(): void {
  isUnderWay = false
  isAwaited = false
  if (waiting.length > 0) awaitNextTurn()
}

function begin(): void {
  if (isUnderWay) return
  isUnderWay = true
  endsAt = performance.now() + SLICE_MS
  awaitNextTurn()
}

export class Slices {
  constructor() {
    begin()
  }

  /** True when it is time to `await pause()`. Cheap enough to ask for every file. */
  get over(): boolean {
    begin()
    return performance.now() >= endsAt
  }

  pause(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve)
      awaitNextTurn()
    })
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

/** So many are looked at between two stops: less than a millisecond's work of the usual kind. */
const AT_ONCE = 1_000

/** All of them, with a stop now and then. */
export function* eachInSteps<Item>(items: Iterable<Item>, work: (item: Item) => void): Steps<void> {
  let count = 0
  for (const item of items) {
    work(item)
    if (++count % AT_ONCE === 0) yield
  }
}

/** The numbers from 0 up to `count`, piece by piece, with a stop after each. */
export function* piecesInSteps(
  count: number,
  size: number,
  work: (from: number, end: number) => void,
): Steps<void> {
  for (let from = 0; from < count; from += size) {
    work(from, Math.min(count, from + size))
    yield
  }
}

/** Sorted, equal ones in their old order: short pieces first, then two pieces at a time. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  if (items.length <= AT_ONCE) return items.toSorted(compare)
  const middle = items.length >> 1
  const left = yield* sortInSteps(items.slice(0, middle), compare)
  const right = yield* sortInSteps(items.slice(middle), compare)
  yield
  const sorted: Item[] = []
  let [a, b] = [0, 0]
  while (a < left.length && b < right.length) {
    sorted.push(compare(left[a]!, right[b]!) <= 0 ? left[a++]! : right[b++]!)
    if (sorted.length % AT_ONCE === 0) yield
  }
  while (a < left.length) sorted.push(left[a++]!)
  while (b < right.length) sorted.push(right[b++]!)
  return sorted
}

/** Numbers that the machine sorts in some milliseconds, and that many merged between two stops. */
const NUMBERS_AT_ONCE = 32_768

/** Bottom-up merge sort of a column of numbers, which is left as it is. */
export function* sortNumbersInSteps(numbers: Float64Array): Steps<Float64Array> {
  let from = new Float64Array(numbers)
  const { length } = from
  for (let at = 0; at < length; at += NUMBERS_AT_ONCE) {
    from.subarray(at, at + NUMBERS_AT_ONCE).sort()
    yield
  }
  if (length <= NUMBERS_AT_ONCE) return from
  let to = new Float64Array(length)
  for (let size = NUMBERS_AT_ONCE; size < length; size *= 2) {
    for (let start = 0; start < length; start += 2 * size) {
      const middle = Math.min(start + size, length)
      const end = Math.min(start + 2 * size, length)
      let [a, b] = [start, middle]
      for (let at = start; at < end; at++) {
        to[at] = b >= end || (a < middle && from[a]! <= from[b]!) ? from[a++]! : from[b++]!
        if (at % NUMBERS_AT_ONCE === 0) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
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
