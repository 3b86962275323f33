/**
 * Which claims of a language model do the passages bear out? Every quote must stand in the passage
 * it cites, letter for letter, and the claim must be in the quotes' own words. This checks wording
 * and not logic: it proves that the documents say what is quoted, and that a claim adds no name,
 * number, address or negation of its own.
 */
import { splitSentences } from '../../parsing/split-sentences.ts'
import type { AnswerPassage, Quoted } from './answer-passages.ts'
import { chunkAt } from './answer-passages.ts'
import { locateQuote } from './locate-quote.ts'
import type { Claim } from './parse-claims.ts'
import { addsNoFact, addsNoName, countNegations, sharesWords } from './wording.ts'

export interface CheckedClaim {
  readonly text: string
  /** At least one, all found. */
  readonly quotes: readonly Quoted[]
}

export interface CheckedClaims {
  readonly verified: readonly CheckedClaim[]
  readonly dropped: number
}

export function checkClaims(
  claims: readonly Claim[],
  passages: readonly AnswerPassage[],
): CheckedClaims {
  const verified = claims.flatMap((claim) => {
    const quotes = locateAll(claim, passages)
    return quotes && isBorneOut(claim.text, quotes) ? [{ text: claim.text, quotes }] : []
  })
  return { verified, dropped: claims.length - verified.length }
}

/** Undefined when a single one is not where it is said to be: who invents one invents others. */
function locateAll(
  { citations }: Claim,
  passages: readonly AnswerPassage[],
): readonly Quoted[] | undefined {
  const quotes = citations.map(({ passage: number, quote }) => {
    const passage = passages.find((each) => each.number === number)
    if (!passage || !saysSomething(quote)) return undefined
    const place = locateQuote(passage.found.live.text, quote, passage.start, passage.end)
    return place && { passage, ...place }
  })
  return quotes.length > 0 && quotes.every((quote) => quote !== undefined) ? quotes : undefined
}

/** A quote of a word or two proves nothing; a script without spaces says more in fewer letters. */
function saysSomething(quote: string): boolean {
  const letters = quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return letters >= (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(quote) ? 4 : 8)
}

/** The question is no evidence: who asks whether the limit is 500 may be mistaken. */
function isBorneOut(claim: string, quotes: readonly Quoted[]): boolean {
  const quoted = quotes.map(({ passage, start, end }) => passage.found.live.text.slice(start, end))
  const above = quotes.map(({ passage, start }) => {
    const path = chunkAt(passage.found, start)?.headingPath ?? []
    return [passage.found.live.record.title, ...path].join('\n')
  })
  const evidence = [...quoted, ...above].join('\n')
  return (
    sharesWords(claim, evidence) &&
    addsNoFact(claim, evidence) &&
    addsNoName(claim, evidence) &&
    countNegations(claim) === countNegations(wholeSentences(quotes))
  )
}

/** `Restart the server` may be the end of `Never restart the server`. */
function wholeSentences(quotes: readonly Quoted[]): string {
  const sentences = quotes.flatMap(({ passage, start, end }) => {
    const { text } = passage.found.live
    const around = splitSentences(text, passage.start, passage.end)
      .filter((sentence) => sentence.start < end && start < sentence.end)
      .map((sentence) => ({
        start: sentence.start,
        text: text.slice(sentence.start, sentence.end),
      }))
    const own = { start, text: text.slice(start, end) }
    return (around.length > 0 ? around : [own]).map((one) => ({ ...one, passage: passage.number }))
  })
  const once = new Map(sentences.map((one) => [`${one.passage} ${one.start}`, one.text]))
  return [...once.values()].join('\n')
}
