/**
 * Working memory of the searches that look at a small part of the graph. Clearing an array of a
 * million nodes would cost more than most searches, so a mark is a number that no earlier search
 * used, and stale marks mean nothing. One search at a time may use it: they are synchronous and
 * call no foreign code, so that is always the case.
 */
export interface Scratch {
  /** The mark each node got last. */
  readonly mark: Uint32Array
  /** One number per node; means something only where the mark is current. */
  readonly value: Uint32Array
  readonly queue: Uint32Array
  readonly otherQueue: Uint32Array
}

let scratch: Scratch = allocate(0)
let nextMark = 1

/** Shared memory for at least `nodeCount` nodes, and the first of `marks` fresh marks. */
export function borrowScratch(nodeCount: number, marks: number): Scratch & { firstMark: number } {
  if (scratch.mark.length < nodeCount) {
    // Some room to spare: a base that grows note by note should not allocate for every note.
    scratch = allocate(Math.ceil(nodeCount * 1.25))
  }
  if (nextMark + marks > 0xffff_ffff) {
    scratch.mark.fill(0)
    nextMark = 1
  }
  const firstMark = nextMark
  nextMark += marks
  return { ...scratch, firstMark }
}

/** Moves the counter close to its end, so that a test can watch it start again. */
export function ageScratch(marksLeft: number): void {
  nextMark = 0xffff_ffff - marksLeft
}

function allocate(nodes: number): Scratch {
  return {
    mark: new Uint32Array(nodes),
    value: new Uint32Array(nodes),
    queue: new Uint32Array(nodes),
    otherQueue: new Uint32Array(nodes),
  }
}
