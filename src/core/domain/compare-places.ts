/** The order of sources and paths, which is that of the bytes of their names in UTF-8. */
import type { Place } from './document.ts'

export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.source, b.source) || compareText(a.path, b.path)
}

/** Orders by code points, as a database orders bytes. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (x === y) continue
    // Halves of large code points sort behind everything else.
    const [high, low] = [x >= 0xd800 && x < 0xe000, y >= 0xd800 && y < 0xe000]
    return high === low ? x - y : high ? 1 : -1
  }
  return a.length - b.length
}
