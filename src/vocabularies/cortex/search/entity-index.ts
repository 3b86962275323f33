/**
 * Inverted index: which entities does a query mean? One whose id it is; one whose name, tags or
 * description contain it; and one that has its words, give or take a slip. Words choose whom to ask,
 * and each is asked itself. Follows a graph as it grows.
 */
import { compareIds } from '../../../core/domain/document.ts'
import type { Entity } from '../../../core/domain/entity.ts'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { withinEdits } from '../../../core/kit/within-edits.ts'
import { fold } from '../../../core/search/analysis/fold.ts'
import { eachWord, splitParts, unspacedRuns } from './split-parts.ts'
import type { Part, Place } from './split-parts.ts'

/** How an entity was found, the best way first. */
export type EntityRank = 'id' | (typeof CONTAINING)[number] | 'fuzzy'

/** Ways to contain a query. */
const CONTAINING = ['name', 'name_start', 'name_part', 'tag', 'tag_part', 'desc'] as const

export interface EntityHit {
  readonly entity: Entity
  readonly rank: EntityRank
}

interface EntityText {
  entity: Entity
  /** Folded, a line each: name, tags, description. */
  readonly said: string
  /** Where the name ends, and where the tags do. */
  readonly nameEnd: number
  readonly tagsEnd: number
  /** Its place in the order of ids; -1 when it is no longer there. */
  at: number
}

interface Word {
  readonly word: string
  /** A bit for each of its letters, or for several. */
  readonly letters: number
  readonly texts: EntityText[]
}

/** Texts with a word that are asked one by one rather than looking for a rarer word. */
const FEW_TEXTS = 2_000

/** More words than this are a text, and nobody expects a text to be forgiven its slips. */
const FORGIVEN_WORDS = 16
const FORGIVEN_LENGTH = 64

/** When more than this share of the texts went, words are listed anew. */
const GONE_SHARE = 0.25

export class EntityIndex {
  #epoch: number | undefined
  #taken = 0
  #texts = new Map<string, EntityText>()
  /** By their ids as they are folded. */
  #ids = new Map<string, EntityText[]>()
  #order: EntityText[] = []
  #words = new Map<string, Word>()
  #wordList: Word[] = []
  /** Texts that words still lead to and that are no longer in the order. */
  #gone = 0

  /** Takes in what happened to the graph since the last time. */
  follow(graph: Pick<EntityGraph, 'epoch' | 'added' | 'entities' | 'entityCount'>): void {
    const { entities } = graph.added
    if (this.#epoch !== graph.epoch) this.#add(this.#compare([...graph.entities()]))
    else if (this.#taken < entities.length) this.#add(entities.slice(this.#taken))
    this.#epoch = graph.epoch
    this.#taken = entities.length
  }

  /** The best first: by rank, then by id. */
  search(query: string, limit: number): readonly EntityHit[] {
    const wanted = foldText(query.trim().toWellFormed())
    if (wanted === '') return []
    const parts = splitParts(wanted)
    const hits = new Map<EntityText, EntityRank>()
    const named = this.#ids.get(wanted) ?? []
    for (const text of named.toSorted((a, b) => a.at - b.at)) if (text.at >= 0) hits.set(text, 'id')
    for (const [at, texts] of this.#containing(wanted, parts, limit).entries()) {
      for (const text of texts) if (!hits.has(text)) hits.set(text, CONTAINING[at]!)
    }
    if (hits.size < limit) {
      for (const text of this.#forgiven(wanted, parts, limit)) {
        if (!hits.has(text)) hits.set(text, 'fuzzy')
      }
    }
    return Array.from(hits, ([{ entity }, rank]) => ({ entity, rank })).slice(0, limit)
  }

  /** Those that contain what is wanted, by rank and id; of each rank as many as can be shown. */
  #containing(wanted: string, parts: readonly Part[], limit: number): EntityText[][] {
    const found = CONTAINING.map((): EntityText[] => [])
    // What ranks lower than this has no room any more.
    let open = found.length
    const words = this.#rarest(parts)
    for (const text of words ? this.#inOrder([words]) : this.#order) {
      const rank = rankOf(text, wanted, open)
      if (rank === undefined || rank >= open) continue
      found[rank]!.push(text)
      while (open > 0 && count(found, open) >= limit) open--
    }
    return found
  }

  /** Those that have one word of every list, by id. */
  *#inOrder(lists: readonly (readonly Word[])[]): Generator<EntityText> {
    const marks = new Uint8Array(this.#order.length)
    for (const [list, words] of lists.entries()) {
      for (const { texts } of words) {
        // Raises the mark from list to list; beyond the end there is none, where a text has gone.
        for (const { at } of texts) if (marks[at] === list) marks[at] = list + 1
      }
    }
    for (let at = marks.indexOf(lists.length); at >= 0; at = marks.indexOf(lists.length, at + 1)) {
      yield this.#order[at]!
    }
  }

  /**
   * Words of which every text that contains these parts has one, with as few texts as can be;
   * undefined where asking everybody is less.
   */
  #rarest(parts: readonly Part[]): readonly Word[] | undefined {
    let rarest: readonly Word[] = []
    let fewest = Infinity
    // A word in the middle is looked up; for one at an edge all words are looked through.
    const lookedUpFirst = parts.toSorted(
      (a, b) => Number(b.place === 'whole') - Number(a.place === 'whole'),
    )
    for (const { word, place } of lookedUpFirst) {
      if (place !== 'whole' && fewest <= FEW_TEXTS) break
      const found = this.#find(word, place)
      const texts = found.reduce((sum, each) => sum + each.texts.length, 0)
      if (texts < fewest) [rarest, fewest] = [found, texts]
    }
    return fewest <= this.#order.length ? rarest : undefined
  }

  /** Those that have every word of the query somewhere, spelled well or nearly so; the first ones. */
  #forgiven(wanted: string, parts: readonly Part[], limit: number): readonly EntityText[] {
    const runs = unspacedRuns(wanted)
    // What has to stay together as a whole was looked for already.
    if (parts.length === 0 || parts.length > FORGIVEN_WORDS || runs[0] === wanted) return []
    const alike: (readonly Word[])[] = []
    for (const { word } of parts) {
      const words = this.#alike(word, parts.length > 1)
      if (words.length === 0) return []
      alike.push(words)
    }
    const found: EntityText[] = []
    for (const text of this.#inOrder(alike)) {
      // Letters of a word stay together by themselves; these characters are words of their own.
      if (runs.every((run) => text.said.includes(run)) && found.push(text) === limit) break
    }
    return found
  }

  /** Words that count as this one: of a short word itself alone. */
  #alike(word: string, withPieces: boolean): readonly Word[] {
    const length = [...word].length
    if (length < 4 || length > FORGIVEN_LENGTH) return this.#find(word, 'whole')
    // One number is not a misspelling of another.
    const edits = /^\p{N}+$/u.test(word) ? 0 : length < 8 ? 1 : 2
    const letters = lettersOf(word)
    return this.#wordList.filter(
      (each) =>
        (withPieces && each.word.includes(word)) ||
        // An edit brings one new letter at most, and takes one away at most.
        (hasAtMost(letters & ~each.letters, edits) &&
          hasAtMost(each.letters & ~letters, edits) &&
          withinEdits(word, each.word, edits)),
    )
  }

  /** Words that have this one at this place. */
  #find(piece: string, place: Place): readonly Word[] {
    if (place === 'start') return this.#wordList.filter(({ word }) => word.startsWith(piece))
    if (place === 'end') return this.#wordList.filter(({ word }) => word.endsWith(piece))
    if (place === 'anywhere') return this.#wordList.filter(({ word }) => word.includes(piece))
    const word = this.#words.get(piece)
    return word ? [word] : []
  }

  /** After an edit nearly all is as it was, though perhaps read anew. Returns what is not. */
  #compare(entities: readonly Entity[]): readonly Entity[] {
    for (const text of this.#order) text.at = -1
    const fresh = entities.filter((entity) => {
      const known = this.#texts.get(entity.id)
      if (!known || !saysTheSame(known.entity, entity)) return true
      known.entity = entity
      known.at = 0
      return false
    })
    const order = this.#order.filter(({ at }) => at === 0)
    this.#gone += this.#order.length - order.length
    if (this.#gone <= GONE_SHARE * entities.length) {
      for (const { at, entity } of this.#order) if (at < 0) this.#texts.delete(entity.id)
      this.#order = order
      return fresh
    }
    this.#texts.clear()
    this.#ids.clear()
    this.#order = []
    this.#words.clear()
    this.#wordList = []
    this.#gone = 0
    return entities
  }

  #add(entities: readonly Entity[]): void {
    const fresh = entities.map((entity) => this.#addText(entity))
    if (fresh.length > 1_000) this.#order = [...this.#order, ...fresh].toSorted(byId)
    else for (const text of fresh) this.#order.splice(this.#placeOf(text), 0, text)
    for (let at = 0; at < this.#order.length; at++) this.#order[at]!.at = at
  }

  #addText(entity: Entity): EntityText {
    const name = foldText(entity.name)
    const desc = foldText(entity.desc)
    const said = [name, ...entity.tags.map((tag) => foldText(tag.trim())), desc].join('\n')
    const tagsEnd = said.length - desc.length - 1
    const text = { entity, said, nameEnd: name.length, tagsEnd, at: 0 }
    this.#texts.set(entity.id, text)
    const id = foldText(entity.id)
    this.#ids.set(id, [...(this.#ids.get(id) ?? []), text])
    eachWord(said, (start, end) => this.#addWord(said.slice(start, end), text))
    return text
  }

  #addWord(word: string, text: EntityText): void {
    const known = this.#words.get(word)
    if (!known) {
      const added = { word, letters: lettersOf(word), texts: [text] }
      this.#words.set(word, added)
      this.#wordList.push(added)
    } else if (known.texts.at(-1) !== text) known.texts.push(text)
  }

  /** Binary search: where the text belongs in the order. */
  #placeOf(text: EntityText): number {
    let [low, high] = [0, this.#order.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (byId(this.#order[middle]!, text) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

function byId(a: EntityText, b: EntityText): number {
  return compareIds(a.entity.id, b.entity.id)
}

/** In which of the ways it contains what is wanted; names stand before tags, and these before the rest. */
function rankOf(
  { said, nameEnd, tagsEnd }: EntityText,
  wanted: string,
  open: number,
): number | undefined {
  // Whoever can only be shown by how the name begins is not looked through.
  const at = open > 2 || said.startsWith(wanted) ? said.indexOf(wanted) : -1
  if (at < 0) return undefined
  if (at < nameEnd) return at > 0 ? 2 : wanted.length < nameEnd ? 1 : 0
  if (at >= tagsEnd) return 5
  const whole = said.indexOf(`\n${wanted}\n`, nameEnd)
  return whole >= 0 && whole < tagsEnd ? 3 : 4
}

/** How many there are in the first lists. */
function count(lists: readonly (readonly unknown[])[], first: number): number {
  let sum = 0
  for (let at = 0; at < first; at++) sum += lists[at]!.length
  return sum
}

/** Thirty bits, because larger numbers cost an allocation each. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 30)
  return letters
}

/** Whether so many bits are set, or fewer. */
function hasAtMost(bits: number, most: number): boolean {
  let left = bits
  for (let n = 0; n < most; n++) left &= left - 1
  return left === 0
}

/** One spelling for what is considered the same; a line break is a space like any other. */
export function foldText(text: string): string {
  const folded = fold(text)
  return folded.includes('\n') ? folded.replaceAll('\n', ' ') : folded
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
