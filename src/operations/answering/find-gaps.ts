/** Which parts of a question were not answered? Said in its own words. */
import { analyseText } from '../../search/analysis/analyser.ts'
import type { AskedWords } from './extract-answer.ts'

const MOST_GAPS = 12

/**
 * Words that ask in other languages than English, whose own are no gaps anyway. Without accents, and
 * without those that mean something else in English, such as `comment`.
 */
const ASKS: ReadonlySet<string> = new Set(
  `wer wen wem wessen was wo woher wohin wann warum wieso weshalb wie welche welcher welches
  welchen welchem qui que quoi quel quelle quels quelles ou quand pourquoi combien quien
  que donde cuando como cuanto cuanta cuantos cuantas cual cuales cosa dove quando perche
  quanto quale many much often кто что где когда почему как какой какая какие сколько`.split(/\s+/),
)

/** Words of the question that are not among those found, as they were written. */
export function findGaps(
  question: string,
  { words }: AskedWords,
  found: ReadonlySet<number>,
): readonly string[] {
  // A word that was only meant to be another one proves nothing: to earn is not to learn.
  const isFound = (at: number): boolean => found.has(at) && words[at]?.match !== 'fuzzy'
  const spellings = (wanted: boolean) =>
    new Set(words.filter((_, at) => isFound(at) === wanted).map(({ spelling }) => spelling))
  const missing = spellings(false)
  const there = spellings(true)
  const spans = Map.groupBy(analyseText(question), ({ start, end }) => `${start}-${end}`)
  const gaps: { start: number; end: number }[] = []
  for (const terms of spans.values()) {
    // Of `runner-up` it is enough to find the whole, or a part.
    const isGap =
      terms.some(({ spelling }) => missing.has(spelling)) &&
      !terms.some(({ spelling }) => there.has(spelling))
    if (!isGap || terms.every(({ spelling }) => ASKS.has(spelling))) continue
    const { start, end } = terms[0]!
    // How long, how old and how far are answered by a number.
    if (/\bhow\s+$/iu.test(question.slice(0, start))) continue
    const last = gaps.at(-1)
    // Pairs of characters overlap; together they are the word that was asked for.
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else gaps.push({ start, end })
  }
  return [...new Set(gaps.map(({ start, end }) => question.slice(start, end)))].slice(0, MOST_GAPS)
}

/**
 * Names in the question that no note has, not even misspelled: whatever is said of others is no
 * answer. A name is what begins with a capital within the question, or has a figure in it; in
 * German every noun begins with one, and only the figure tells.
 */
export function unknownNames(question: string, { words }: AskedWords): readonly string[] {
  const unknown = new Set(
    words.filter(({ terms }) => terms.length === 0).map(({ spelling }) => spelling),
  )
  const pattern = isGerman(question) ? WITH_FIGURE : NAME
  const names = [...question.trim().matchAll(pattern)]
  return [...new Set(names.map(([name]) => name))].filter((name) => {
    const spellings = analyseText(name).map(({ spelling }) => spelling)
    return spellings.length > 0 && spellings.every((spelling) => unknown.has(spelling))
  })
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

/** Of what a model says is missing, those that are parts of the question, word for word. */
export function statedGaps(question: string, missing: readonly string[]): readonly string[] {
  const asked = normal(question)
  return missing
    .filter((part) => normal(part) !== '' && asked.includes(normal(part)))
    .slice(0, MOST_GAPS)
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s?.!]+/g, ' ')
    .trim()
}
