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
  { above, below }: Around = {},
): FoundPart {
  const same = sameNear(lines, part, first)
  if (same !== undefined) return { first: same, last: same + part.length - 1 }
  const [there, here] = [lonely(lines), lonely(part)]
  const anchors: Anchor[] = []
  for (const [text, at] of here) {
    const index = there.get(text)
    if (index !== undefined) anchors.push({ line: index + 1, at })
  }
  const [bottom, top] = lastAndFirst(anchors)
  if (!top || !bottom) {
    const from = Math.min(first, lines.length)
    return { first: from, last: Math.min(from + part.length - 1, lines.length) }
  }
  const from = Math.max(1, top.line - top.at)
  const to = Math.min(lines.length, bottom.line + part.length - 1 - bottom.at)
  // Where lines at an edge are gone, as many others would stand in their place.
  const over = above === undefined ? -1 : lines.lastIndexOf(above, top.line - 2)
  const under = below === undefined ? -1 : lines.indexOf(below, bottom.line)
  return {
    first: top.line > 1 ? Math.max(from, over + 2) : from,
    last: under < 0 ? to : Math.min(to, under),
  }
}

/** What stood around a part. */
interface Around {
  readonly above?: string | undefined
  readonly below?: string | undefined
}

interface Anchor {
  readonly line: number
  readonly at: number
}

/**
 * Patience sorting: the ends of the longest row of anchors that are in the same order in both. What
 * was moved elsewhere says nothing of where the rest is.
 */
function lastAndFirst(anchors: readonly Anchor[]): readonly [Anchor?, Anchor?] {
  /** Of the rows of each length, the one that ends first: its last anchor, and its first. */
  const rows: (readonly [Anchor, Anchor])[] = []
  for (const anchor of anchors) {
    let [from, to] = [0, rows.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (rows[middle]![0].line < anchor.line) from = middle + 1
      else to = middle
    }
    rows[from] = [anchor, rows[from - 1]?.[1] ?? anchor]
  }
  return rows.at(-1) ?? []
}

/**
 * Knuth, Morris and Pratt: the first of the lines where all of them stand as they are; the nearest
 * where there are several. No line is looked at twice for each start it might belong to.
 */
function sameNear(
  lines: readonly string[],
  part: readonly string[],
  first: number,
): number | undefined {
  const again = new Int32Array(part.length)
  const goOn = (same: number, text: string): number => {
    let next = same
    while (next > 0 && part[next] !== text) next = again[next - 1]!
    return part[next] === text ? next + 1 : next
  }
  for (let at = 1; at < part.length; at++) again[at] = goOn(again[at - 1]!, part[at]!)
  let best: number | undefined
  let same = 0
  for (const [at, text] of lines.entries()) {
    same = goOn(same, text)
    if (same < part.length) continue
    const line = at - part.length + 2
    if (best === undefined || Math.abs(line - first) < Math.abs(best - first)) best = line
    same = again[same - 1]!
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
