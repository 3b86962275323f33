/** Pieces of a text that overlap: what one finds in a repository, and what its ids count. */

export interface WindowSettings {
  /** Characters in a window. */
  readonly size: number
  /** Characters it shares with the next. */
  readonly overlap: number
}

export const DEFAULT_WINDOWS: WindowSettings = { size: 1000, overlap: 200 }

export interface TextWindow {
  readonly start: number
  readonly end: number
}

/** How many windows a text of so many characters has; blank ones have none. */
export function windowCount(length: number, { size, overlap }: WindowSettings): number {
  return Math.ceil(length / Math.max(1, size - overlap))
}

export function windowsOf(text: string, settings: WindowSettings): TextWindow[] {
  if (text.trim() === '') return []
  const { size, overlap } = settings
  const step = Math.max(1, size - overlap)
  return Array.from({ length: windowCount(text.length, settings) }, (_, n) => ({
    start: n * step,
    end: Math.min(text.length, n * step + size),
  }))
}
