/** Anchors: lines that stand only once in both texts say where a part of one is in the other. */

export interface FoundPart {
  /** Lines from 1, both included. */
  readonly first: number
  readonly last: number
}

/**
 * Where a part of a text is after others have changed that text. Lines that this takes too many or
 * too few of do no harm: to whoever compares, they came or went, and they stay as they are.
 */
export function findAgain(
  lines: readonly string[],
  part: readonly string[],
  first: number,
): FoundPart {
  const same = sameNear(lines, part, first)
  if (same !== undefined) return { first: same, last: same + part.length - 1 }
  const [there, here] = [lonely(lines), lonely(part)]
  const anchors: { readonly line: number; readonly at: number }[] = []
  for (const [text, at] of here) {
    const index = there.get(text)
    if (index === undefined) continue
    const line = index + 1
    // What was moved elsewhere says nothing of where the rest is.
    if (line > (anchors.at(-1)?.line ?? 0)) anchors.push({ line, at })
  }
  const [top, bottom] = [anchors[0], anchors.at(-1)]
  if (!top || !bottom) {
    const from = Math.min(first, lines.length)
    return { first: from, last: Math.min(from + part.length - 1, lines.length) }
  }
  return {
    first: Math.max(1, top.line - top.at),
    last: Math.min(lines.length, bottom.line + part.length - 1 - bottom.at),
  }
}

/** The first of the lines where all of them stand as they are; the nearest where there are several. */
function sameNear(
  lines: readonly string[],
  part: readonly string[],
  first: number,
): number | undefined {
  let best: number | undefined
  for (let line = 1; line <= lines.length - part.length + 1; line++) {
    if (best !== undefined && Math.abs(best - first) <= Math.abs(line - first)) continue
    if (part.every((text, at) => lines[line - 1 + at] === text)) best = line
  }
  return best
}

/** Lines that say something and stand only once, with their place from 0. */
function lonely(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue
    places.set(text, places.has(text) ? NaN : at)
  }
  for (const [text, at] of places) if (Number.isNaN(at)) places.delete(text)
  return places
}
