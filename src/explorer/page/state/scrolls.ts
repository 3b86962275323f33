/**
 * Where one was in every list and note when one left an address, so that the way back leads there.
 * A note is remembered by the line at its top: a long one may have other parts of it loaded.
 */

export interface Spot {
  readonly top: number
  /** First line of the block at the top, and how far it lies above or below it. */
  readonly line?: number
  readonly offset?: number
}

const spots = new Map<string, ReadonlyMap<string, Spot>>()
const ADDRESSES_KEPT = 200

/** Everything that scrolls and wants to be remembered says a name in `data-scroll`. */
export function rememberScroll(url: string): void {
  const here = new Map<string, Spot>()
  for (const element of document.querySelectorAll<HTMLElement>('[data-scroll]')) {
    here.set(element.dataset['scroll']!, spotIn(element))
  }
  spots.delete(url)
  spots.set(url, here)
  for (const oldest of spots.keys()) {
    if (spots.size <= ADDRESSES_KEPT) break
    spots.delete(oldest)
  }
}

const KEPT = 'cairn-scroll'

/** For a page that is loaded again, or come back to from elsewhere: the browser keeps it for the tab. */
export function keepScroll(url: string): void {
  rememberScroll(url)
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([url, [...(spots.get(url) ?? [])]]))
  } catch {
    // A browser that keeps nothing begins at the top.
  }
}

/** Whether this address was left a moment ago, and is known again. */
export function isKept(url: string): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  if ((visit as PerformanceNavigationTiming | undefined)?.type === 'navigate') return false
  try {
    const [left, here] = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as [
      string,
      [string, Spot][],
    ]
    if (left !== url) return false
    spots.set(url, new Map(here))
    return true
  } catch {
    return false
  }
}

export function spotAt(url: string, name: string): Spot | undefined {
  return spots.get(url)?.get(name)
}

export function spotIn(element: HTMLElement): Spot {
  const { scrollTop: top } = element
  if (top === 0) return { top }
  const edge = element.getBoundingClientRect().top
  for (const block of element.querySelectorAll<HTMLElement>('.prose > [data-line]')) {
    const box = block.getBoundingClientRect()
    if (box.bottom <= edge || box.height === 0) continue
    return { top, line: Number(block.dataset['line']), offset: edge - box.top }
  }
  return { top }
}
