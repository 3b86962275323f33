/**
 * Near-duplicate detection by hashed frames: sentences of two notes that say the same of the same
 * thing and differ in one value. Found in one pass that keeps a number for each sentence, and judged
 * in a second one that reads the few notes that share a frame.
 * docs/decisions/0095-two-notes-differ.md has the rules and what they find.
 */
import { documentId, headingsAt } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { onePer } from '../../kit/one-per.ts'
import { Slices, sortNumbersInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { bodyStartOf } from '../../parsing/prose.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { chunksOf, readDocuments } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import {
  differenceOf,
  isSameFrame,
  keyWithout,
  LEAST_WITH_MORE,
  parseStatement,
} from '../reading/statements.ts'
import type { Difference, Statement } from '../reading/statements.ts'
import { areAboutSame, isOneTitle, subjectOf } from '../reading/subjects.ts'
import type { Subject } from '../reading/subjects.ts'
import { compareWhen, isOver, momentAt, whenOfStatement } from '../reading/when-of.ts'
import type { Moment, When } from '../reading/when-of.ts'
import { derived } from '../view/derived.ts'
import type { View } from '../view/view.ts'
import type { PageOptions } from './report-insights.ts'

export interface Contradiction {
  readonly differs: Difference
  /** The one that was said earlier first, where somebody can tell. */
  readonly sides: readonly [ContradictionSide, ContradictionSide]
  /** The id of the side that was said later. */
  readonly newer: string | undefined
  /** What a person may do about it, each as `write` takes it. */
  readonly edits: ContradictionEdits
}

export interface ContradictionEdits {
  readonly bothTrue: object | undefined
  /** Of the earlier side; of each where nobody can tell. */
  readonly old: readonly object[]
  readonly merge: readonly object[]
}

export interface ContradictionSide {
  readonly record: DocumentRecord
  readonly line: number
  /** As it stands in the file; how often it does. */
  readonly quote: string
  readonly times: number
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
}

export interface Contradictions {
  readonly items: readonly Contradiction[]
  readonly total: number
  /** Documents that were read, and all there are. */
  readonly read: number
  readonly documents: number
  readonly nextCursor: string | undefined
}

const DEFAULT_LIMIT = 10

/** Those with most words first: they are the surest. What was mended or ticked off is left out. */
export async function reportContradictions(
  kb: View,
  { limit = DEFAULT_LIMIT, cursor }: PageOptions = {},
): Promise<Contradictions> {
  const offset = parseCursor('contradictions', cursor)
  const { pairs, read, documents } = await pairsNow(kb)
  const page = pairs.slice(offset, offset + limit)
  const docs = [...new Set(page.flatMap(({ sides }) => sides.map(({ doc }) => doc)))]
  const lives = new Map((await readDocuments(kb, docs)).map((live) => [live.record.no, live]))
  const items = page.flatMap(({ differs, sides, isOrdered }): Contradiction[] => {
    const [a, b] = sides.map((side) => sideNow(side, lives.get(side.doc)))
    if (!a || !b) return []
    const newer = isOrdered ? documentId(b.record) : undefined
    return [{ differs, sides: [a, b], newer, edits: editsOf(kb, [a, b], isOrdered) }]
  })
  const end = offset + page.length
  const nextCursor = end < pairs.length ? makeCursor('contradictions', end) : undefined
  return { items, total: pairs.length, read, documents, nextCursor }
}

/** Undefined where its note has gone or says something else by now. */
function sideNow(
  { start, end, quote, at }: Side,
  live: LiveDocument | undefined,
): ContradictionSide | undefined {
  if (!live) return undefined
  const { text, record } = live
  const place = text.slice(start, end) === quote ? start : text.indexOf(quote)
  if (place < 0) return undefined
  const line = text.slice(0, place).split('\n').length
  return { record, line, quote, times: text.split(quote).length - 1, at }
}

function editsOf(
  kb: View,
  [a, b]: readonly [ContradictionSide, ContradictionSide],
  isOrdered: boolean,
): ContradictionEdits {
  const mended = isOrdered
    ? [[a, b] as const]
    : ([
        [a, b],
        [b, a],
      ] as const)
  return {
    bothTrue: marking(kb, a, DIFFERS_FROM, b),
    old: mended.flatMap(([one, other]) => marking(kb, one, 'superseded_by', other) ?? []),
    merge: mended.flatMap(([one, other]) => {
      const { record, quote, times } = one
      if (kb.sources.get(record.source)?.converts?.(record.path)) return []
      const count = times > 1 ? { count: times } : {}
      const id = documentId(record)
      return [{ action: 'find_replace', id, find: quote, replace: other.quote, ...count }]
    }),
  }
}

/** A link to the other in the front matter, behind those that stand there. */
function marking(
  kb: View,
  { record }: ContradictionSide,
  key: string,
  { record: other }: ContradictionSide,
): object | undefined {
  if (!kb.formatOf(record.path).edits.metadata) return undefined
  const link = `[[${other.path.replace(/\.md$/i, '')}]]`
  const there = key === DIFFERS_FROM ? [record.properties[key] ?? []].flat() : []
  const metadata = { [key]: there.length > 0 ? [...there, link] : link }
  return { action: 'set_metadata', id: documentId(record), metadata }
}

interface Pair {
  readonly differs: Difference
  readonly sides: readonly [Side, Side]
  readonly isOrdered: boolean
}

interface Side {
  readonly doc: DocNo
  readonly start: number
  readonly end: number
  readonly quote: string
  readonly at: number | undefined
}

interface Pairs {
  readonly pairs: readonly Pair[]
  readonly read: number
  readonly documents: number
  /** When the first note that was read is over, and what it says counts no longer. */
  readonly turnsAt: number
  /** Somebody has seen that, and looks again for all who ask. */
  isOutdated: boolean
}

/** A report looks at so many documents and sentences, and names so many pairs. */
const MOST_DOCUMENTS = 50_000
const MOST_FRAMES = 4_000_000
const MOST_PAIRS = 1_000
const AT_ONCE = 100
/** Texts that are longer are lists and dumps. */
const MOST_LETTERS = 200_000

const pairsOf = onePer((kb: View) =>
  derived<Pairs>(kb.base.store, { on: ['generation'], load: () => findPairs(kb) }),
)

/** What has been found holds until something changes, or until a day comes that ends a note. */
async function pairsNow(kb: View): Promise<Pairs> {
  const kept = pairsOf(kb)
  const found = await kept.now()
  if (Date.now() < found.turnsAt) return found
  if (!found.isOutdated) kept.outdate()
  found.isOutdated = true
  try {
    return await kept.now()
  } catch (error) {
    found.isOutdated = false
    throw error
  }
}

async function findPairs(kb: View): Promise<Pairs> {
  const order = await kb.store.pathOrder()
  const frames = new Frames()
  let read = 0
  const slices = new Slices()
  const moment = momentAt(Date.now())
  for (let at = 0; at < Math.min(order.length, MOST_DOCUMENTS); at += AT_ONCE) {
    if (frames.isFull) break
    const docs = [...order.subarray(at, Math.min(at + AT_ONCE, MOST_DOCUMENTS))]
    for (const { record, text } of await readDocuments(kb, docs)) {
      if (slices.over) await slices.pause()
      read++
      if (mayDiffer(record, text, moment)) addFrames(frames, record.no, text)
    }
  }
  const groups = await stepsInSlices(frames.sharing())
  const statements = await readStatements(kb, groups)
  const pairs: Pair[] = []
  const known = new Set<string>()
  for (const group of groups) {
    if (slices.over) await slices.pause()
    for (const pair of await judged(kb, group, statements, frames)) {
      const name = pair.sides.map(({ doc, start }) => `${doc}:${start}`).join()
      if (!known.has(name)) pairs.push(pair)
      known.add(name)
    }
    if (pairs.length >= MOST_PAIRS) break
  }
  const { turnsAt } = moment
  return { pairs, read, documents: order.length, turnsAt, isOutdated: false }
}

function mayDiffer(record: DocumentRecord, text: string, moment: Moment): boolean {
  if (isEntityPath(record.path) || record.type === 'code') return false
  return text.length <= MOST_LETTERS && !isOver(record, moment)
}

const HAS_VALUE = 1
const IS_LESS = 2
const IS_LONG = 4
/** Equal frames of so many words are no chance. */
const LONG = 4

function addFrames(frames: Frames, doc: DocNo, text: string): void {
  for (const { start, end, kind } of splitSentences(text, bodyStartOf(text))) {
    if (kind !== 'prose' && kind !== 'item') continue
    const statement = parseStatement(text.slice(start, end))
    if (!statement) continue
    const { words, values, denied, key } = statement
    const hasValue = values.length > 0 || denied ? HAS_VALUE : 0
    const isLong = words.length >= LONG ? IS_LONG : 0
    frames.add(key, { doc, start, end }, hasValue | isLong)
    if (values.length === 0 || words.length < LEAST_WITH_MORE || words.length > 16) continue
    for (const word of new Set(words)) {
      frames.add(keyWithout(statement, word), { doc, start, end }, HAS_VALUE | IS_LESS)
    }
  }
}

interface Place {
  readonly doc: DocNo
  readonly start: number
  readonly end: number
}

/** Places of one frame. */
type Group = readonly Place[]

/** Of one frame so many sentences are looked at; a frame of more is a template. */
const MOST_ALIKE = 12
/** Of millions, so many between two stops. */
const FRAMES_AT_ONCE = 2_000

/** Columns of numbers, a row for each frame; they are let go when those that are shared are known. */
class Frames {
  #keys = new Float64Array(1_024)
  #places = new Uint32Array(4 * 1_024)
  #count = 0
  /** How many long frames two documents share. */
  readonly #together = new Map<number, number>()

  get isFull(): boolean {
    return this.#count >= MOST_FRAMES
  }

  add(key: number, { doc, start, end }: Place, flags: number): void {
    if (this.#count === this.#keys.length) this.#grow()
    this.#keys[this.#count] = key
    this.#places.set([doc, start, end, flags], 4 * this.#count++)
  }

  #grow(): void {
    const [keys, places] = [this.#keys, this.#places]
    this.#keys = new Float64Array(2 * keys.length)
    this.#keys.set(keys)
    this.#places = new Uint32Array(2 * places.length)
    this.#places.set(places)
  }

  /** Frames that several documents have, one of them with a value or a denial. */
  *sharing(): Steps<readonly Group[]> {
    const sorted = yield* sortNumbersInSteps(this.#keys.subarray(0, this.#count))
    const twice = new Map<number, number[]>()
    for (let at = 1; at < sorted.length; at++) {
      if (sorted[at] === sorted[at - 1]) twice.set(sorted[at]!, [])
      if (at % FRAMES_AT_ONCE === 0) yield
    }
    for (let row = 0; row < this.#count; row++) {
      const rows = twice.get(this.#keys[row]!)
      if (rows && rows.length <= MOST_ALIKE) rows.push(row)
      if (row % FRAMES_AT_ONCE === 0) yield
    }
    const groups: Group[] = []
    let looked = 0
    for (const rows of twice.values()) {
      if (++looked % FRAMES_AT_ONCE === 0) yield
      const flags = rows.map((row) => this.#places[4 * row + 3]!)
      const docs = new Set(rows.map((row) => this.#places[4 * row]!))
      if (docs.size < 2) continue
      const whole = rows.filter((_, at) => (flags[at]! & IS_LESS) === 0)
      if (flags.some((each) => (each & IS_LONG) !== 0)) this.#countTogether(whole)
      if (whole.length === 0 || rows.length > MOST_ALIKE) continue
      if (!flags.some((each) => (each & HAS_VALUE) !== 0)) continue
      groups.push(rows.map((row) => this.#placeAt(row)))
    }
    this.#keys = new Float64Array(0)
    this.#places = new Uint32Array(0)
    this.#count = 0
    return groups
  }

  #placeAt(row: number): Place {
    const [doc, start, end] = this.#places.subarray(4 * row, 4 * row + 3)
    return { doc: doc!, start: start!, end: end! }
  }

  #countTogether(rows: readonly number[]): void {
    const docs = [...new Set(rows.map((row) => this.#places[4 * row]!))].toSorted((a, b) => a - b)
    for (const [at, one] of docs.entries()) {
      for (const other of docs.slice(at + 1)) {
        const pair = pairOf(one, other)
        this.#together.set(pair, (this.#together.get(pair) ?? 0) + 1)
      }
    }
  }

  together(a: DocNo, b: DocNo): number {
    return this.#together.get(pairOf(a, b)) ?? 0
  }
}

function pairOf(a: DocNo, b: DocNo): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b)
}

/** A sentence that shares its frame, read again with what stands around it. */
interface Known extends Place {
  readonly record: DocumentRecord
  readonly quote: string
  readonly statement: Statement
  readonly subject: Subject
  readonly when: When | undefined
}

/** So many notes are read a second time. */
const MOST_READ_AGAIN = 10_000

async function readStatements(
  kb: View,
  groups: readonly Group[],
): Promise<ReadonlyMap<string, Known>> {
  const places = new Map<DocNo, Map<number, Place>>()
  for (const place of groups.flat()) {
    const known = places.get(place.doc) ?? new Map<number, Place>()
    if (places.size < MOST_READ_AGAIN) places.set(place.doc, known)
    known.set(place.start, place)
  }
  const statements = new Map<string, Known>()
  const docs = [...places.keys()]
  const slices = new Slices()
  for (let at = 0; at < docs.length; at += AT_ONCE) {
    const lives = await readDocuments(kb, docs.slice(at, at + AT_ONCE))
    const chunks = await chunksOf(kb, lives)
    for (const live of lives) {
      if (slices.over) await slices.pause()
      const { record, text } = live
      for (const place of places.get(record.no)?.values() ?? []) {
        const quote = text.slice(place.start, place.end)
        const statement = parseStatement(quote)
        if (!statement) continue
        const chunk = chunks.get(live)?.findLast(({ start }) => start <= place.start)
        const headings = chunk ? headingsAt(chunk, place.start) : []
        const subject = subjectOf(record.title, headings)
        const { when } = whenOfStatement(record, quote, headings)
        statements.set(nameOf(place), { ...place, record, quote, statement, subject, when })
      }
    }
  }
  return statements
}

function nameOf({ doc, start }: Place): string {
  return `${doc}:${start}`
}

/** Notes that share more than this frame are made from one another: they are compared under one title. */
const MADE_ALIKE = 1
/** What more notes say differently is different in each. */
const MOST_VALUES = 3

async function judged(
  kb: View,
  places: Group,
  statements: ReadonlyMap<string, Known>,
  frames: Frames,
): Promise<readonly Pair[]> {
  const all = places.flatMap((place) => statements.get(nameOf(place)) ?? [])
  const alone = onePerDocument(all)
  if (new Set(alone.map(valuesOf)).size > MOST_VALUES) return []
  const pairs: Pair[] = []
  const told = new Set<string>()
  for (const [at, a] of alone.entries()) {
    for (const b of alone.slice(at + 1)) {
      // Two notes are enough to tell that two values are said.
      const values = [valuesOf(a), valuesOf(b)].toSorted().join(' / ')
      if (told.has(values)) continue
      const differs = isSameFrame(a.statement, b.statement)
        ? differenceOf(a.statement, b.statement)
        : undefined
      if (!differs || !aboutSame(a, b, differs, frames)) continue
      if (await areBothTrue(kb, a.record, b.record)) continue
      told.add(values)
      pairs.push(inOrder(differs, a, b))
    }
  }
  return pairs
}

/** A document that says it in several ways lists something; equal sentences count once. */
function onePerDocument(all: readonly Known[]): readonly Known[] {
  const byDocument = Map.groupBy(all, ({ doc }) => doc)
  return [...byDocument.values()].flatMap((some) =>
    new Set(some.map(valuesOf)).size === 1 ? some.slice(0, 1) : [],
  )
}

function valuesOf({ statement: { values, denied } }: Known): string {
  return `${denied} ${values.map(({ value }) => value).join('|')}`
}

function aboutSame(a: Known, b: Known, differs: Difference, frames: Frames): boolean {
  if ((saysItsName(a) && saysItsName(b)) || !areAboutSame(a, b, differs)) return false
  return frames.together(a.doc, b.doc) <= MADE_ALIKE || isOneTitle(a.subject, b.subject)
}

/** What is said of 5.1 in the note `Release 5.1` is said of nothing else. */
function saysItsName({ record: { title, path }, statement: { values } }: Known): boolean {
  const name = `${title} ${path}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return values.some(({ value }) => name.includes(value.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')))
}

/** Somebody has said so: `differs_from: "[[other]]"` in the front matter of either. */
async function areBothTrue(kb: View, a: DocumentRecord, b: DocumentRecord): Promise<boolean> {
  const says = async (from: DocumentRecord, to: DocumentRecord): Promise<boolean> =>
    DIFFERS_FROM in from.properties &&
    (await kb.store.linksFrom(from.no)).some(
      (link) => link.kind === 'relation' && link.label === DIFFERS_FROM && link.to === to.no,
    )
  return (await says(a, b)) || (await says(b, a))
}

/** The key that ticks a pair of notes off: what they say differently is true of both. */
export const DIFFERS_FROM = 'differs_from'

function inOrder(differs: Difference, a: Known, b: Known): Pair {
  const order = a.when && b.when ? compareWhen(a.when, b.when) : 0
  const sides = order > 0 ? ([b, a] as const) : ([a, b] as const)
  const [first, second] = sides.map(({ doc, start, end, quote, when }): Side => ({
    doc,
    start,
    end,
    quote,
    at: when?.at,
  }))
  return { differs, sides: [first!, second!], isOrdered: order !== 0 }
}
