/**
 * Phrase look-ups for many names at once: which documents say each of them in their text? From the
 * rarest word of a name, so that a name that nobody says costs one short list.
 */
import type { DocNo } from '../domain/document.ts'
import { Slices } from '../kit/slices.ts'
import { analyseText } from './analysis/analyser.ts'
import type { Language } from './analysis/languages/language.ts'
import type { LiveSegment, RankedSegment } from './live-segment.ts'
import { speltTerm } from './names.ts'
import { BLOCK_SIZE, POSITION_GROUP } from './segment/format.ts'
import {
  DecodedBlock,
  eachDocument,
  passNumbers,
  readBlock,
  readPositionGroups,
} from './segment/term-list.ts'
import type { TermList } from './segment/term-list.ts'
import { encodeTerm } from './segment/term-table.ts'
import type { TermLookup } from './term-lookup.ts'

export interface SoughtName {
  readonly name: string
  /** What more documents say is a word of the base, and nobody is returned. */
  readonly most: number
}

/** Names whose lists are read together. */
const AT_ONCE = 500

/** In the order of the names. Of a name that only its bearer says, nobody may be told. */
export async function findSaying(
  segments: readonly RankedSegment[],
  openLookup: () => TermLookup,
  languages: readonly Language[],
  names: readonly SoughtName[],
): Promise<readonly (readonly DocNo[])[]> {
  const slices = new Slices()
  const found: (readonly DocNo[])[] = []
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const batch = names.slice(first, first + AT_ONCE)
    const lookup = openLookup()
    const phrases: Phrase[][] = []
    for (const { name } of batch) {
      if (slices.over) await slices.pause()
      phrases.push(phrasesOf(name, languages, segments))
    }
    await lookup.fetchKnown(phrases.flat().map(({ rarest }) => rarest))
    // A word that stands in one document is said by nobody else.
    const isSaid = ({ rarest }: Phrase): boolean => documentsOf(lookup.listsOf(rarest)) > 1
    const said = phrases.map((each) => each.filter(isSaid))
    await lookup.fetchKnown(said.flat().flatMap(({ words }) => words.map(({ term }) => term)))
    for (const [at, { most }] of batch.entries()) {
      if (slices.over) await slices.pause()
      const docs = new Set<DocNo>()
      for (const phrase of said[at]!) {
        if (documentsOf(lookup.listsOf(phrase.rarest)) > MOST_RAREST) continue
        for (const doc of saying(segments, lookup, phrase)) docs.add(doc)
      }
      found.push(docs.size > most ? [] : [...docs])
    }
  }
  return found
}

/** A name all of whose words are in more documents is not looked for. */
const MOST_RAREST = 500

interface PhraseWord {
  readonly term: string
  readonly offset: number
}

interface Phrase {
  readonly words: readonly PhraseWord[]
  /** The term with the shortest lists. */
  readonly rarest: string
}

/** One for each language in which it reads differently, of those whose words are all known. */
function phrasesOf(
  name: string,
  languages: readonly Language[],
  segments: readonly RankedSegment[],
): Phrase[] {
  const phrases = new Map<string, Phrase>()
  for (const language of languages) {
    const parts = analyseText(name, language).filter(({ kind }) => kind === 'part')
    const words = parts.map(({ term, spelling, position }) => ({
      term: speltTerm(spelling, term) ?? term,
      offset: position,
    }))
    const sizes = words.map(({ term }) => listBytes(segments, term))
    if (words.length === 0 || sizes.includes(0)) continue
    const { term } = words[sizes.indexOf(Math.min(...sizes))]!
    phrases.set(words.map((each) => each.term).join(' '), { words, rarest: term })
  }
  return [...phrases.values()]
}

/** How long the lists of a term are, without reading them; 0 for one that is not in the index. */
function listBytes(segments: readonly RankedSegment[], term: string): number {
  const bytes = encodeTerm(term)
  let size = 0
  for (const { live } of segments) {
    const { terms, listOffsets } = live.segment
    const index = terms.find(bytes)
    if (index >= 0) size += listOffsets[index + 1]! - listOffsets[index]!
  }
  return size
}

function documentsOf(lists: readonly (TermList | undefined)[] = []): number {
  return lists.reduce((sum, list) => sum + (list?.df ?? 0), 0)
}

function* saying(
  segments: readonly RankedSegment[],
  lookup: TermLookup,
  { words, rarest }: Phrase,
): Generator<DocNo> {
  for (const [s, { live }] of segments.entries()) {
    const lists = words.map(({ term }) => lookup.listsOf(term)?.[s])
    const least = lookup.listsOf(rarest)?.[s]
    if (!least || lists.includes(undefined)) continue
    const ordinals: number[] = []
    eachDocument(least, (ordinal) => ordinals.push(ordinal))
    for (const ordinal of ordinals) {
      if (live.isDeleted?.[ordinal] === 1) continue
      if (stands(live, ordinal, words, lists as TermList[])) {
        yield live.segment.documents.numbers[ordinal] as DocNo
      }
    }
  }
}

/** Whether the words stand one behind the other in the running text, which comes first. */
function stands(
  { segment }: LiveSegment,
  ordinal: number,
  words: readonly PhraseWord[],
  lists: readonly TermList[],
): boolean {
  const end = segment.documents.textLength(ordinal)
  let begins: number[] | undefined
  for (const [at, { offset }] of words.entries()) {
    const places = new Set(positionsIn(lists[at]!, ordinal).filter((place) => place < end))
    begins = begins
      ? begins.filter((begin) => places.has(begin + offset))
      : Array.from(places, (place) => place - offset)
    if (begins.length === 0) return false
  }
  return true
}

/** Filled and read within one call. */
const block = new DecodedBlock()
const groups = new Uint32Array(BLOCK_SIZE / POSITION_GROUP + 1)

function positionsIn(list: TermList, ordinal: number): number[] {
  const b = list.blockOf(ordinal)
  if (b === list.blocks || !list.hasPositions) return []
  readBlock(list, b, block)
  const place = block.indexOf(ordinal)
  if (place < 0) return []
  readPositionGroups(list, b, groups)
  const group = Math.floor(place / POSITION_GROUP)
  let before = 0
  for (let p = group * POSITION_GROUP; p < place; p++) before += block.times(p)
  const { bytes } = list
  let at = passNumbers(bytes, groups[group]!, before)
  const positions: number[] = []
  let position = 0
  for (let left = block.times(place); left > 0; left--) {
    let byte = bytes[at++]!
    let delta = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!
      delta |= (byte & 127) << shift
    }
    position += delta
    positions.push(position)
  }
  return positions
}
