/** Gives memory back to the system after work that made much garbage and will not come again soon. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * V8 collects when it needs room, and an idle server never does: what a start or a first look
 * through the files left behind would stay, and with it the room that was made for it. Only as a
 * last resort V8 gives that room back at once. Node offers the collector only behind this flag.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as ((options: object) => void) | undefined
  setFlagsFromString('--no-expose-gc')
  collect?.({ type: 'major', flavor: 'last-resort' })
}
