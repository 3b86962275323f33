/**
 * Is a question in another language than what was found for it? Words of one language do not find
 * those of another, so an answer to such a question rests on names and on luck, and says so.
 */
import { detectLanguage } from '../../search/analysis/languages/language.ts'
import type { Language } from '../../search/analysis/languages/language.ts'
import { unitsOf } from '../../search/analysis/scan.ts'

const NAMES = {
  english: 'English',
  german: 'German',
  french: 'French',
  spanish: 'Spanish',
} satisfies Record<Language, string>

/** Scripts by which a language shows, also where its words are unknown. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['Cyrillic letters', /\p{sc=Cyrillic}/gu],
  ['Greek letters', /\p{sc=Greek}/gu],
  ['Arabic letters', /\p{sc=Arabic}/gu],
  ['Hebrew letters', /\p{sc=Hebrew}/gu],
  ['Devanagari', /\p{sc=Devanagari}/gu],
  ['Thai letters', /\p{sc=Thai}/gu],
  ['Hangul', /\p{sc=Hangul}/gu],
  ['Chinese or Japanese characters', /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu],
]

/** Two small words tell; of English ones that are words of no other language. */
const LEAST_WORDS = 2
const ENGLISH = /(?<!\p{L})(?:the|what|how|who|when|where|which|why|does|do|is|are|of)(?!\p{L})/giu
/** Letters of a question or a text that are of a script, from where it is written in it. */
const MOSTLY = 0.5
const SOME = 0.05

/** A remark for whoever asked; undefined where the languages agree or cannot be told. */
export function otherLanguage(question: string, texts: readonly string[]): string | undefined {
  const [script, letters] =
    SCRIPTS.find(([, pattern]) => shareOf(question, pattern) > MOSTLY) ?? NO_SCRIPT
  const asked = letters ? undefined : certainLanguage(question)
  const name = script ?? (asked && NAMES[asked])
  if (name === undefined) return undefined
  if (letters && texts.length > 0) {
    if (texts.some((text) => shareOf(text, letters) > SOME)) return undefined
    return `The question is in ${name}, and nothing that was found is. ${ADVICE}`
  }
  const found = texts.flatMap((text) => certainLanguage(text) ?? [])
  if (asked && found.includes(asked)) return undefined
  const [first] = found
  if (first === undefined) {
    return asked === 'english' ? undefined : `The question is in ${name}. ${IF_OTHER}`
  }
  return `The question is in ${name}, and what was found is in ${NAMES[first]}. ${ADVICE}`
}

const NO_SCRIPT = [undefined, undefined] as const
const IF_OTHER = 'If the notes are in another language, ask in theirs.'
const ADVICE = 'Ask in the language of the notes to find more.'

/** Undefined where a text has too few words to tell. */
function certainLanguage(text: string): Language | undefined {
  const lower = text.toLowerCase()
  const language = detectLanguage(unitsOf(lower), 0, lower.length, LEAST_WORDS)
  if (language !== 'english') return language
  return (text.match(ENGLISH)?.length ?? 0) >= LEAST_WORDS ? 'english' : undefined
}

function shareOf(text: string, letters: RegExp): number {
  const all = text.match(/\p{L}/gu)?.length ?? 0
  return all === 0 ? 0 : (text.match(letters)?.length ?? 0) / all
}
