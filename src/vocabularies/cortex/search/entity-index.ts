/**
 * Which entities does a query mean? One whose id it is; one whose name, tags or description contain
 * it; and one that has its words, give or take a slip. Follows a graph as it grows.
 */
import type { Entity } from '../../../core/domain/entity.ts'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { EntityTexts, foldText } from './entity-texts.ts'
import type { EntityText } from './entity-texts.ts'
import { splitParts, unspacedRuns } from './split-parts.ts'
import type { Part, Place } from './split-parts.ts'
import type { WordList } from './word-list.ts'

/** How an entity was found, the best way first. */
export const ENTITY_RANKS = [
  'id',
  'name',
  'name_start',
  'name_part',
  'tag',
  'tag_part',
  'desc',
  'fuzzy',
] as const

export type EntityRank = (typeof ENTITY_RANKS)[number]

export interface EntityHit {
  readonly entity: Entity
  readonly rank: EntityRank
}

interface Query {
  /** Folded. */
  readonly wanted: string
  readonly parts: readonly Part[]
  /** Words of which every text that contains the query has one. */
  readonly rarest: readonly number[]
  /** Whether so few texts have them that each can be asked. */
  readonly few: boolean
}

/** From here on, looking through all names is faster than asking one text after the other. */
const FEW_TEXTS = 2_000

/** Which texts have a rank, where that is not known already. */
const TESTS: Partial<Record<EntityRank, (said: EntityText, wanted: string) => boolean>> = {
  name: ({ name }, wanted) => name === wanted,
  name_start: ({ name }, wanted) => name.startsWith(wanted),
  name_part: ({ name }, wanted) => name.includes(wanted),
  tag: ({ tags }, wanted) => tags.includes(wanted),
  tag_part: ({ tags }, wanted) => tags.some((tag) => tag.includes(wanted)),
  desc: ({ desc }, wanted) => desc.includes(wanted),
}

/** More words than this are a text, and nobody expects a text to be forgiven its slips. */
const FORGIVEN_WORDS = 16
const FORGIVEN_LENGTH = 64

export class EntityIndex {
  readonly #texts = new EntityTexts()
  /** Used again by every search: new ones for each would keep the garbage collector busy. */
  #marks = new Uint8Array()
  #taken = new Uint8Array()

  /** Takes in what happened to the graph since the last time. */
  follow(graph: Pick<EntityGraph, 'epoch' | 'added' | 'entities' | 'entityCount'>): void {
    this.#texts.follow(graph)
  }

  /** The best first: by rank, then by id. */
  search(query: string, limit: number): readonly EntityHit[] {
    const wanted = foldText(query.trim().toWellFormed())
    const hits: EntityHit[] = []
    if (wanted === '') return hits
    const parts = splitParts(wanted)
    const { size } = this.#texts
    if (this.#marks.length < size) {
      this.#marks = new Uint8Array(2 * size)
      this.#taken = new Uint8Array(2 * size)
    }
    const marks = this.#marks.subarray(0, size)
    const taken = this.#taken.subarray(0, size).fill(0)
    const asked = { wanted, parts, ...this.#rarest(parts) }
    for (const rank of ENTITY_RANKS) {
      if (hits.length >= limit) break
      // Where no text has the words of the query, none contains it.
      if (asked.few && asked.rarest.length === 0 && rank in TESTS) continue
      this.#mark(rank, asked, marks.fill(0))
      const room = limit - hits.length
      for (const number of this.#texts.first(room, marks, taken, this.#test(rank, asked))) {
        taken[number] = 1
        hits.push({ entity: this.#texts.entity(number), rank })
      }
    }
    return hits
  }

  /** Marks those that may have this rank, and all that have it. */
  #mark(rank: EntityRank, { wanted, parts, rarest, few }: Query, marks: Uint8Array): void {
    const texts = this.#texts
    const have = (list: WordList, place: Place) => markTexts(list, list.find(wanted, place), marks)
    if (few && rank in TESTS) return markTexts(texts.words, rarest, marks)
    switch (rank) {
      case 'id':
        for (const number of texts.withId(wanted)) marks[number] = 1
        return
      case 'name':
        return have(texts.names, 'whole')
      case 'name_start':
        return have(texts.names, 'start')
      case 'name_part':
        return have(texts.names, 'anywhere')
      case 'tag':
        return have(texts.tags, 'whole')
      case 'tag_part':
        return have(texts.tags, 'anywhere')
      case 'desc':
        if (parts.length > 0) markTexts(texts.words, rarest, marks)
        else marks.fill(1)
        return
      case 'fuzzy':
        // What has to stay together as a whole was looked for already.
        return unspacedRuns(wanted)[0] === wanted ? undefined : this.#forgive(parts, marks)
      default:
        return rank satisfies never
    }
  }

  /** What is left to ask about one that is marked. */
  #test(rank: EntityRank, { wanted, few }: Query): ((number: number) => boolean) | undefined {
    if (rank === 'desc' || few) {
      const fits = TESTS[rank]
      if (fits) return (number) => fits(this.#texts.said(number), wanted)
    }
    // Letters of a word stay together by themselves; these characters are words of their own.
    const runs = rank === 'fuzzy' ? unspacedRuns(wanted) : []
    if (runs.length === 0) return undefined
    return (number) => runs.every((run) => says(this.#texts.said(number), run))
  }

  /** Words of which every text that contains the query has one, as few texts as can be. */
  #rarest(parts: readonly Part[]): Pick<Query, 'rarest' | 'few'> {
    const { words } = this.#texts
    let rarest: readonly number[] = []
    let fewest = Infinity
    // A word in the middle is looked up; for one at an edge all words are looked through.
    const lookedUpFirst = parts.toSorted(
      (a, b) => Number(b.place === 'whole') - Number(a.place === 'whole'),
    )
    for (const { word, place } of lookedUpFirst) {
      if (place !== 'whole' && fewest <= FEW_TEXTS) break
      const found = words.find(word, place)
      const count = found.reduce((sum, each) => sum + words.texts.count(each), 0)
      if (count < fewest) [rarest, fewest] = [found, count]
    }
    return { rarest, few: fewest <= FEW_TEXTS }
  }

  /** Marks those that have every word of the query somewhere, spelled well or nearly so. */
  #forgive(parts: readonly Part[], marks: Uint8Array): void {
    if (parts.length === 0 || parts.length > FORGIVEN_WORDS) return
    // How many words of the query, from the first on, an entity has.
    for (const [count, { word }] of parts.entries()) {
      const alike = this.#alike(word, parts.length > 1)
      markTexts(this.#texts.words, alike, marks, count + 1)
    }
    for (let at = 0; at < marks.length; at++) marks[at] = Number(marks[at] === parts.length)
  }

  /** Words that count as this one: of a short word itself alone. */
  #alike(word: string, withPieces: boolean): readonly number[] {
    const { words } = this.#texts
    const length = [...word].length
    const whole = words.find(word, 'whole')
    if (length < 4 || length > FORGIVEN_LENGTH) return whole
    const pieces = withPieces ? words.find(word, 'anywhere') : whole
    // One number is not a misspelling of another.
    if (/^\p{N}+$/u.test(word)) return pieces
    return [...pieces, ...words.similar(word, length < 8 ? 1 : 2)]
  }
}

function says({ name, desc, tags }: EntityText, wanted: string): boolean {
  return desc.includes(wanted) || name.includes(wanted) || tags.some((tag) => tag.includes(wanted))
}

/** Raises the mark of the texts that have one of these words from the one below to this one. */
function markTexts(list: WordList, found: readonly number[], marks: Uint8Array, mark = 1): void {
  for (const word of found) list.texts.mark(word, marks, mark)
}
