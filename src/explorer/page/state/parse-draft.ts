/** A text that is not saved: kept by the browser for each base, person and note. */
export interface Draft {
  /** Where it is kept; every editor has a place of its own. */
  readonly key: string
  readonly text: string
  /** The text that it was made from, and where that began. */
  readonly base: string
  readonly first: number
  readonly isWhole: boolean
  readonly digest: string
  readonly at: number
}

/** Anybody may write there: what is no draft is left out. */
export function parseDraft(key: string, text: string): Draft | undefined {
  try {
    const { text: own, base, first, isWhole, digest, at } = JSON.parse(text) as Partial<Draft>
    if (typeof own !== 'string' || typeof base !== 'string' || typeof digest !== 'string') return
    if (typeof at !== 'number' || !(Number.isInteger(first) && first! > 0)) return undefined
    return { key, text: own, base, first: first!, isWhole: isWhole === true, digest, at }
  } catch {
    return undefined
  }
}
