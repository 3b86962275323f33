/**
 * What entities say, folded and taken apart, by number. Those that are there at the beginning are
 * numbered in the order of their ids, so that the first few by id are found without sorting; later
 * ones come behind them.
 */
import { compareIds } from '../../../core/domain/document.ts'
import type { Entity } from '../../../core/domain/entity.ts'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { fold } from '../../../core/search/analysis/fold.ts'
import { eachWord } from './split-parts.ts'
import { WordList } from './word-list.ts'

/** When more than this share went, came or is out of order, all is numbered anew. */
const NEW_SHARE = 0.25
/** Below this, numbering anew costs nothing that anybody would notice. */
const FEW = 1_000

type FollowedGraph = Pick<EntityGraph, 'epoch' | 'added' | 'entities' | 'entityCount'>

/** Folded. */
export interface EntityText {
  readonly name: string
  readonly desc: string
  readonly tags: readonly string[]
}

export class EntityTexts {
  #epoch: number | undefined
  #taken = 0
  /** Undefined for one that went; its number is not used again. */
  #entities: (Entity | undefined)[] = []
  #numbers = new Map<string, number>()
  /** Of ids that are spelled otherwise when folded, by that spelling. */
  #respelled = new Map<string, number[]>()
  #said: EntityText[] = []
  /** Numbers below this are in the order of their ids. */
  #inOrder = 0
  #names = new WordList()
  #tags = new WordList()
  /** How many entities, from the first on, the two above know. */
  #listed = 0
  /** Of names, tags and descriptions. */
  words = new WordList()

  /** One more than the largest number. */
  get size(): number {
    return this.#entities.length
  }

  entity(number: number): Entity {
    return this.#entities[number]!
  }

  said(number: number): EntityText {
    return this.#said[number]!
  }

  /** Whole ones. Made when first asked for: a query with a rare word needs none of them. */
  get names(): WordList {
    this.#list()
    return this.#names
  }

  get tags(): WordList {
    this.#list()
    return this.#tags
  }

  /** Numbers of those whose id is this, folded. */
  withId(folded: string): readonly number[] {
    const exact = this.#numbers.get(folded)
    const others = this.#respelled.get(folded) ?? []
    return exact === undefined ? others : [exact, ...others]
  }

  follow(graph: FollowedGraph): void {
    const { entities } = graph.added
    if (this.#epoch !== graph.epoch) {
      if (this.#epoch === undefined || !this.#compare(graph)) this.#takeAll(graph)
      this.#epoch = graph.epoch
      this.#taken = entities.length
      return
    }
    if (this.#taken === entities.length) return
    const behind = this.size - this.#inOrder + entities.length - this.#taken
    if (isMuch(behind, graph.entityCount)) this.#takeAll(graph)
    else for (const entity of entities.slice(this.#taken)) this.#add(entity)
    this.#taken = entities.length
  }

  /** The first `count` by id of those that are marked with 1, not taken yet and pass the test. */
  first(
    count: number,
    marks: Uint8Array,
    taken: Uint8Array,
    test: (number: number) => boolean = () => true,
  ): readonly number[] {
    const found: number[] = []
    // Most are not marked, and stepping over them one by one would be most of a search.
    const next = (from: number): number => (marks[from] === 1 ? from : marks.indexOf(1, from))
    const isOne = (number: number): boolean =>
      taken[number] === 0 && this.#entities[number] !== undefined && test(number)
    let n = next(0)
    for (; n >= 0 && n < this.#inOrder && found.length < count; n = next(n + 1)) {
      if (isOne(n)) found.push(n)
    }
    const ordered = found.length
    n = next(this.#inOrder)
    for (; n >= 0; n = next(n + 1)) if (isOne(n)) found.push(n)
    if (found.length === ordered) return found
    return found
      .toSorted((a, b) => compareIds(this.entity(a).id, this.entity(b).id))
      .slice(0, count)
  }

  #takeAll(graph: FollowedGraph): void {
    this.#entities = []
    this.#numbers = new Map()
    this.#said = []
    this.#respelled = new Map()
    this.#names = new WordList()
    this.#tags = new WordList()
    this.#listed = 0
    this.words = new WordList()
    const ordered = [...graph.entities()].toSorted((a, b) => compareIds(a.id, b.id))
    for (const entity of ordered) this.#add(entity)
    this.#inOrder = this.size
  }

  /** After an edit nearly all is as it was, though perhaps read anew. False when it is not. */
  #compare(graph: FollowedGraph): boolean {
    const kept = new Uint8Array(this.size)
    const fresh: Entity[] = []
    for (const entity of graph.entities()) {
      const number = this.#numbers.get(entity.id)
      if (number !== undefined && saysTheSame(this.#entities[number]!, entity)) {
        kept[number] = 1
        this.#entities[number] = entity
      } else fresh.push(entity)
    }
    const gone = kept.reduce((count, each) => count + 1 - each, 0)
    const behind = this.size - this.#inOrder + fresh.length
    if (isMuch(gone + behind, graph.entityCount)) return false
    for (const [number, entity] of this.#entities.entries()) {
      if (!entity || kept[number] === 1) continue
      this.#entities[number] = undefined
      this.#numbers.delete(entity.id)
    }
    for (const entity of fresh) this.#add(entity)
    return true
  }

  #add(entity: Entity): void {
    const number = this.#entities.push(entity) - 1
    this.#numbers.set(entity.id, number)
    const id = foldText(entity.id)
    if (id !== entity.id) this.#respelled.set(id, [...(this.#respelled.get(id) ?? []), number])
    const name = foldText(entity.name)
    const desc = foldText(entity.desc)
    const tags = entity.tags.length === 0 ? NO_TAGS : entity.tags.map((tag) => foldText(tag.trim()))
    this.#said.push({ name, desc, tags })
    const addWords = (folded: string): void =>
      eachWord(folded, (start, end) => this.words.add(number, folded, start, end))
    addWords(name)
    addWords(desc)
    for (const tag of tags) addWords(tag)
  }

  #list(): void {
    for (; this.#listed < this.#said.length; this.#listed++) {
      const { name, tags } = this.#said[this.#listed]!
      this.#names.add(this.#listed, name)
      for (const tag of tags) this.#tags.add(this.#listed, tag)
    }
  }
}

const NO_TAGS: readonly string[] = Object.freeze([])

/** One spelling for what is considered the same; a line break is a space like any other. */
export function foldText(text: string): string {
  const folded = fold(text)
  return folded.includes('\n') ? folded.replaceAll('\n', ' ') : folded
}

function isMuch(count: number, total: number): boolean {
  return count > Math.max(FEW, NEW_SHARE * total)
}

function saysTheSame(a: Entity, b: Entity): boolean {
  if (a === b) return true
  return (
    a.name === b.name &&
    a.desc === b.desc &&
    a.tags.length === b.tags.length &&
    a.tags.every((tag, index) => tag === b.tags[index])
  )
}
