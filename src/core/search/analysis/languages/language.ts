/** The languages whose inflection we know, and how to tell which one a text is in. */
import { hashOfText, scanSpans, Spans } from '../scan.ts'
import { stemEnglish } from '../stem-english.ts'
import { STOP_WORDS } from '../stop-words.ts'
import { stemFrench } from './stem-french.ts'
import { stemGerman } from './stem-german.ts'
import { stemRussian } from './stem-russian.ts'
import { stemSpanish } from './stem-spanish.ts'

/** Languages written in Latin letters that a document can be in. The order is that of storage. */
export const LANGUAGES = ['english', 'german', 'french', 'spanish'] as const
export type Language = (typeof LANGUAGES)[number]

const STEMMERS = {
  german: stemGerman,
  french: stemFrench,
  spanish: stemSpanish,
} satisfies Record<Exclude<Language, 'english'>, (word: string) => string>

/**
 * Stems of other languages than English carry their language. German `Noten` must not meet the
 * English `not`, nor change how much it weighs; a query asks for each language's own term.
 */
const MARKS = { german: '~de', french: '~fr', spanish: '~es' } satisfies Record<
  Exclude<Language, 'english'>,
  string
>

/** Stems a folded word. Script tells Russian from the rest; the document's language tells those. */
export function stem(word: string, language: Language): string {
  const first = word.charCodeAt(0)
  if (first >= 0x400 && first <= 0x52f) return stemRussian(word)
  if (language === 'english') return stemEnglish(word)
  return /^[a-z']+$/.test(word) ? STEMMERS[language](word) + MARKS[language] : word
}

/** Words that every text of a language is full of. Spelt as in running text, not folded. */
const FUNCTION_WORDS = {
  english: words(`the and of to in is that for it with as are this be on by from or an not you
    can will have has which when if how what`),
  german: words(`der die das und ist nicht ein eine einen mit von zu den dem des auf für im sich
    auch wie wird sind werden als oder bei aus einer wenn kann dass über nach durch zum zur ich es
    was wo warum welche`),
  french: words(`le la les des un une et est dans pour que qui sur avec pas par plus ce cette sont
    au aux du en ou nous vous il elle comment pourquoi quel quelle quels où à être`),
  spanish: words(`el la los las un una y es en de que por con para se del al como más no su este
    esta son o cómo qué cuál cuándo dónde está sin sobre`),
} satisfies Record<Language, readonly string[]>

/** Words to leave out of a query in this language. */
export function isStopWord(spelling: string, language: Language): boolean {
  return STOP_WORDS.has(spelling) || (language !== 'english' && STOP_SETS[language].has(spelling))
}

const STOP_SETS = Object.fromEntries(
  LANGUAGES.map((language) => [language, new Set(FUNCTION_WORDS[language].map(plain))]),
) as Record<Language, Set<string>>

/** Hash of a function word → bits of the languages that have it. */
const LANGUAGE_BITS = new Map<number, number>()
for (const [i, language] of LANGUAGES.entries()) {
  for (const word of FUNCTION_WORDS[language]) {
    const hash = hashOfText(word)
    LANGUAGE_BITS.set(hash, (LANGUAGE_BITS.get(hash) ?? 0) | (1 << i))
  }
}

/** A text's beginning is enough to tell. */
export const SAMPLE_UNITS = 600

/** Fewer function words than this prove nothing, nor do they in a list of names. */
const MIN_HITS = 4
const MIN_SHARE = 0.1

/** Another language must show so much more often than English. */
const LEAD = 1.3

const spans = new Spans()

/** The language of `units[from, to)`; English when in doubt. */
export function detectLanguage(
  units: Uint16Array,
  from: number,
  to: number,
  minHits = MIN_HITS,
): Language {
  scanSpans(units, from, Math.min(to, from + SAMPLE_UNITS), spans)
  const hits = LANGUAGES.map(() => 0)
  for (let i = 0; i < spans.count; i++) {
    const bits = LANGUAGE_BITS.get(spans.hashes[i]!) ?? 0
    if (bits === 0) continue
    for (let l = 0; l < hits.length; l++) if (bits & (1 << l)) hits[l]!++
  }
  let best = 0
  for (let l = 1; l < hits.length; l++) {
    if (hits[l]! < minHits || hits[l]! < spans.count * MIN_SHARE) continue
    if (hits[l]! > hits[best]! * (best === 0 ? LEAD : 1)) best = l
  }
  return LANGUAGES[best]!
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}
