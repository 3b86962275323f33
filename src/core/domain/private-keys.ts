/**
 * Where private keys stand in a text: from the line that begins one to the line that ends it. Where
 * one of the two is missing, because a note was cut or an editor wrapped it, as far as there is
 * nothing but key. A text that merely speaks of such lines holds no key.
 */

export interface Range {
  readonly start: number
  readonly end: number
}

const MARK = /-----(BEGIN|END) (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** The longest keys that are in use are a third of this, indented and quoted. */
const LONGEST = 40_000
/** So many letters in a row are no word. */
const LETTERS = 20
const LONG_RUN = new RegExp(`[A-Za-z0-9+/=]{${LETTERS}}`)

export function privateKeys(text: string): Range[] {
  const marks = Array.from(text.matchAll(MARK), ({ 0: mark, 1: side, index }) => ({
    isBegin: side === 'BEGIN',
    start: index,
    end: index + mark.length,
  }))
  const found: Range[] = []
  let after = 0
  for (let index = 0; index < marks.length; index++) {
    const { isBegin, start, end } = marks[index]!
    const next = marks[index + 1]
    if (isBegin && next && !next.isBegin && isKey(text, end, next.start)) {
      found.push({ start, end: next.end })
      index++
    } else if (isBegin) {
      const last = keyBehind(text, end, Math.min(next?.start ?? Infinity, end + LONGEST))
      if (last > end) found.push({ start, end: last })
    } else {
      const first = keyBefore(text, start, Math.max(after, start - LONGEST))
      if (first < start) found.push({ start: first, end })
    }
    after = Math.max(marks[index]!.end, found.at(-1)?.end ?? 0)
  }
  return found
}

/** Whether there is a key and no prose between the marks; a key may still stand beside one of them. */
function isKey(text: string, from: number, to: number): boolean {
  if (to - from > LONGEST) return false
  const body = text.slice(from, to)
  if (/[a-z]{2} [a-z]{2,} [a-z]{2}/i.test(body)) return false
  return LONG_RUN.test(body) || body.length >= LETTERS
}

/** What stands around a line of a key: quotes, comments, lists, diffs, and `\n` in a string. */
const AROUND = '(?:\\\\[nr]|[\\s>#*|"\'`,;+/\\\\-])'
/** Lines that say how a key is encrypted, or what made it. */
const HEADER =
  '(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset|Key-Info|Subject)[^\\S\\n]*:[^\\n]{0,200}'
const RUN = new RegExp(
  `${AROUND}{0,200}(?:(${HEADER})|([A-Za-z0-9+/=]{${LETTERS},}))(?=${AROUND}|$)`,
  'y',
)
/** The last line is as short as it happens to be, and so is a checksum behind it; both follow at once. */
const REST = new RegExp(
  `(?!\\s*\\n\\s*\\n)${AROUND}{1,40}=?[A-Za-z0-9+/]{1,${LETTERS - 1}}={0,2}(?=["'\`,;\\\\]|\\s*$|\\s*\\n)`,
  'y',
)

const SHORT_LINES = 2

/** Where the key ends that begins at `from`; `from` where there is none. */
function keyBehind(text: string, from: number, limit: number): number {
  const part = text.slice(from, Math.min(limit, text.length))
  let end = 0
  let hasKey = false
  for (RUN.lastIndex = 0; ;) {
    const run = RUN.exec(part)
    if (!run) break
    hasKey ||= run[2] !== undefined
    end = RUN.lastIndex
  }
  if (!hasKey) return from
  for (let lines = 0; lines < SHORT_LINES; lines++) {
    REST.lastIndex = end
    if (!REST.test(part)) break
    end = REST.lastIndex
  }
  return from + end
}

/** Where the key begins that ends at `to`; `to` where there is none. */
function keyBefore(text: string, to: number, limit: number): number {
  const pieces = Array.from(
    text.slice(limit, to).matchAll(/[A-Za-z0-9+/=]+|\\[nr]|[^A-Za-z0-9+/=]/g),
  )
  let start = to
  let short = 0
  for (const { 0: piece, index } of pieces.toReversed()) {
    if (!/^[A-Za-z0-9+/=]/.test(piece)) {
      if (!AROUND_ONLY.test(piece)) break
      continue
    }
    if (piece.length >= LETTERS) start = limit + index
    // The last line and its checksum may be short; before the first long one nothing is.
    else if (start < to || ++short > SHORT_LINES) break
  }
  return start
}

const AROUND_ONLY = new RegExp(`^${AROUND}$`)
