/**
 * What a statement is about beyond its own words: the title of its note and the headings above it.
 * Few words ("Critical: 3 days") say nothing by themselves, and are about the same thing only where
 * these are.
 */
import { contentTerms } from '../../search/analysis/content-terms.ts'
import { findDates } from './find-dates.ts'
import { areOfTheirNotes } from './statements.ts'
import type { Difference, Statement } from './statements.ts'

export interface Subject {
  /** Without a day: `Standup 2026-01-05` and `Standup 2026-02-07` are of one kind and about all sorts of things. */
  readonly title: readonly string[]
  /** The day, month or year that stands in the title. */
  readonly day: string
  /** The innermost heading, where it is not the title. */
  readonly heading: readonly string[]
  readonly all: ReadonlySet<string>
  /** Words of the headings alone. */
  readonly under: ReadonlySet<string>
  /** Whether the title denies something: small words of a title are no words of it. */
  readonly denies: boolean
}

const LONGEST = 200
const DENIES =
  /(?<!\p{L})(?:not|never|no|without|nicht|nie|kein\p{L}*|ohne|ne|jamais|sans|nunca|sin|не|без)(?!\p{L})|[不没无]/iu

export function subjectOf(title: string, headings: readonly string[]): Subject {
  const words = (text: string) => contentTerms(text.slice(0, LONGEST))
  const own = headings.filter((heading) => heading !== title)
  const [plain, day] = withoutDay(title.slice(0, LONGEST))
  const [titled, under] = [words(plain), own.map(words)]
  return {
    title: titled,
    day,
    heading: under.at(-1) ?? [],
    all: new Set([titled, ...under].flat()),
    under: new Set(under.flat()),
    denies: DENIES.test(title.slice(0, LONGEST)),
  }
}

/** As names of daily, weekly and monthly notes have it, or as people write it. */
const DAY = /(?<!\d)\d{4}(?:[-_.]?\d{2}){1,2}(?!\d)|(?<!\d)\d{4}-?W\d{2}(?!\d)|^\d{4}$/giu

function withoutDay(title: string): readonly [string, string] {
  const days: string[] = []
  let plain = title
  for (const { start, end } of findDates(title).toReversed()) {
    days.push(plain.slice(start, end))
    plain = `${plain.slice(0, start)} ${plain.slice(end)}`
  }
  return [plain.replaceAll(DAY, (day) => (days.push(day), ' ')), days.toSorted().join(' ')]
}

/** Words of a frame that say by themselves what it is about. */
const SAYS_ENOUGH = 4
/** The same of one that leans on what stands around it. */
const SAYS_ALL = 9
/** Denials are found among all sentences, not only among those with a value, and need more. */
const DENIES_ENOUGH = 5

interface Placed {
  readonly statement: Statement
  readonly subject: Subject
}

/** Whether two statements of one frame are about one thing. */
export function areAboutSame(a: Placed, b: Placed, differs: Difference): boolean {
  if (areSiblings(a.subject, b.subject)) return false
  const oneTitle = isOneTitle(a.subject, b.subject)
  if (differs === 'polarity') {
    if (a.subject.denies !== b.subject.denies) return false
    if (a.subject.day === b.subject.day && !oneTitle && areTitlesAlike(a.subject, b.subject)) {
      return false
    }
  }
  if (areOfTheirNotes(a.statement, b.statement, differs)) {
    if (!oneTitle) return false
  }
  const others = new Set(b.statement.words)
  const words = new Set(a.statement.words.filter((word) => others.has(word))).size
  if (differs === 'polarity' && words < DENIES_ENOUGH) return false
  const leans = a.statement.leans || b.statement.leans
  return words >= (leans ? SAYS_ALL : SAYS_ENOUGH) || isSameSubject(a.subject, b.subject)
}

/** `Parental leave` and `Sick leave` are of one kind and two things; a word more names no other one. */
export function areSiblings(a: Subject, b: Subject): boolean {
  return compareWords(a.title, b.title) === 'overlap'
}

/** Whether two titles are of one thing, as `Deployment` and `Deployment policy` are. */
function areTitlesAlike(a: Subject, b: Subject): boolean {
  return compareWords(a.title, b.title) === 'alike'
}

/** Whether two titles are the same but for small words. */
export function isOneTitle(a: Subject, b: Subject): boolean {
  if (a.day !== b.day) return false
  const [one, other] = [new Set(a.title), new Set(b.title)]
  return one.size === other.size && [...one].every((word) => other.has(word))
}

/** Whether what stands under the headings of the one is about what the other is about. */
function isSameSubject(a: Subject, b: Subject): boolean {
  const titled = isOneTitle(a, b) || hasAll(a.under, b.title) || hasAll(b.under, a.title)
  if (!titled) return false
  if (a.heading.length === 0 || b.heading.length === 0) return true
  const headed = compareWords(a.heading, b.heading) === 'alike'
  return headed || hasAll(a.all, b.heading) || hasAll(b.all, a.heading)
}

/** Alike: one has all of the other. */
function compareWords(a: readonly string[], b: readonly string[]): 'alike' | 'overlap' | 'apart' {
  const [one, other] = [new Set(a), new Set(b)]
  const shared = [...one].filter((word) => other.has(word)).length
  if (shared === 0) return 'apart'
  return shared === Math.min(one.size, other.size) ? 'alike' : 'overlap'
}

function hasAll(all: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => all.has(word))
}
