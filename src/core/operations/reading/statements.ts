/**
 * Template matching (slot filling): a statement is a frame of words and the values that stand in it.
 * Two of one frame say the same of the same thing, or differ in a value. Lists of words are data by
 * language: English, German, French, Spanish, Russian, Chinese; numbers and ISO dates are read in any.
 */
import { contentTerms } from '../../search/analysis/content-terms.ts'
import { ANY_MONTH } from './month-names.ts'
import { withoutAsOf } from './said-when.ts'

export type ValueKind = 'number' | 'date' | 'choice'

export interface Value {
  readonly kind: ValueKind
  /** As it compares: `1,000` is `1000`, `seven` is `7`. */
  readonly value: string
  /** So many words of the frame stand before it. */
  readonly at: number
  /** What is written as code is an example; a release and `migration 195` name something. */
  readonly is: 'code' | 'release' | 'label' | undefined
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
  /** Something holds only if, when or while: two cases of it do not contradict each other. */
  readonly conditional: boolean
  /** Where its links lead. */
  readonly targets: string
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
export const LABELS = set(
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
  /[{}]|=>|:::|;\s*$|^\P{L}*(?:last |date )?(?:updated?|modified|created|published|date|version|author)(?: on| at)?\P{L}*:|^\P{L}*last (?:updated|modified)|\barxiv\b|\bdoi\b|\bISBN\b/iu
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
  const plain = withoutAsOf(plainText(sentence))
  // Where no spaces are, numbers stand alone all the same, and a denial is a letter of its own.
  const isHan = HAN.test(plain)
  const text = isHan ? plain.replaceAll(HAN_DENIALS, '').replaceAll(HAN_NUMBER, ' ') : plain
  if (ASKS.test(text) || NO_PROSE.test(text)) return undefined
  const words: string[] = []
  const names = new Set<string>()
  const values: { kind: ValueKind; value: string; at: number; is: Value['is']; end: number }[] = []
  const inCode = codeIn(sentence)
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
    } else {
      const said = text.slice(start, end)
      const is = inCode.has(said)
        ? 'code'
        : isRelease(text, start, end)
          ? 'release'
          : isLabel(text, start, end)
            ? 'label'
            : undefined
      values.push({ kind, value, at: words.length, is, end })
    }
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
    if (DENIALS.has(folded) && text[index - 1] !== ':')
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
  return {
    words,
    names,
    values,
    denied,
    leans: LEANS.test(text),
    conditional: CONDITIONAL.test(text),
    targets: targetsOf(sentence),
    key: keyOf(words),
  }
}

/** Numbers that a sentence has between backticks, or alone between quotation marks. */
function codeIn(sentence: string): ReadonlySet<string> {
  const spans = sentence.match(/`[^`\n]{1,200}`|["“]\p{Nd}[\p{Nd}.,]{0,20}["”]/gu) ?? []
  return new Set(spans.flatMap((span) => span.match(NUMBERS_IN_CODE) ?? []))
}
const NUMBERS_IN_CODE = /[$€£¥]?[+-]?\p{Nd}+(?:[.,:/’'–—-]\p{Nd}+)*/gu

/** `5.8 or later`, `version 3`, `1.27.0`: true of what came out with it. */
function isRelease(text: string, start: number, end: number): boolean {
  return (
    /^(?:\p{Nd}+\.){2}\p{Nd}/u.test(text.slice(start, end)) ||
    RELEASE_BEFORE.test(text.slice(Math.max(0, start - 40), start)) ||
    /^\.?x?\s*(?:\p{L}+\s)?(?:or|and|oder|und|ou|o)\s+(?:later|above|newer|higher|up|greater|neuer|höher|plus|superior)(?!\p{L})/iu.test(
      text.slice(end, end + 40),
    )
  )
}
const RELEASE_BEFORE =
  /(?:(?<!\p{L})(?:v|version|versions|release|kernel|server|sdk|api|python|node|java|php|ruby|linux|ubuntu|debian|ios|android|macos|windows)[\s:=]*(?:is\s+)?(?:[<>≥≤]=?\s*)?|[<>≥≤]=?\s*)$/iu

/** The last word is a number, and a noun before it says of what: `Pending: migration 195.` */
function isLabel(text: string, start: number, end: number): boolean {
  if (!/^[\p{P}\s]*$/u.test(text.slice(end)) || !/^\p{Nd}/u.test(text.slice(start))) return false
  const [, word = ''] =
    /(?:^|[^\p{L}])(\p{L}+):? $/u.exec(text.slice(Math.max(0, start - 40), start)) ?? []
  return word !== '' && contentTerms(word).length > 0 && !SAID_OF.has(word.toLowerCase())
}

const CONDITIONAL =
  /(?<!\p{L})(?:if|when|whether|unless|until|while|once|otherwise|without|wenn|falls|ob|solange|bis|sobald|si|quand|lorsque|tant que|cuando|mientras|hasta|если|когда|пока)(?!\p{L})|如果|除非/iu

function targetsOf(sentence: string): string {
  const links = sentence.matchAll(
    /\]\(([^()\s]{1,600})[^()\n]{0,200}\)|\[\[([^[\]|\n]{1,300})|(https?:\/\/[^\s<>)]{1,600})/gu,
  )
  return [...links]
    .map(([, a, b, c]) => a ?? b ?? c)
    .toSorted()
    .join(' ')
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
    .replaceAll('≠', ' not ')
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

/** Whether one has the words of the other in their order, and at most one more, which is no name. */
export function isSameFrame(a: Statement, b: Statement): boolean {
  const [less, more] = a.words.length < b.words.length ? [a, b] : [b, a]
  const differs = more.words.findIndex((word, at) => word !== less.words[at])
  if (less.words.length === more.words.length) return differs < 0
  if (more.words.length !== less.words.length + 1 || more.words.length < LEAST_WITH_MORE)
    return false
  const rest = more.words.toSpliced(differs, 1)
  return !more.names.has(more.words[differs]!) && rest.every((word, at) => word === less.words[at])
}

/** A word more or less changes what a short frame says. */
export const LEAST_WITH_MORE = 6

/**
 * In what two statements of one frame differ; undefined where they agree, in more than one value, or
 * in what need not be the same: where links lead elsewhere, what is written as code, what one of them
 * says more exactly, and two cases of a condition.
 */
export function differenceOf(a: Statement, b: Statement): Difference | undefined {
  if (a.values.length !== b.values.length || a.targets !== b.targets) return undefined
  const differing = a.values.filter((value, at) => !isSame(value, b.values[at]!))
  if (differing.length === 0) {
    if (a.denied === b.denied || a.conditional || b.conditional) return undefined
    return a.words.length === b.words.length ? 'polarity' : undefined
  }
  if (differing.length > 1 || a.denied !== b.denied) return undefined
  const [value] = differing
  const other = b.values[a.values.indexOf(value!)]!
  if (value!.kind !== other.kind || Math.abs(value!.at - other.at) > 1) return undefined
  if (value!.is === 'code' || other.is === 'code' || isFiner(value!, other)) return undefined
  if (value!.kind === 'choice') {
    return value!.value.split(':')[0] === other.value.split(':')[0] ? 'choice' : undefined
  }
  return value!.kind
}

/**
 * Whether two statements differ in what may be true of one note and not of the next: the number of a
 * release or of a thing, and a date that a note begins with.
 */
export function areOfTheirNotes(a: Statement, b: Statement, differs: Difference): boolean {
  return a.values.some((value, at) => {
    const other = b.values[at] ?? value
    if (isSame(value, other)) return false
    const named = [value.is, other.is].some((each) => each === 'release' || each === 'label')
    return named || (differs === 'date' && value.at <= 1)
  })
}

/** `2026` and `April 2026`, `52` and `52.4`: one of them says the same more exactly. */
function isFiner(a: Value, b: Value): boolean {
  const [few, many] = [a.value, b.value].toSorted((one, other) => one.length - other.length)
  const parts = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const [less, more] = [parts(few!), parts(many!)]
  if (a.kind === 'date' && less.every((part) => more.includes(part))) return true
  const [one, other] = [Number(few), Number(many)]
  if (Number.isNaN(one) || Number.isNaN(other)) return `${many}`.startsWith(`${few}.`)
  const digits = Math.min(100, few!.split('.')[1]?.length ?? 0)
  return many!.includes('.') && other.toFixed(digits) === one.toFixed(digits)
}

function isSame(a: Value, b: Value): boolean {
  return a.value === b.value || (a.value !== '' && Number(a.value) === Number(b.value))
}
