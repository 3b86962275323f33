/**
 * One order out of three kinds of evidence: the words of the question, its meaning, and links. What
 * bears the whole question as a name comes before everything else. The weights are few and were chosen together on all test sets; docs/decisions/0012 has the figures.
 */
import type { DocNo } from '../domain/document.ts'
import { strength } from './find-named.ts'
import { NAME_KINDS } from './names.ts'
import type { Mention, NameKind } from './names.ts'
import type { CompareDocs } from './ranking/score-sums.ts'

export interface Evidence {
  /** Documents the words found, best first, with their scores and the share of the words they have. */
  readonly words: readonly {
    readonly doc: DocNo
    readonly score: number
    readonly coverage: number
    readonly together: number
    readonly chunk: number | undefined
  }[]
  /** How many words the question has, stop words left out. */
  readonly wordCount: number
  /** Cosine of question and best passage, for documents the words or the meaning found. */
  readonly meaning: readonly {
    readonly doc: DocNo
    readonly chunk: number
    readonly similarity: number
  }[]
  /** What cosines are multiplied by, so that those of different embedders can be compared. */
  readonly scale?: number
  /** Which part of the question the embedder knows the words of, from 0 to 1. */
  readonly understood: number
  /** How far the embedder rests on general meanings instead of the base's own text, from 0 to 1. */
  readonly general?: number
  /** How similar texts are that have nothing to do with each other: what similarity is measured from. */
  readonly baseline?: number
  /** Documents that define what the question names, and how well, from 0 to 1. */
  readonly defines?: ReadonlyMap<DocNo, number>
  /** Documents that bear the question as a name. */
  readonly named?: ReadonlyMap<DocNo, NameKind>
  /** Documents whose name the question mentions. */
  readonly mentioned?: ReadonlyMap<DocNo, Mention>
  /** What a document is linked with; undefined leaves links out of account. */
  readonly linked: ((doc: DocNo) => readonly LinkedDoc[]) | undefined
}

export interface LinkedDoc {
  readonly doc: DocNo
  /** Whether the link leads there; otherwise it comes from there. */
  readonly forward: boolean
  /** Whether a program says so, by bringing in the other file: no person recommends anything. */
  readonly imported?: boolean
  /** Whether nobody linked them, and one says the name of the other. */
  readonly mentioned?: boolean
}

/** What a place in the order is made of. The parts add up to `total`. */
export interface Signals {
  /** Score of the words, as a share of the best one's. */
  readonly words: number
  readonly meaning: number
  readonly links: number
  /** What it takes to be first by name; 0 without the name. */
  readonly name: number
  readonly total: number
  /** Share of the question's words, by weight, that the document has. */
  readonly coverage: number
  /** Share of them that stands in one passage, under the document's title, tags and path. */
  readonly together: number
  readonly similarity: number | undefined
  /** What votes on questions like this one added or took; missing where nobody voted. */
  readonly feedback?: number
  /** What saying it later or earlier than others added or took; missing where the order stayed. */
  readonly later?: number
}

export interface CombinedHit extends Signals {
  readonly doc: DocNo
  readonly chunk: number | undefined
}

/** What meaning counts against words, at the most. */
const MEANING_WEIGHT = 0.5
/** One word names a thing, and words know names best; eight describe one, and meaning helps. */
const NAMING_WORDS = 1
const DESCRIBING_WORDS = 8
/** How fast words lose against general meanings where even the best match lacks some. */
const DOUBT = 1.5
/** Less changes no order worth the scan of every vector. */
const LEAST_WEIGHT = 0.02

/** A definition comes before everything that uses the name, however well linked that is. */
const DEFINES = 2

/**
 * What the name of a document counts where a question mentions it: by the root of its share of the
 * question, and the more, the less of the question even the best match has in one place.
 */
const MENTIONED = 0.6
/** And where its words are so common here that they tell nothing one by one; somewhat common is nothing. */
const COMMON_NAME = 1

/** What links count, in the first round from the words' and meaning's hits, and in the second. */
const LINK_WEIGHTS = [0.3, 0.2] as const
/**
 * What links are worth where source files are among the best. Imports say that a file is used, not
 * that it answers; and in full, the links between pages would decide between pages and code.
 */
const AMONG_SOURCES = 0.25
/** By how much a name is before the best that is no such name. */
const NAME_STEP = 0.01
const NOBODY: ReadonlyMap<DocNo, NameKind> = new Map()
/** Links are followed from so many of the best. */
const LINK_SEEDS = 10
/** Up to so many are picked out one by one. */
const FEW = 20
/** Whom a document only mentions comes up to it, and not past it: its author has linked nobody. */
const MENTION_LIFT = 0.95
/** A link from a good document recommends; a link to one is a weaker sign. */
const BACKWARD = 0.5

/** The best `limit` documents, best first. */
export function combine(evidence: Evidence, compare: CompareDocs, limit = Infinity): CombinedHit[] {
  hits.count = 0
  const order: Order = (a, b) => {
    const one = hits.total(a)
    const other = hits.total(b)
    return one === other ? compare(hits.docs[a]!, hits.docs[b]!) : one > other ? -1 : 1
  }
  const best = evidence.words[0]?.score ?? 0
  const trust = wordsTrust(evidence)
  for (const { doc, score, coverage, together, chunk } of evidence.words) {
    const slot = hits.slot(doc)
    hits.words[slot] = best > 0 ? (trust * score) / best : 0
    hits.coverage[slot] = coverage
    hits.together[slot] = together
    hits.chunks[slot] = chunk ?? NONE
  }
  addMeaning(evidence)
  addMentions(evidence)
  if (evidence.linked) addLinks(evidence.linked, order)
  for (const [doc, fit] of evidence.defines ?? []) {
    // Only what words have found: a filter may have left the definition out.
    if (hits.has(doc)) hits.words[hits.slot(doc)]! += fit * DEFINES
  }
  const named = evidence.named ?? NOBODY
  // Links say which of two matching documents is better; they are no match by themselves.
  const matches = (slot: number): boolean =>
    hits.words[slot]! + hits.meaning[slot]! !== 0 || named.has(hits.docs[slot]!)
  if (named.size > 0) raiseNamed(named, order, matches)
  return firstOf(limit, order, matches).map((slot) => hits.hit(slot))
}

/**
 * How much meaning counts for a question of so many words, of which the best document has this
 * share. At 0 nobody needs to ask for it.
 */
export function meaningWeight(wordCount: number, coverage: number): number {
  const length = Math.max(0, wordCount - NAMING_WORDS) / (DESCRIBING_WORDS - NAMING_WORDS)
  // Words that the best document lacks are words that words alone cannot answer.
  const weight = MEANING_WEIGHT * Math.min(1, Math.max(length ** 2, 1 - coverage))
  return weight < LEAST_WEIGHT ? 0 : weight
}

/** The order of two slots. */
type Order = (a: number, b: number) => number

/** No passage. */
const NONE = -1

/**
 * What is known of each document, in columns that are filled and read within one call: hundreds are
 * weighed for the few that are shown. A sparse set says which slot is whose.
 */
class Hits {
  count = 0
  docs = new Uint32Array(1_024)
  chunks = new Int32Array(1_024)
  words = new Float64Array(1_024)
  meaning = new Float64Array(1_024)
  links = new Float64Array(1_024)
  name = new Float64Array(1_024)
  coverage = new Float64Array(1_024)
  together = new Float64Array(1_024)
  /** `NaN` where nobody has compared it. */
  similarity = new Float64Array(1_024)
  /** What one round adds, by links and by mentions, and how far those may lift. */
  gains = new Float64Array(1_024)
  said = new Float64Array(1_024)
  heights = new Float64Array(1_024)
  #slots = new Uint32Array(1_024)

  has(doc: DocNo): boolean {
    const slot = this.#slots[doc] ?? this.count
    return slot < this.count && this.docs[slot] === doc
  }

  /** Where a document has its place; one that has none gets it, and the columns may become others. */
  slot(doc: DocNo): number {
    if (this.has(doc)) return this.#slots[doc]!
    if (doc >= this.#slots.length) this.#slots = grown(this.#slots, doc)
    const slot = this.count++
    if (slot === this.docs.length) this.#grow()
    this.#slots[doc] = slot
    this.docs[slot] = doc
    this.chunks[slot] = NONE
    this.words[slot] = this.meaning[slot] = this.links[slot] = this.name[slot] = 0
    this.coverage[slot] = this.together[slot] = this.gains[slot] = 0
    this.said[slot] = this.heights[slot] = 0
    this.similarity[slot] = NaN
    return slot
  }

  total(slot: number): number {
    return this.words[slot]! + this.meaning[slot]! + this.links[slot]! + this.name[slot]!
  }

  hit(slot: number): CombinedHit {
    const chunk = this.chunks[slot]!
    const similarity = this.similarity[slot]!
    return {
      doc: this.docs[slot]!,
      chunk: chunk === NONE ? undefined : chunk,
      words: this.words[slot]!,
      meaning: this.meaning[slot]!,
      links: this.links[slot]!,
      name: this.name[slot]!,
      coverage: this.coverage[slot]!,
      together: this.together[slot]!,
      similarity: Number.isNaN(similarity) ? undefined : similarity,
      total: this.total(slot),
    }
  }

  #grow(): void {
    for (const column of COLUMNS) this[column] = grown(this[column], this.count) as never
  }
}

const COLUMNS = [
  ...(['docs', 'chunks', 'words', 'meaning', 'links', 'name'] as const),
  ...(['coverage', 'together', 'similarity', 'gains', 'said', 'heights'] as const),
]

const hits = new Hits()

type Column = Uint32Array | Int32Array | Float64Array

function grown<Kind extends Column>(column: Kind, room: number): Kind {
  const larger = new (column.constructor as new (length: number) => Kind)(room * 2)
  larger.set(column)
  return larger
}

function addMeaning({
  words,
  wordCount,
  meaning,
  scale = 1,
  understood,
  general = 0,
  baseline = 0,
}: Evidence): void {
  const [best] = words
  let closest = 0
  for (const { similarity } of meaning) closest = Math.max(closest, similarity * scale)
  // Where words find nothing, what is nearest is still worth showing, however far it is.
  const from = best ? baseline : 0
  const covered = best
    ? best.coverage * (1 - general) + Math.min(best.coverage, best.together) * general
    : 0
  const weight = understood * (best ? meaningWeight(wordCount, covered) : MEANING_WEIGHT)
  for (const { doc, chunk, similarity: cosine } of meaning) {
    const similarity = cosine * scale
    const above = Math.max(0, similarity - from)
    if (above === 0 && !best) continue
    const slot = hits.slot(doc)
    hits.similarity[slot] = similarity
    if (hits.chunks[slot] === NONE) hits.chunks[slot] = chunk
    hits.meaning[slot] = above === 0 ? 0 : (weight * above) / (closest - from)
  }
}

/**
 * What the best match by words is worth. Where general meanings can answer, a best match that has a
 * quarter of the question in one place no longer counts in full.
 */
function wordsTrust({ words, general = 0 }: Evidence): number {
  const together = words[0]?.together ?? 0
  return together > 0 ? together ** (DOUBT * general) : 1
}

/** What is mentioned by its title is worth a look, also where others have more of the words. */
function addMentions({ words, mentioned }: Evidence): void {
  const lacks = 1 - (words[0]?.together ?? 0)
  for (const [doc, { share, common }] of mentioned ?? []) {
    // First, because the columns may be others afterwards.
    const slot = hits.slot(doc)
    hits.words[slot]! += MENTIONED * lacks * Math.sqrt(share) + COMMON_NAME * common ** 3
  }
}

/** Good documents recommend what they are linked with, each in proportion to its few links. */
function addLinks(linked: NonNullable<Evidence['linked']>, order: Order): void {
  // The best of the second round are mostly those of the first.
  const known = new Map<DocNo, readonly LinkedDoc[]>()
  for (const weight of LINK_WEIGHTS) {
    const seeds = firstOf(LINK_SEEDS, order)
    const most = seeds[0] === undefined ? 0 : hits.total(seeds[0])
    let sources = false
    let mentions = false
    for (const seed of seeds) {
      const doc = hits.docs[seed]!
      const neighbours = known.get(doc) ?? linked(doc)
      known.set(doc, neighbours)
      const share = hits.total(seed) / Math.sqrt(neighbours.length)
      for (const neighbour of neighbours) {
        if (neighbour.imported) sources = true
        const slot = hits.slot(neighbour.doc)
        const gains = neighbour.mentioned ? hits.said : hits.gains
        gains[slot]! += share * (neighbour.forward ? 1 : BACKWARD)
        if (neighbour.mentioned) {
          mentions = true
          hits.heights[slot] = Math.max(hits.heights[slot]!, MENTION_LIFT * hits.total(seed))
        }
      }
    }
    const scale = weight * (sources ? AMONG_SOURCES : 1)
    for (let slot = 0; slot < hits.count; slot++) {
      hits.links[slot]! += scale * Math.min(hits.gains[slot]!, most)
      if (mentions && hits.said[slot]! > 0) {
        const room = Math.max(0, hits.heights[slot]! - hits.total(slot))
        hits.links[slot]! += Math.min(room, scale * Math.min(hits.said[slot]!, most))
      }
      hits.gains[slot] = hits.said[slot] = hits.heights[slot] = 0
    }
  }
}

/**
 * What is called as the question is comes first: by title, then by alias, by file name, and of those
 * with such a heading the best one. Among equals the evidence decides as before.
 */
function raiseNamed(
  named: ReadonlyMap<DocNo, NameKind>,
  order: Order,
  matches: (slot: number) => boolean,
): void {
  const strengthOf = (slot: number): number => {
    const kind = named.get(hits.docs[slot]!)
    return kind === undefined ? -1 : strength(kind)
  }
  for (const kind of NAME_KINDS) {
    const all = [...named].filter(([, each]) => each === kind).map(([doc]) => hits.slot(doc))
    const group = kind === 'heading' ? all.toSorted(order).slice(0, 1) : all
    if (group.length === 0) continue
    const lowest = Math.min(...group.map((slot) => hits.total(slot)))
    let highest = lowest
    for (let other = 0; other < hits.count; other++) {
      if (!matches(other) || strengthOf(other) > strength(kind) || group.includes(other)) continue
      highest = Math.max(highest, hits.total(other))
    }
    for (const slot of group) hits.name[slot] = highest - lowest + NAME_STEP
  }
}

/** The best few in order. A few of hundreds are picked faster than hundreds are sorted. */
function firstOf(count: number, order: Order, counts?: (slot: number) => boolean): number[] {
  const first: number[] = []
  for (let slot = 0; slot < hits.count; slot++) {
    if (counts && !counts(slot)) continue
    if (count > FEW) {
      first.push(slot)
      continue
    }
    if (first.length === count && order(slot, first[count - 1]!) > 0) continue
    let place = first.length
    while (place > 0 && order(slot, first[place - 1]!) < 0) place--
    first.splice(place, 0, slot)
    if (first.length > count) first.pop()
  }
  return count > FEW ? first.toSorted(order).slice(0, count) : first
}
