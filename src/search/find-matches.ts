/** Where a text has the words of a question, in any of the languages of the base. */
import { analyseSpan } from './analysis/analyser.ts'
import type { Language } from './analysis/languages/language.ts'
import { scanSpans, Spans, unitsOf } from './analysis/scan.ts'
import type { MatchedWord } from './lexical-index.ts'
import { SpanTable } from './segment/span-table.ts'

/** The scan stops here; a passage is far shorter. */
const MAX_SCAN = 20_000

export interface Match {
  readonly start: number
  readonly end: number
  /** Index of the query word, and what it weighs. */
  readonly word: number
  readonly weight: number
}

export function findMatches(
  passage: string,
  words: readonly MatchedWord[],
  languages: readonly Language[],
): Match[] {
  if (!words.some(({ terms }) => terms.length > 0)) return []
  const tables = tablesOf(languages)
  mark(words)
  return among(readInto(passage, tables), tables, words)
}

/**
 * The same for a text that is looked through again and again: its spans are remembered as long as
 * whoever it belongs to is.
 */
export function findMatchesAgain(
  owner: object,
  passage: () => string,
  words: readonly MatchedWord[],
  languages: readonly Language[],
): Match[] {
  const { tables, places } = spansOf(owner, passage, languages)
  mark(words)
  return among(places, tables, words)
}

/** Of each span its start, its end, and what each table remembers of it. */
type Places = Int32Array

function among(
  places: Places,
  tables: readonly SpanTable[],
  words: readonly MatchedWord[],
): Match[] {
  const matches: Match[] = []
  const step = 2 + tables.length
  for (let at = 0; at < places.length; at += step) {
    let found = 0
    for (let t = 0; t < tables.length && found === 0; t++) {
      found = tables[t]!.markOf(places[at + 2 + t]!, marks)
    }
    if (found === 0) continue
    const word = found - 1
    matches.push({ start: places[at]!, end: places[at + 1]!, word, weight: words[word]!.weight })
  }
  return matches
}

/** Filled and read within one call. */
const spans = new Spans()
let room = new Int32Array(1 << 12)

/** The places of a passage, valid until the next call. */
function readInto(passage: string, tables: readonly SpanTable[]): Places {
  const units = unitsOf(passage)
  const to = Math.min(passage.length, MAX_SCAN)
  const step = 2 + tables.length
  let length = 0
  for (let from = 0; from < to;) {
    from = scanSpans(units, from, to, spans)
    const wanted = length + spans.count * step
    if (wanted > room.length) room = grown(room, wanted)
    for (let i = 0; i < spans.count; i++) {
      room[length] = spans.starts[i]!
      room[length + 1] = spans.ends[i]!
      for (let t = 0; t < tables.length; t++) {
        room[length + 2 + t] = tables[t]!.entryOf(units, spans, i)
      }
      length += step
    }
  }
  return room.subarray(0, length)
}

function grown(list: Int32Array<ArrayBuffer>, wanted: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(wanted * 2)
  larger.set(list)
  return larger
}

interface ReadSpans {
  readonly tables: readonly SpanTable[]
  readonly places: Places
}

const readSpans = new WeakMap<object, ReadSpans>()

function spansOf(owner: object, passage: () => string, languages: readonly Language[]): ReadSpans {
  const tables = tablesOf(languages)
  const known = readSpans.get(owner)
  if (known && tables.length === known.tables.length) {
    if (tables.every((table, index) => table === known.tables[index])) return known
  }
  const read = { tables, places: readInto(passage(), tables).slice() }
  readSpans.set(owner, read)
  return read
}

/** Passages repeat their words: what a span means is worked out once, up to so many terms. */
const REMEMBERED = 40_000
let termNumbers = new Map<string, number>()
let tableOf = new Map<Language, SpanTable>()

function tablesOf(languages: readonly Language[]): readonly SpanTable[] {
  if (termNumbers.size > REMEMBERED) {
    termNumbers = new Map()
    tableOf = new Map()
    unmark()
  }
  const numbers = termNumbers
  return languages.map((language) => {
    const table =
      tableOf.get(language) ?? new SpanTable((span) => analyseSpan(span, language), numbers)
    tableOf.set(language, table)
    return table
  })
}

/** By the number of a term, the place of its query word and one; a search marks its words once. */
let marks = new Int16Array(REMEMBERED * 2)
let marked: number[] = []
let markedFor: readonly MatchedWord[] | undefined

function mark(words: readonly MatchedWord[]): void {
  if (markedFor === words) return
  unmark()
  for (const [place, { terms }] of words.entries()) {
    for (const term of terms) {
      const number = numberOf(term)
      if (number >= marks.length) growMarks(number)
      if (marks[number] !== 0) continue
      marks[number] = place + 1
      marked.push(number)
    }
  }
  markedFor = words
}

function unmark(): void {
  for (const number of marked) marks[number] = 0
  marked = []
  markedFor = undefined
}

function growMarks(number: number): void {
  const grown = new Int16Array(number * 2)
  grown.set(marks)
  marks = grown
}

function numberOf(term: string): number {
  const number = termNumbers.get(term) ?? termNumbers.size
  termNumbers.set(term, number)
  return number
}
