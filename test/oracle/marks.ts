/**
 * What differs from run to run by nature is replaced by marks, and nothing else: moments since the
 * run began, ids drawn by chance, folders, addresses. A moment of a fixture stays as it is.
 */
export interface MarkOptions {
  /** When the run began, in milliseconds; what is dated later is a mark. */
  readonly since: number
  /** Text → what it is called, such as the folder of this run. */
  readonly known?: ReadonlyMap<string, string>
}

export interface Marks {
  /** Adds a text that is known by now, such as an address or a token. */
  know(text: string, name: string): void
  /** Numbers under a key of `varying` are marks too. */
  apply(text: string, varying?: readonly string[]): string
}

const INSTANT = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g
const COMPACT_INSTANT = /(?<![0-9a-z])\d{8}[T-]?\d{6}(?:\d{3})?Z?\b/g
const DAY = /\b\d{4}-\d\d-\d\d\b/g
const MONTH_FILE = /\b\d{4}-\d\d(?=\.jsonl)/g
/** Since 2001 in milliseconds or seconds, with or without a fraction. */
const EPOCH = /\b1\d{9}(?:\d{3})?(?:\.\d+)?\b/g
/** How long something took, by the name it goes under. */
const DURATION =
  /(\\?"(?:ms|freshness_days|\w*(?:_ms|Ms|_seconds|Seconds|duration)\w*)\\?":\s*)\d+(?:\.\d+)?(?:e-?\d+)?/g
/** Of a change in the history: when, and a number drawn by chance. */
const OPERATION = /\b\d{8}T\d{6}-[0-9a-f]{8}\b/g
/** Of an undo that was tried: a digest of such ids. */
const PLAN = /\b(plan(?:=|\\?":\s*\\?"))([0-9a-f]{16})\b/g
/** Of a run or a search of duskmantle. Ids of pages are the same in every run, and stay. */
const RUN = /\b((?:run|request)_?[iI]d\\?":\s*\\?")([0-9a-f-]{32,36})\b/g

export function openMarks({ since, known = new Map() }: MarkOptions): Marks {
  const texts = new Map(known)
  const ids = new Map<string, string>()
  const day = new Date(since).toISOString().slice(0, 10)
  // Ids are numbered by what they are, so that one can see which of them are the same. Moments are
  // not: two within the same millisecond would be one in the next run.
  const numbered = (id: string): string => {
    const mark = ids.get(id) ?? `<id ${ids.size + 1}>`
    ids.set(id, mark)
    return mark
  }
  const isNew = (time: number): boolean => time >= since
  return {
    know: (text, name) => void texts.set(text, name),
    apply(text, varying = []) {
      let marked = text
      for (const key of varying) marked = marked.replace(numberUnder(key), '$1<number>')
      for (const [known, name] of texts) marked = marked.replaceAll(known, name)
      return marked
        .replace(OPERATION, (all) => (isNew(compactTime(all)) ? numbered(all) : all))
        .replace(PLAN, (_, name: string, plan: string) => name + numbered(plan))
        .replace(RUN, (_, name: string, run: string) => name + numbered(run))
        .replace(DURATION, '$1<duration>')
        .replace(INSTANT, (all) => (isNew(timeOf(all)) ? '<time>' : all))
        .replace(COMPACT_INSTANT, (all) => (isNew(compactTime(all)) ? '<time>' : all))
        .replace(DAY, (all) => (all >= day && isDay(all) ? '<day>' : all))
        .replace(MONTH_FILE, (all) => (all >= day.slice(0, 7) ? '<month>' : all))
        .replace(EPOCH, (all) => (isRecent(Number(all), since) ? '<time>' : all))
    },
  }
}

function numberUnder(key: string): RegExp {
  return new RegExp(String.raw`(\\?"${key}\\?":\s*)\d+`, 'g')
}

/** Without a zone it is UTC, which the program runs in; what has no fraction is rounded down. */
function timeOf(text: string): number {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`
  const time = Date.parse(zoned.replace(',', '.').replace(' ', 'T'))
  return /[.,]\d/.test(text) ? time : time + (/:\d\d:\d\d/.test(text) ? 999 : 59_999)
}

function compactTime(text: string): number {
  const [y, mo, d, h, mi, s] = [0, 4, 6, 8, 10, 12].map((from, at) =>
    text.replace(/\D/g, '').slice(from, from + (at === 0 ? 4 : 2)),
  )
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.999Z`)
}

const DAY_MS = 86_400_000

/** A day of this run: fixtures may speak of later years. */
function isDay(text: string): boolean {
  return Date.parse(text) < Date.now() + DAY_MS
}

function isRecent(number: number, since: number): boolean {
  const time = number < 1e11 ? number * 1_000 + 999 : number + 1
  return time >= since && time < since + DAY_MS
}
