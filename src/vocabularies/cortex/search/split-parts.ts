/**
 * Where does a folded text fall apart into words? Between letters and everything else, and around
 * every character of a script that is written without spaces. Whether there is a border between
 * two characters depends on these two alone, so that a text which contains another one also
 * contains its words; only the outermost may go on beyond what was asked for.
 */

/** What a part of a query may be of a word: all of it, its beginning, its end or any piece. */
export type Place = 'whole' | 'start' | 'end' | 'anywhere'

export interface Part {
  readonly word: string
  readonly place: Place
}

/** Calls back with where every word is. A loop: it sees every character of the graph. */
export function eachWord(folded: string, found: (start: number, end: number) => void): void {
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    const isHalf = code >= 0xd800 && code < 0xdc00
    const kind = kindOf(isHalf ? folded.codePointAt(at)! : code)
    if (kind === LETTER) {
      if (start < 0) start = at
      if (isHalf) at++
      continue
    }
    if (start >= 0) found(start, at)
    start = -1
    if (kind !== ALONE) continue
    const from = at
    if (isHalf) at++
    found(from, at + 1)
  }
  if (start >= 0) found(start, folded.length)
}

/** The words of a query, and what each has to be of a word in a text that contains the query. */
export function splitParts(folded: string): Part[] {
  const parts: Part[] = []
  eachWord(folded, (start, end) => {
    const word = folded.slice(start, end)
    const open = kindOf(word.codePointAt(0)!) === LETTER
    const before = open && start === 0
    const after = open && end === folded.length
    const place = before ? (after ? 'anywhere' : 'end') : after ? 'start' : 'whole'
    parts.push({ word, place })
  })
  return parts
}

/** Characters in a row that are words of their own: they mean something together. */
export function unspacedRuns(folded: string): readonly string[] {
  return folded.match(UNSPACED_RUN) ?? []
}

const OTHER = 1
const LETTER = 2
/** A word of its own. */
const ALONE = 3

const SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}`
const WITHOUT_SPACES = new RegExp(`[${SCRIPTS}]`, 'u')
const UNSPACED_RUN = new RegExp(`[${SCRIPTS}]{2,}`, 'gu')
const WORD = /[\p{L}\p{M}\p{N}]/u

/** Few characters are in use, and asking about one costs a thousand times the look-up. */
const known = new Uint8Array(0x110000)

function kindOf(code: number): number {
  const kind = known[code]!
  return kind === 0 ? (known[code] = askKind(code)) : kind
}

function askKind(code: number): number {
  const character = String.fromCodePoint(code)
  if (!WORD.test(character)) return OTHER
  return WITHOUT_SPACES.test(character) ? ALONE : LETTER
}
