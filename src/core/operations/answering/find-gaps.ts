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
