/**
 * Does a sentence stay with what a text says? By its wording: words in common, no fact, name or
 * negation of its own. Whether it follows from the text only a reader can tell.
 */
import { contentTerms } from '../../search/analysis/content-terms.ts'
import { wholeWords, wordsOf } from './whole-words.ts'

/** Share of a sentence's words that the text must have. */
const SHARED_WORDS = 1 / 3

export function sharesWords(sentence: string, text: string): boolean {
  const terms = new Set(contentTerms(sentence))
  if (terms.size === 0) return false
  const known = new Set(contentTerms(text))
  return [...terms].filter((term) => known.has(term)).length >= terms.size * SHARED_WORDS
}

/** Numbers, addresses, paths and identifiers cannot be said in other words. */
export function addsNoFact(sentence: string, text: string): boolean {
  const known = bare(text)
  return wordsOf(sentence)
    .map((word) => word.replaceAll(/^(?![-−]\d)[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, ''))
    .filter((word) => /\d|@|:\/\/|\p{L}[._/\\]\p{L}/u.test(word) || NUMBERS.test(word))
    .every((word) => wholeWords([bare(word)]).test(known))
}

const NUMBERS =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety|hundreds?|thousands?|millions?|billions?|once|twice|half|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|siete|ocho|nueve|diez)$/i

/** `1,000` and `1000` are the same number. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/(?<=\d)[,'’\u00a0\u202f](?=\d)/g, '')
}

/** A capital letter may be a name, and whoever it is, the text must know them. */
export function addsNoName(sentence: string, text: string): boolean {
  const known = new Set(contentTerms(text))
  return wordsOf(sentence)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word, place) => /^\p{Lu}/u.test(word) && !(place === 0 && OPENINGS.test(word)))
    .every((word) => contentTerms(word).every((term) => known.has(term)))
}

/** Words that begin a sentence with a capital letter and name nobody. */
const OPENINGS =
  /^(?:every|each|yes|no|not|never|none|nobody|nothing|neither|without|cannot|usually|der|die|das|den|dem|des|ein|eine|einen|einem|einer|im|am|zum|zur|man|wer|wenn|nie|nicht|kein|keine|ohne|ja|nein|le|la|les|un|une|du|il|elle|on|en|au|aux|oui|non|el|los|las|una|lo|se|sí|и|в|на|с|не|нет)$/iu

const NEGATIONS =
  /(?<![\p{L}])(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|nicht|kein\p{L}*|nie|niemals|ohne|pas|jamais|sans|nunca|sin|не|нет|никогда|без)(?![\p{L}])|n['’]t(?![\p{L}])|不|没|沒|無|未|ない|ません/giu

/** How often it says no: two that undo each other are not the same as none. */
export function countNegations(text: string): number {
  return text.match(NEGATIONS)?.length ?? 0
}
