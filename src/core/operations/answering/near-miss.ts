/**
 * Is a quote beside the point? It has the words of the question and not what is asked for: rules that
 * one can name, each for one kind of near miss. docs/decisions/0053-names-in-questions.md has what
 * they decline and what they cost.
 */
import { analyseText } from '../../search/analysis/analyser.ts'
import { contentTerms } from '../../search/analysis/content-terms.ts'
import type { MatchedWord } from '../../search/lexical-index.ts'
import { askedNoun, countedNoun, namesIn } from './asked-for.ts'

/** A quote with what stands above it: its title and headings. */
export interface Said {
  readonly quote: string
  readonly above: string
}

/**
 * What a name, a number or a time cannot answer, and a text about the event seldom tells. Steps and
 * methods are not among them: what tells them seldom calls them so.
 */
const DETAILS =
  /\b(?:reasons?|rationale|motivations?|criteri(?:a|on)|advice|recommendations?|agenda|atmosphere|mood|reactions?|react|emotion(?:s|al)?|opinions?|impressions?|qualifications?|expertise|background|format|structure|terms|conditions|arguments?|topics?|themes?|content|techniques?|strateg(?:y|ies)|plans?|feedback|lessons?|recipe|ingredients?|rules?|influence|outcome|discussed|decided|covered|modules?|points|bugs?)\b/iu
/** What tells a detail without calling it so. */
const TOLD: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:reason|rationale|motivation|argument)/i,
    /\b(?:because|since|so that|due to|in order to)\b/i,
  ],
  [
    /^(?:decided|outcome|terms|conditions)/i,
    /\b(?:agreed?|chose|choose|settled|voted|resolved)\b/i,
  ],
  [/^(?:discussed|covered|agenda|topic|theme)/i, /\b(?:talked|spoke|spoken|went over|debated)\b/i],
]

/** Names and figures that make sure that the event was found, so that only the detail is missing. */
const TELLING_NAMES = 2

/** The event is told, the detail that is asked for is not. */
export function lacksDetail(question: string, { quote, above }: Said): boolean {
  const [detail] = DETAILS.exec(askedNoun(question)) ?? []
  if (detail === undefined || namesIn(question).length < TELLING_NAMES) return false
  if (TOLD.some(([asked, told]) => asked.test(detail) && told.test(quote))) return false
  return !hasAll(`${above}\n${quote}`, detail)
}

/** So much of a question is too little, unless it is asked in other words, or long. */
const TOO_LITTLE = 0.3
const OTHER_WORDS = 0.3
const LONG = 12

/**
 * The passage has little of the question, although the base knows its words. Words are counted by
 * their place: of `ESLint` it is enough to have the whole or a part.
 */
export function coversLittle(
  question: string,
  { words, passage }: { words: readonly MatchedWord[]; passage: ReadonlySet<number> },
): boolean {
  const places = [...Map.groupBy(analyseText(question), ({ start }) => start).values()]
    .map((terms) => {
      const own = words.flatMap(({ spelling }, at) =>
        terms.some((term) => term.spelling === spelling) ? [at] : [],
      )
      const weight = Math.max(0, ...own.map((at) => words[at]!.weight))
      const known = own.some((at) => words[at]!.terms.length > 0)
      return { weight, known, there: own.some((at) => passage.has(at)) }
    })
    .filter(({ weight }) => weight > 0)
  if (places.length >= LONG) return false
  const share = (of: (place: (typeof places)[number]) => boolean): number =>
    sum(places.filter(of)) / (sum(places) || 1)
  return share(({ there }) => there) < TOO_LITTLE && share(({ known }) => !known) < OTHER_WORDS
}

function sum(places: readonly { readonly weight: number }[]): number {
  return places.reduce((total, { weight }) => total + weight, 0)
}

/** How many of one thing are asked for, and every number is of another: `How many rooms?` `3 floors.` */
export function countsAnother(question: string, { quote, above }: Said): boolean {
  const noun = countedNoun(question)
  if (noun === undefined || MEASURES.test(noun) || hasAll(`${above}\n${quote}`, noun)) return false
  const counted = [...quote.matchAll(COUNT)]
  return counted.length > 0 && counted.every(([, behind = '']) => contentTerms(behind).length > 0)
}

/** `A week` says how many days. */
const MEASURES = /^(?:times?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/iu
/** A number with the word behind it. */
const COUNT =
  /(?<![\p{L}\p{N}.,:/-])(?:\p{N}+(?:[.,]\p{N}+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?)(?:[ \u00a0](\p{Ll}[\p{L}-]+))?/giu

/** Whether a text speaks of something by its name. */
export function saysName(text: string, name: string): boolean {
  return plain(text).includes(plain(name))
}

/** Words between single spaces, so that one name is found in any way of writing it. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

function hasAll(text: string, words: string): boolean {
  const wanted = contentTerms(words)
  if (wanted.length === 0) return true
  const there = new Set(contentTerms(text))
  return wanted.every((term) => there.has(term))
}
