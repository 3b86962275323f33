/**
 * Template matching (slot filling): a statement is a frame of words and the values that stand in it.
 * Two of one frame say the same of the same thing, or differ in a value. Lists of words are data by
 * language: English, German, French, Spanish, Russian, Chinese; numbers and ISO dates are read in any.
 */
import { contentTerms } from '../../search/analysis/content-terms.ts'
import { ANY_MONTH } from './month-names.ts'

export type ValueKind = 'number' | 'date' | 'choice'

export interface Value {
  readonly kind: ValueKind
  /** As it compares: `1,000` is `1000`, `seven` is `7`. */
  readonly value: string
}

export interface Statement {
  /** Words that say something, stemmed, in their order; a number that names something is one of them. */
  readonly words: readonly string[]
  /** Those of them that are written as names. */
  readonly names: ReadonlySet<string>
  readonly values: readonly Value[]
  readonly denied: boolean
  /** What it is about stands elsewhere: `It takes 5 minutes`. */
  readonly leans: boolean
  /** A sum over the words: of the same words, in whatever order. */
  readonly key: number
}

export type Difference = ValueKind | 'polarity'

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u))
}

const DENIALS = set(
  `not no never cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't
  haven't hasn't hadn't couldn't mustn't nicht nie niemals kein keine keinen keinem keiner keines ne pas
  jamais aucun aucune nunca jamás ningún ninguna не нет никогда`,
)
const NOTHING_DENIED = /\bor not\b|\bnot (?:only|just)\b|\bnicht nur\b/i
const HAN_DENIALS = /没有|从未|不再|[不没未](?!必|同|少)/gu

/** What a number behind it is: its name and not its size. */
const LABELS = set(
  `figure fig table chapter ch step section sec page pp part example exercise question problem lecture
  week day lesson item number no nr note appendix phase issue pr line lines equation eq lemma theorem
  corollary definition proposition volume vol episode ep option case rule level layer stage grade class
  room floor slide task ticket rfc iso article paragraph verse act scene book track unit module section
  abbildung abb tabelle kapitel schritt abschnitt seite teil beispiel aufgabe frage woche tag stufe
  tableau chapitre étape page partie exemple exercice semaine jour figura tabla capítulo paso sección
  página parte ejemplo ejercicio semana día рисунок таблица глава шаг раздел страница часть пример`,
)

/** Of each group one holds. */
const CHOICES = [
  'enabled disabled aktiviert deaktiviert activé désactivé activado desactivado включен выключен',
  'true false',
  'required optional mandatory erforderlich optional obligatoire facultatif obligatorio opcional',
  'allowed forbidden prohibited erlaubt verboten autorisé interdit permitido prohibido',
  'supported unsupported deprecated',
  'synchronous asynchronous',
  'approved rejected genehmigt abgelehnt',
  'active inactive aktiv inaktiv',
  'public private',
  'open closed',
  'daily weekly biweekly fortnightly monthly quarterly yearly annually hourly nightly täglich wöchentlich monatlich jährlich',
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunes martes miércoles jueves viernes sábado domingo',
  'понедельник вторник среда четверг пятница суббота воскресенье',
] as const
const GROUP_OF: ReadonlyMap<string, number> = new Map(
  CHOICES.flatMap((words, group) => words.split(' ').map((word) => [word, group] as const)),
)
/** From here on the groups are days and how often: they are values wherever they stand. */
const ANYWHERE = 10
/** Others only where they are said of something: `it is public`, not `public notes`. */
const SAID_OF = set(
  `is are was were be been being remains remain stays stay becomes became : = now defaults default ist
  sind war waren wird bleibt est sont était reste es son era está están`,
)

const NUMBER_WORDS = [
  'zero null',
  '',
  'two twice zwei deux dos два две',
  'three drei trois tres три',
  'four vier quatre cuatro четыре',
  'five fünf cinq cinco пять',
  'six sechs seis шесть',
  'seven sieben sept siete семь',
  'eight acht huit ocho восемь',
  'nine neun neuf nueve девять',
  'ten zehn dix diez десять',
  'eleven elf onze once одиннадцать',
  'twelve zwölf douze doce двенадцать',
]
const NUMBERS: ReadonlyMap<string, string> = new Map(
  NUMBER_WORDS.flatMap((words, number) =>
    words.split(' ').flatMap((word) => (word === '' ? [] : [[word, `${number}`] as const])),
  ),
)

/** What is true of its own moment is told again and again, and never twice the same. */
const OF_ITS_DAY =
  /(?<!\p{L})(?:today|yesterday|tomorrow|tonight|ago|(?:this|last|next) (?:week|month|morning|afternoon|evening|time|year|quarter|night|monday|friday)|heute|gestern|morgen|aujourd['’]hui|hier|demain|hoy|ayer|mañana|сегодня|вчера|завтра)(?!\p{L})|今天|昨天|明天/iu
/** What a machine says, and what says when the note was written. */
const NO_PROSE =
  /[{}]|=>|;\s*$|^\P{L}*(?:last |date )?(?:updated?|modified|created|published|date|version|author)(?: on| at)?\P{L}*:|^\P{L}*last (?:updated|modified)|\barxiv\b|\bdoi\b|\bISBN\b/iu
/** Words that begin a sentence about what the one before names, or what the note is about. */
const LEANS =
  /^\P{L}*(?:(?:it|its|this|these|that|those|they|their|each|all|both|such|he|his|she|her|otherwise|returns?|es|er|sie|dies\p{L}*|il|elle|ils|elles|ce|cette|ces|este|esta|estos|estas|он|она|оно|они|это|эт[аои])(?![\p{L}'’])|[它他她这那该])/iu
/** Whoever asks says nothing. */
const ASKS = /[?？؟]["”’)*_\s]*$/u

/** Words of time say when, not what. */
const TIME_WORDS = set(
  `now currently current new newly recently actually just still already meanwhile jetzt nun neu aktuell
  derzeit maintenant désormais actuellement ahora actualmente теперь сейчас`,
)

const LONGEST = 600
const MOST_WORDS = 40
const LEAST_WORDS = 2
/** Nobody says so much twice by chance. */
const LEAST_OF_ITS_DAY = 8

const TOKEN = new RegExp(
  [
    String.raw`(?<number>(?<![\p{L}\p{N}_])[$€£¥]?[+-]?\p{Nd}+(?:[.,:/’'–—-]\p{Nd}+)*)`,
    String.raw`(?<word>[\p{L}_](?:[\p{L}\p{M}\p{N}_]|['’.+#-](?=[\p{L}\p{N}]))*)`,
    String.raw`(?<mark>[:=#§%])`,
  ].join('|'),
  'gu',
)
const MONTH = new RegExp(`^(?:${ANY_MONTH})$`, 'iu')
const HAN = /\p{Script=Han}/u
const HAN_NUMBER = /(?<=\p{Script=Han})(?=\p{Nd})|(?<=\p{Nd})(?=\p{Script=Han})/gu

/** Between two parts of one value: `5 to 10`, `March 5, 2026`. */
const JOINS = /^(?:[\s,.–—-]|of|to|and|de|del|bis|und|à|a|до)*$/u

/** Undefined for what says too little to compare, asks, or is of its day. */
export function parseStatement(sentence: string): Statement | undefined {
  if (sentence.length > LONGEST || sentence.length < 8) return undefined
  const plain = plainText(sentence)
  // Where no spaces are, numbers stand alone all the same, and a denial is a letter of its own.
  const isHan = HAN.test(plain)
  const text = isHan ? plain.replaceAll(HAN_DENIALS, '').replaceAll(HAN_NUMBER, ' ') : plain
  if (ASKS.test(text) || NO_PROSE.test(text)) return undefined
  const words: string[] = []
  const names = new Set<string>()
  const values: { kind: ValueKind; value: string; end: number }[] = []
  let denied = isHan && text.replaceAll(' ', '').length < plain.replaceAll(' ', '').length
  let before = ''
  const give = (kind: ValueKind, value: string, start: number, end: number): void => {
    const last = values.at(-1)
    if (
      last &&
      last.kind !== 'choice' &&
      kind !== 'choice' &&
      JOINS.test(text.slice(last.end, start))
    ) {
      last.value += ` ${value}`
      if (kind === 'date') last.kind = kind
      last.end = end
    } else values.push({ kind, value, end })
  }
  for (const { groups = {}, index, 0: token } of text.matchAll(TOKEN)) {
    const { number, word } = groups
    const end = index + token.length
    if (number !== undefined) {
      if (LABELS.has(before) || before === '#' || before === '§') words.push(`${before}${number}`)
      else give(/^\d{4}[-/]\d/.test(number) ? 'date' : 'number', plainNumber(number), index, end)
      before = number
      continue
    }
    if (word === undefined) {
      if (token === '%') words.push('%')
      before = token
      continue
    }
    const folded = word.toLowerCase().replaceAll('’', "'")
    const spelt = NUMBERS.get(folded)
    const group = GROUP_OF.get(folded)
    if (DENIALS.has(folded))
      denied = NOTHING_DENIED.test(text.slice(Math.max(0, index - 12), end + 6)) ? denied : !denied
    else if (spelt !== undefined) give('number', spelt, index, end)
    else if (MONTH.test(folded) && besideNumber(text, index, end))
      give('date', folded.slice(0, 3), index, end)
    else if (group !== undefined && (group >= ANYWHERE || SAID_OF.has(before))) {
      give('choice', `${group}:${folded.replace(/s$/u, '')}`, index, end)
    } else if (!TIME_WORDS.has(folded)) {
      const isName = index > 0 && /^\p{Lu}/u.test(word)
      for (const term of contentTerms(word)) {
        words.push(term)
        if (isName) names.add(term)
      }
    }
    before = folded
  }
  const least = OF_ITS_DAY.test(text) ? LEAST_OF_ITS_DAY : LEAST_WORDS
  if (words.length < least || words.length > MOST_WORDS) return undefined
  return { words, names, values, denied, leans: LEANS.test(text), key: keyOf(words) }
}

function besideNumber(text: string, start: number, end: number): boolean {
  return (
    /\p{Nd}(?:st|nd|rd|th|\.)?[\s-](?:of |de )?$/u.test(
      text.slice(Math.max(0, start - 8), start),
    ) || /^\.?[\s-]\p{Nd}/u.test(text.slice(end, end + 3))
  )
}

function plainNumber(text: string): string {
  return text
    .replace(/^\+/, '')
    .replaceAll(/[,’'](?=\d{3}(?!\d))/g, '')
    .replaceAll(/[–—]/g, '-')
}

/** What is read of a sentence: links by their words, no marks of emphasis, notes of the foot or addresses. */
export function plainText(sentence: string): string {
  return sentence
    .replaceAll(/!?\[\[(?:[^[\]|\n]{0,300}\|)?([^[\]\n]{1,300})\]\]/g, '$1')
    .replaceAll(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,600}\)/g, '$1')
    .replaceAll(/\[\^?[\p{L}\p{N}-]{1,20}\](?!\()/gu, '')
    .replaceAll(/\bhttps?:\/\/[^\s<>]{1,600}/g, '')
    .replaceAll(/[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}/g, '')
}

/** FNV-1a of each word, summed: the order of words does not count, and one can be taken out again. */
export function keyOf(words: readonly string[]): number {
  let sum = 0
  for (const word of words) sum += hashOf(word)
  return sum % MODULUS
}

/** The key of a frame without one of its words. */
export function keyWithout({ key }: Statement, word: string): number {
  return (key - hashOf(word) + MODULUS) % MODULUS
}

const MODULUS = 2 ** 46

function hashOf(word: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return ((high >>> 0) % 2 ** 14) * 2 ** 32 + (low >>> 0)
}

/** Whether one has the words of the other, and at most one more, which is no name. */
export function isSameFrame(a: Statement, b: Statement): boolean {
  if (a.words.length === b.words.length) {
    const sorted = [a.words.toSorted(), b.words.toSorted()] as const
    return sorted[0].every((word, at) => word === sorted[1][at])
  }
  const [less, more] = a.words.length < b.words.length ? [a, b] : [b, a]
  if (more.words.length !== less.words.length + 1 || more.words.length < LEAST_WITH_MORE)
    return false
  const rest = [...less.words]
  const extra = more.words.filter((word) => {
    const at = rest.indexOf(word)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  return extra.length === 1 && !more.names.has(extra[0]!)
}

/** A word more or less changes what a short frame says. */
export const LEAST_WITH_MORE = 6

/** In what two statements of one frame differ; undefined where they agree, or in more than one value. */
export function differenceOf(a: Statement, b: Statement): Difference | undefined {
  if (a.values.length !== b.values.length) return undefined
  const differing = a.values.filter((value, at) => !isSame(value, b.values[at]!))
  if (differing.length === 0) return a.denied === b.denied ? undefined : 'polarity'
  if (differing.length > 1 || a.denied !== b.denied) return undefined
  const [value] = differing
  const other = b.values[a.values.indexOf(value!)]!
  if (value!.kind === 'choice' || other.kind === 'choice') {
    return value!.value.split(':')[0] === other.value.split(':')[0] ? 'choice' : undefined
  }
  return value!.kind === 'date' || other.kind === 'date' ? 'date' : 'number'
}

function isSame(a: Value, b: Value): boolean {
  return a.value === b.value || (a.value !== '' && Number(a.value) === Number(b.value))
}
