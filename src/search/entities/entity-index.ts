/**
 * Which entities does a query mean? One whose id it is; one whose name, tags or description contain
 * it; and one that has its words, give or take a slip. Follows a graph as it grows.
 */
import type { Entity } from '../../domain/entity.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { EntityTexts, foldText } from './entity-texts.ts'
import { splitParts, unspacedRuns } from './split-parts.ts'
import type { Part } from './split-parts.ts'
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
  /** Words of which a text that contains the query has one; undefined: any text may. */
  readonly rarest: readonly number[] | undefined
}

/** More words than this are a text, and nobody expects a text to be forgiven its slips. */
const FORGIVEN_WORDS = 16
const FORGIVEN_LENGTH = 64

export class EntityIndex {
  readonly #texts = new EntityTexts()

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
    const taken = new Uint8Array(size)
    const rarest = this.#rarest(parts)
    for (const rank of ENTITY_RANKS) {
      if (hits.length >= limit) break
      // Where no text has the words of the query, none contains it.
      if (rarest?.length === 0 && rank !== 'id' && rank !== 'fuzzy') continue
      const marks = new Uint8Array(size)
      this.#mark(rank, { wanted, parts, rarest }, marks)
      const room = limit - hits.length
      for (const number of this.#texts.first(room, marks, taken, this.#test(rank, wanted))) {
        taken[number] = 1
        hits.push({ entity: this.#texts.entity(number), rank })
      }
    }
    return hits
  }

  /** Marks those that may have this rank, and all that have it. */
  #mark(rank: EntityRank, { wanted, parts, rarest }: Query, marks: Uint8Array): void {
    const { ids, names, tags, words } = this.#texts
    const have = (list: WordList, found: readonly number[]) => markTexts(list, found, marks)
    switch (rank) {
      case 'id':
        return have(ids, ids.find(wanted, 'whole'))
      case 'name':
        return have(names, names.find(wanted, 'whole'))
      case 'name_start':
        return have(names, names.find(wanted, 'start'))
      case 'name_part':
        return have(names, names.find(wanted, 'anywhere'))
      case 'tag':
        return have(tags, tags.find(wanted, 'whole'))
      case 'tag_part':
        return have(tags, tags.find(wanted, 'anywhere'))
      case 'desc':
        if (rarest) have(words, rarest)
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
  #test(rank: EntityRank, wanted: string): ((number: number) => boolean) | undefined {
    if (rank === 'desc') return (number) => this.#texts.isDescribed(number, wanted)
    // Letters of a word stay together by themselves; these characters are words of their own.
    const runs = rank === 'fuzzy' ? unspacedRuns(wanted) : []
    if (runs.length === 0) return undefined
    return (number) => runs.every((run) => this.#texts.says(number, run))
  }

  #rarest(parts: readonly Part[]): readonly number[] | undefined {
    const { words } = this.#texts
    // A word in the middle is looked up; for one at an edge all words are looked through.
    const whole = parts.filter(({ place }) => place === 'whole')
    let rarest: readonly number[] | undefined
    let fewest = Infinity
    for (const { word, place } of whole.length > 0 ? whole : parts) {
      const found = words.find(word, place)
      const count = found.reduce((sum, each) => sum + words.textsOf(each).length, 0)
      if (count < fewest) [rarest, fewest] = [found, count]
    }
    return rarest
  }

  /** Marks those that have every word of the query somewhere, spelled well or nearly so. */
  #forgive(parts: readonly Part[], marks: Uint8Array): void {
    if (parts.length === 0 || parts.length > FORGIVEN_WORDS) return
    // How many words of the query, from the first on, an entity has.
    for (const [count, { word }] of parts.entries()) {
      const alike = this.#alike(word, parts.length > 1)
      markTexts(this.#texts.words, alike, marks, count + 1)
    }
    for (let at = 0; at < marks.length; at++) if (marks[at] !== parts.length) marks[at] = 0
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

/** Raises the mark of the texts that have one of these words from the one below to this one. */
function markTexts(list: WordList, found: readonly number[], marks: Uint8Array, mark = 1): void {
  for (const word of found) {
    const texts = list.textsOf(word)
    // Iterators would take as long as what is done here.
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at]!
      if (marks[text] === mark - 1) marks[text] = mark
    }
  }
}
