/** Are the quotes still in the files? A model takes its time, and people write meanwhile. */
import type { View } from '../view/view.ts'
import { findLive, parseLive } from '../reading/read-document.ts'
import type { AnswerPassage, Quoted } from './answer-passages.ts'
import type { CheckedClaim } from './check-claims.ts'
import { locateQuote } from './locate-quote.ts'

/** The claims whose quotes the files still have, each with its place as it is now. */
export async function quotesNow(
  kb: View,
  claims: readonly CheckedClaim[],
): Promise<readonly CheckedClaim[]> {
  const cited = new Set(claims.flatMap(({ quotes }) => quotes.map(({ passage }) => passage)))
  const current = new Map<AnswerPassage, AnswerPassage | undefined>()
  for (const passage of cited) current.set(passage, await passageNow(kb, passage))
  return claims.flatMap(({ text, quotes }) => {
    const now = quotes.map((quote) => quoteNow(quote, current.get(quote.passage)))
    return now.every((quote) => quote !== undefined) ? [{ text, quotes: now }] : []
  })
}

/** The same passage where its file did not change; else the whole file. */
async function passageNow(kb: View, passage: AnswerPassage): Promise<AnswerPassage | undefined> {
  const { found } = passage
  const live = await findLive(kb, found.live.record)
  if (!live || live.digest === found.live.digest) return live && passage
  const { chunks } = await parseLive(kb, live)
  return { ...passage, found: { ...found, live, chunks }, start: 0, end: live.text.length }
}

function quoteNow(quote: Quoted, passage: AnswerPassage | undefined): Quoted | undefined {
  if (!passage || passage === quote.passage) return passage && quote
  const said = quote.passage.found.live.text.slice(quote.start, quote.end)
  const place = locateQuote(passage.found.live.text, said)
  return place && { passage, ...place }
}
