/** Small pieces of text: marked words, times, names from elsewhere. */
import { IN_CHAT } from '../chat/in-chat.ts'
import type { Range } from '../../wire/wire.ts'

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g

/** A name as it may be shown: what cannot be seen, or would turn the line around, shows as �. */
export function clean(text: string): string {
  const shown = text.replace(UNSEEN, '\uFFFD')
  return shown.length > 300 ? `${shown.slice(0, 300)}…` : shown
}

/** More than this before the words it is shown for would push them out of sight. */
const BEFORE = 60

/** A piece of text from a few words before its first mark on. */
export function fromMark(text: string, marks: readonly Range[]) {
  const first = Math.min(text.length, ...marks.map(({ start }) => start))
  if (marks.length === 0 || first <= BEFORE) return { text, marks }
  const space = text.indexOf(' ', first - BEFORE)
  const from = space < 0 || space >= first ? first - BEFORE : space + 1
  return {
    text: `… ${text.slice(from)}`,
    marks: marks.map(({ start, end }) => ({ start: start - from + 2, end: end - from + 2 })),
  }
}

export function Marked({
  text,
  marks,
}: {
  readonly text: string
  readonly marks: readonly Range[]
}) {
  const pieces = []
  let at = 0
  for (const { start, end } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start) continue
    pieces.push(text.slice(at, start).replace(UNSEEN, '\uFFFD'))
    pieces.push(<mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  pieces.push(text.slice(at).replace(UNSEEN, '\uFFFD'))
  return <>{pieces}</>
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const BOTH = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function Time({
  at,
  only,
}: {
  readonly at: number | string
  readonly only?: 'day' | 'clock'
}) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return null
  const format = only === 'day' ? DAY : only === 'clock' ? CLOCK : BOTH
  return (
    <time dateTime={date.toISOString()} title={BOTH.format(date)}>
      {format.format(date)}
    </time>
  )
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/

/** `source/a/b.md` as a person reads a path: from folder to file, whichever way their names are written. */
export function Path({ id, line }: { readonly id: string; readonly line?: number }) {
  const shown = clean(id)
  return (
    <span class="path">
      {!IN_CHAT && FROM_THE_RIGHT.test(shown)
        ? shown.split('/').map((name, at) => [at > 0 && '/', <bdi key={at}>{name}</bdi>])
        : shown}
      {line !== undefined && `:${line}`}
    </span>
  )
}

export function Problem({
  error,
}: {
  readonly error: { readonly message: string; readonly hint: string }
}) {
  return (
    <div class="problem" role="alert">
      <p>{clean(error.message)}</p>
      <p class="hint">{clean(error.hint)}</p>
    </div>
  )
}

export function Waiting({ what = 'One moment' }: { readonly what?: string }) {
  return (
    <p class="waiting" role="status">
      {what}…
    </p>
  )
}
