/** How much of a client's context will this text take? An estimate that errs on the large side. */

/** Characters that are mostly a token of their own: Chinese, Japanese, Korean and the like. */
const WIDE = /[\u0e00-\u0e7f\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/g

export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil((text.length - wide) / 3.5 + wide)
}

/** How many of the items fit into a budget. One always does, so that paging makes progress. */
export function fitting(items: readonly unknown[], budget: number): number {
  let tokens = 0
  for (const [index, item] of items.entries()) {
    tokens += estimateTokens(JSON.stringify(item))
    if (tokens > budget) return Math.max(1, index)
  }
  return items.length
}
