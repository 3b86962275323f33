/** Which names of a question does the base never mention? */
import { analyseText } from './analysis/analyser.ts'
import type { MatchedWord } from './lexical-index.ts'

/**
 * Names in the question that no note has, not even misspelled: whatever is said of others is no
 * answer. A name is what begins with a capital within the question, or has a figure in it; in
 * German every noun begins with one, and only the figure tells.
 */
export function unknownNames(question: string, words: Words): readonly string[] {
  return namesOf(question, words).unknown
}

/** Whether so much of the names of a question is unknown, as a share of them by number. */
export function lacksNames(question: string, words: Words, share: number): boolean {
  const { all, unknown } = namesOf(question, words)
  return unknown.length > 0 && unknown.length >= share * all.length
}

type Words = readonly Pick<MatchedWord, 'spelling' | 'terms'>[]

function namesOf(question: string, words: Words) {
  const unknown = new Set(
    words.filter(({ terms }) => terms.length === 0).map(({ spelling }) => spelling),
  )
  const pattern = isGerman(question) ? WITH_FIGURE : NAME
  const all = [...new Set([...question.trim().matchAll(pattern)].map(([name]) => name))]
  const isUnknown = (name: string): boolean => {
    const spellings = analyseText(name).map(({ spelling }) => spelling)
    return spellings.length > 0 && spellings.every((spelling) => unknown.has(spelling))
  }
  return { all, unknown: all.filter(isUnknown) }
}

/** Behind a space, which is never the beginning of a question. */
const WITH_FIGURE = /(?<=\s["'“‘(]?)\p{L}*\p{N}[\p{L}\p{N}-]*/gu
const NAME = /(?<=\s["'“‘(]?)(?:\p{Lu}[\p{L}\p{M}\p{N}-]+|\p{L}*\p{N}[\p{L}\p{N}-]*)/gu

/** Words that make a question German, without those that are common in English too. */
const GERMAN: ReadonlySet<string> = new Set(
  `der die das dem den des ein eine einen einem einer eines und oder ist sind waren wurde wurden
  wird werden hat haben hatte kann wer wen wem wessen wo wohin woher wann warum wieso wie viele viel
  welche welcher welches welchen welchem im auf aus bei bis durch für mit nach unter von vom vor zu
  zum zur über nicht sich als auch sie`.split(/\s+/),
)

function isGerman(question: string): boolean {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const [first = ''] = words
  const asks =
    first === 'was' || /^(?:we[rnm]|wann|wo|wohin|woher|wie|warum|welche[rsnm]?)$/.test(first)
      ? 1
      : 0
  const german = asks + words.filter((word) => GERMAN.has(word)).length
  return german >= 2 && 4 * german >= words.length
}
