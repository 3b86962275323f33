/**
 * Is a document about the question at all? Nearly every question finds something; what merely stands
 * nearest must not pass for an answer. `bench/relevance.ts` measures the thresholds,
 * docs/decisions/0027-general-meaning.md has the figures.
 */
import { HOW_MUCH } from './analysis/question-phrases.ts'
import type { Signals } from './combine.ts'
import type { MatchedWord } from './lexical-index.ts'
import { lacksNames } from './unknown-names.ts'

/** So much of the question in one passage, by weight of its words, is an answer by words alone. */
const COVERS_ENOUGH = 0.35
/**
 * The same for a question written without spaces. Its words are pairs of characters, and half of the
 * pairs stand across two words or ask. On the Chinese XQuAD, cut in half, .2 calls 4 % of its own
 * questions and 84 % of the others unanswered; .35 calls 24 and 98 %.
 */
const PAIRS_ENOUGH = 0.2
/** Or a passage that means nearly the same, to a model of whose similarities nothing is known. */
const MEANS_ENOUGH = 0.8
/**
 * In a handful of documents less is near enough, but not for a passage with a word of the question:
 * that word alone makes it similar. There it must be as near as in a base of some thirty, and
 * similarity counts for what words leave open.
 */
const NEAR_WITH_WORDS = 0.35
/** Where similarities are known to tell, words and meaning answer together, and words alone with this. */
const COVERS_ALONE = 0.8

/** What is known of the base that was asked. */
export interface Enough {
  /**
   * The similarity that makes an answer of a passage without a word of the question; undefined where
   * similarities are not known to tell.
   */
  readonly nearEnough?: number | undefined
  /** The similarity that says nothing. */
  readonly unrelatedAt?: number | undefined
  /** Whether the words of the question are pairs of characters. */
  readonly pairs?: boolean
  /** The share of the words that makes one without similarity, where it is another than usual. */
  readonly coversEnough?: number | undefined
  /** Documents whose title or alias stands in the question. */
  readonly mentioned?: { readonly size: number }
}

type Told = Pick<Signals, 'name' | 'together' | 'similarity'>

export function isRelevant(
  { name, together, similarity }: Told,
  { nearEnough, unrelatedAt, pairs = false, coversEnough = COVERS_ALONE }: Enough = {},
): boolean {
  if (name > 0) return true
  if (nearEnough === undefined || similarity === undefined) {
    const enough = pairs ? PAIRS_ENOUGH : COVERS_ENOUGH
    return together >= enough || (similarity ?? 0) >= MEANS_ENOUGH
  }
  if (unrelatedAt !== undefined) {
    const way = Math.max(0, similarity - unrelatedAt) / (nearEnough - unrelatedAt)
    return together / coversEnough + way >= 1
  }
  const nearness = Math.max(0, similarity)
  if (together > 0 && nearEnough < NEAR_WITH_WORDS) {
    return together / coversEnough + ((1 - together) * nearness) / NEAR_WITH_WORDS >= 1
  }
  return together / coversEnough + nearness / nearEnough >= 1
}

/** Where so many of its names are unknown, half of the question must be there. */
const MOST_NAMES = 2 / 3
const WITHOUT_NAMES = 0.5
/** Half of what would be an answer by words alone. */
const HALF_ENOUGH = 0.5
/** Where so much of the question is unknown to the base, it is asked in other words. */
const OTHER_WORDS = 0.3
/** No passage has half of the words of a longer question, and many answer one. */
const LONG = 12

/**
 * Whether the best of what was found is about something else all the same. That is so when the base
 * never says a name that the question has; and when the base knows its words, yet no passage has half
 * of them, nor means the same by itself, nor is any document mentioned by its title: then they stand
 * in notes about other things.
 * docs/decisions/0053-names-in-questions.md has the figures.
 */
export function isNearMiss(
  question: string,
  words: readonly MatchedWord[],
  found: readonly Told[],
  { nearEnough, coversEnough = COVERS_ALONE, pairs = false, mentioned }: Enough = {},
): boolean {
  if (pairs || found.some(({ name }) => name > 0)) return false
  const together = Math.max(0, ...found.map((each) => each.together))
  if (together < WITHOUT_NAMES && lacksNames(question, words, MOST_NAMES)) return true
  if (nearEnough === undefined || words.length >= LONG || mentioned?.size) return false
  // The number that is asked for is one word more, which no search can look for.
  const told = HOW_MUCH.test(question) ? words.length / (words.length + 1) : 1
  if (together * told >= HALF_ENOUGH * coversEnough) return false
  if (found.some(({ similarity = 0 }) => similarity >= nearEnough)) return false
  const weight = (some: readonly MatchedWord[]) => some.reduce((sum, word) => sum + word.weight, 0)
  const unknown = words.filter(({ match }) => match === 'none')
  return weight(unknown) < OTHER_WORDS * weight(words)
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu

/** Whether most letters of a question are of a script that puts no spaces between words. */
export function isUnspaced(question: string): boolean {
  const unspaced = question.match(UNSPACED)?.length ?? 0
  return unspaced > 0 && 2 * unspaced > (question.match(/\p{L}/gu)?.length ?? 0)
}
