/**
 * When does a sentence say it holds? Words of validity beside a date, as data by language: "as of
 * March 2026" dates what is said, "until May 2026" ends it, "from June 2026" begins it. Headings
 * date what stands under them. A language that is missing here loses nothing but this.
 */
import { findDates } from './find-dates.ts'
import type { FoundDate } from './find-dates.ts'
import { spanOf } from './parse-day.ts'
import type { Day } from './parse-day.ts'

/** Milliseconds since the epoch. */
export interface SaidWhen {
  /** Of which day the statement is. */
  readonly asOf?: number
  /** When it begins to hold. */
  readonly from?: number
  /** When it holds no longer. */
  readonly until?: number
}

interface ValidityWords {
  /** Each stands right before a date, but for an article. */
  readonly asOf: string
  readonly from: string
  readonly until: string
  /** Ends what was: "until" alone may as well be the very thing that is told, such as a deadline. */
  readonly was: string
}

const WORDS: readonly ValidityWords[] = [
  {
    asOf: 'as of|as at|updated(?: on)?|last updated(?: on)?|status as of|current as of',
    from: 'since|from|starting(?: on| from| in)?|effective(?: from| as of)?|beginning(?: on| in)?|valid from|with effect from',
    until:
      'until|till|through|up to|valid until|valid through|expire[sd]?(?: on)?|ended(?: on)?|ends(?: on)?',
    was: 'was|were|used to|had been|held|valid|expire[sd]?|ended|ends',
  },
  {
    asOf: 'stand|stand vom|mit stand|aktualisiert(?: am)?',
    from: 'ab|ab dem|seit|seit dem|gültig ab|beginnend(?: am)?|mit wirkung (?:vom|zum)',
    until: 'bis|bis zum|gültig bis|läuft ab am|endet(?: am)?|endete(?: am)?',
    was: 'war|waren|galt|galten|gültig|endet|endete|läuft ab',
  },
  {
    asOf: 'en date du|à la date du|état au|mis à jour le',
    from: 'depuis|depuis le|à partir du|à partir de|à compter du|dès|dès le|en vigueur le',
    until: "jusqu[’']au|jusqu[’']en|jusqu[’']à|expire le|valable jusqu[’']au",
    was: 'était|étaient|valable|expire',
  },
  {
    asOf: 'a fecha de|con fecha de|actualizado el|a día de',
    from: 'desde|desde el|a partir del?|con efecto del?|vigente desde',
    until: 'hasta|hasta el|válido hasta|vence el|termina el',
    was: 'era|eran|fue|fueron|válido|vence|termina',
  },
  {
    asOf: 'по состоянию на|на дату|обновлено',
    from: 'с|со|начиная с|действует с',
    until: 'до|по|действует до|истекает',
    was: 'был[аои]?|действ\\p{L}+|истекает',
  },
  {
    asOf: '截至|截止到?',
    from: '自从?|从|於',
    until: '直到|至|到|有效期至',
    was: '曾|原来?|以前|有效',
  },
]

/** Between the word and its date. */
const ARTICLE =
  '\\s*(?::|(?:the )?(?:end of|beginning of|about)|the|am|dem|den|vom|zum|ende|le|la|el|los|fin de)?\\s*$'

function before(kind: keyof ValidityWords): RegExp {
  const all = WORDS.map((words) => words[kind]).join('|')
  return new RegExp(`(?:(?<!\\p{L})(?:${all})|(?:${WORDS.at(-1)![kind]}))${ARTICLE}`, 'iu')
}

const AS_OF = before('asOf')
const ANY_AS_OF = new RegExp(AS_OF.source.slice(0, -ARTICLE.length), 'iu')
const FROM = before('from')
const UNTIL = before('until')
const WAS = new RegExp(
  `(?<!\\p{L})(?:${WORDS.slice(0, -1)
    .map(({ was }) => was)
    .join('|')})(?!\\p{L})|(?:${WORDS.at(-1)!.was})`,
  'iu',
)
/** `2026-03-05 onwards`, `2026年3月5日起`. */
const ONWARDS = /^\s*(?:onwards?|起|开始|以来)/iu
/** `2026年3月5日为止`. */
const ENDING = /^\s*(?:为止|止|前)/u

/** Letters before a date in which its word may stand. */
const NEAR = 32
/** A line of a megabyte is one sentence, and no sentence. */
const LONGEST = 4_000
/** Dates of a statement that are looked at. */
const MOST_DATES = 20

/** `since 2019`: a year alone is a date only behind such a word. */
const YEAR_BEHIND = new RegExp(
  `(?<!\\p{L})(${WORDS.slice(0, -1)
    .flatMap(({ asOf, from, until }) => [asOf, from, until])
    .join('|')})\\s+(?:the |end of )?(\\d{4})(?![\\p{L}\\p{N}.-])`,
  'giu',
)

export function saidWhen(text: string): SaidWhen {
  const sentence = text.length > LONGEST ? text.slice(0, LONGEST) : text
  if (!/\d{4}/.test(sentence)) return {}
  const said: { -readonly [Key in keyof SaidWhen]: SaidWhen[Key] } = {}
  for (const date of [...findDates(sentence, 0, sentence.length, MOST_DATES), ...years(sentence)]) {
    const lead = sentence.slice(Math.max(0, date.start - NEAR), date.start)
    const behind = sentence.slice(date.end, date.end + 12)
    // The first of each kind: whoever contradicts himself is not believed the second time.
    if (AS_OF.test(lead)) said.asOf ??= date.from
    else if (UNTIL.test(lead) || ENDING.test(behind)) {
      if (WAS.test(sentence.slice(0, date.start))) said.until ??= date.to
    } else if (FROM.test(lead) || ONWARDS.test(behind)) said.from ??= date.from
  }
  return said
}

/**
 * What is said, without of which day: two of one frame differ in what was said, not in when. A day
 * that is all that is said (`effective as of 1 May 2026`) stays.
 */
export function withoutAsOf(sentence: string): string {
  if (!/\d{4}/.test(sentence) || !ANY_AS_OF.test(sentence)) return sentence
  let left = sentence
  const dates = [...findDates(sentence), ...years(sentence)]
  for (const { start, end } of dates.toSorted((a, b) => b.start - a.start)) {
    const near = Math.max(0, start - NEAR)
    const lead = AS_OF.exec(sentence.slice(near, start))
    if (!lead) continue
    const [before, behind] = [left.slice(0, near + lead.index), left.slice(end)]
    if (!SET_OFF.test(before) && !/\p{Nd}/u.test(before + behind)) continue
    left = before + behind.replace(/^[\s,:，：]+/u, ' ')
  }
  return left
}

/** What stands first, or behind a mark. */
const SET_OFF = /(?:^|[(,;:，；：（])\P{L}*$/u

function years(sentence: string): readonly FoundDate[] {
  const found: FoundDate[] = []
  for (const match of sentence.matchAll(YEAR_BEHIND)) {
    const year = Number(match[2])
    const end = match.index + match[0].length
    const span = year < 1_000 ? undefined : spanOf(year, undefined)
    if (span) found.push({ ...span, start: end - 4, end })
    if (found.length === MOST_DATES) break
  }
  return found
}

/** A heading that is longer says more than when. */
const LONGEST_HEADING = 300

/** The day of the innermost heading that names one: `## 2026-03-05`, `### March 2026`, `## 2024`. */
export function dayInHeadings(headings: readonly string[]): number | undefined {
  return spanInHeadings(headings)?.from
}

export function spanInHeadings(headings: readonly string[]): Day | undefined {
  for (const heading of headings.toReversed()) {
    const text = heading.trim().slice(0, LONGEST_HEADING)
    const [date] = findDates(text, 0, LONGEST_HEADING, 1)
    if (date) return date
    const year = /^(\d{4})(?:\s?年)?$/u.exec(text)?.[1]
    const isYear = year !== undefined && Number(year) >= 1_000
    const span = isYear ? spanOf(Number(year), undefined) : undefined
    if (span) return span
  }
  return undefined
}

/** Every day, month or year that a text names; a year alone only behind a word such as "since". */
export function spansIn(text: string): readonly Day[] {
  if (!/\d{4}/.test(text)) return []
  return [...findDates(text), ...years(text.slice(0, LONGEST_TEXT))]
}

/** Words before a year are looked for in so much. */
const LONGEST_TEXT = 20_000
