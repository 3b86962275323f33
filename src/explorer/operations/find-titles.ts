/** Titles, aliases and headings that one may mean while typing, letters left out allowed. */
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import type { Chunk } from '../../core/domain/text.ts'
import { lineStartsOf } from '../../core/parsing/lines.ts'
import {
  fuzzyMatch,
  letterMask,
  mostForLetters,
  soughtName,
  wholeMatch,
  type FuzzyMatch,
  type Sought,
} from '../../core/search/fuzzy-match.ts'
import {
  chunksOf,
  readDocuments,
  type LiveDocument,
} from '../../core/operations/reading/read-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import { listForTyping, type ListForTyping, type Name } from './list-for-typing.ts'
import type { FoundTitle } from '../wire/wire.ts'

const SHOWN = 8
const HEADINGS_SHOWN = 4

export async function findTitles(kb: View, query: string): Promise<readonly FoundTitle[]> {
  const wanted = nameIn(query)
  const titles = await findNames(kb, query)
  if (titles.length >= SHOWN || wanted === '') return titles
  return [...titles, ...(await findHeadings(kb, wanted, HEADINGS_SHOWN))]
}

/** Titles and aliases alone. */
export async function findNames(kb: View, query: string): Promise<readonly FoundTitle[]> {
  const wanted = nameIn(query)
  if (wanted === '') return []
  return bestNames(await listForTyping(kb).now(), wanted).map(
    ({ id, title, text, what, kind, marks }): FoundTitle => ({
      id,
      title,
      as: what === 'title' ? undefined : text,
      what,
      kind,
      marks,
      line: undefined,
    }),
  )
}

function nameIn(query: string): string {
  return query.trim().slice(0, 100)
}

type Matching = Name & FuzzyMatch

/** One name of each document; a letter or two match thousands, so only the best are kept. */
function bestNames(list: ListForTyping, wanted: string): readonly Matching[] {
  const sought = soughtName(wanted)
  const best: Matching[] = []
  keepBest(best, list, sought, (name) =>
    wholeMatch(name.text, name.folded, sought, best[SHOWN - 1]?.score),
  )
  // Letters here and there are what is left to find where few have them side by side.
  if (mostForLetters(sought) >= (best[SHOWN - 1]?.score ?? -Infinity)) {
    keepBest(best, list, sought, (name) => fuzzyMatch(name.text, name.folded, sought))
  }
  return best
}

function keepBest(
  best: Matching[],
  { names, masks }: ListForTyping,
  sought: Sought,
  match: (name: Name) => FuzzyMatch | undefined,
): void {
  const mask = letterMask(sought.whole)
  for (let at = 0; at < masks.length; at++) {
    if ((mask & ~masks[at]!) !== 0) continue
    const name = names[at]!
    const found = match(name)
    if (found && found.score >= (best[SHOWN - 1]?.score ?? -Infinity)) {
      keep(best, { ...name, ...found })
    }
  }
}

function keep(best: Matching[], matching: Matching): void {
  const own = best.findIndex(({ id }) => id === matching.id)
  if (own >= 0 && compare(matching, best[own]!) >= 0) return
  if (own >= 0) best.splice(own, 1)
  const worse = best.findIndex((other) => compare(matching, other) < 0)
  if (worse >= 0) best.splice(worse, 0, matching)
  else if (best.length < SHOWN) best.push(matching)
  if (best.length > SHOWN) best.pop()
}

function compare(a: Matching, b: Matching): number {
  return b.score - a.score || a.text.length - b.text.length || (a.id < b.id ? -1 : 1)
}

/** Headings are many, so the index finds them; the letters must be there as they are typed. */
async function findHeadings(kb: View, query: string, limit: number): Promise<FoundTitle[]> {
  const words = query.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1)
  if (words.length === 0) return []
  const lexical = await (await kb.index.look()).lexical()
  const asked = words.map((word) => `heading:${word}*`).join(' ')
  const filter = await kb.documents()
  const { hits } = await lexical.search(asked, { limit: limit + 2, filter })
  const lives = await readDocuments(
    kb,
    hits.map(({ doc }) => doc),
  )
  const chunks = await chunksOf(kb, lives)
  const folded = words.map((word) => word.toLowerCase())
  const found: FoundTitle[] = []
  for (const live of lives) {
    if (found.length === limit) break
    const { record } = live
    const heading = headingIn(live, chunks.get(live) ?? [], folded)
    if (!heading) continue
    const lower = heading.text.toLowerCase()
    found.push({
      id: documentId(record),
      title: record.title,
      as: heading.text,
      what: 'heading',
      kind: isEntityPath(record.path) ? 'entity' : 'note',
      marks: folded.map((word) => ({
        start: lower.indexOf(word),
        end: lower.indexOf(word) + word.length,
      })),
      line: heading.line,
    })
  }
  return found
}

/** The first one with these words. Passages know the headings they stand under: nothing is parsed. */
function headingIn(
  { record, text }: LiveDocument,
  chunks: readonly Chunk[],
  folded: readonly string[],
): { readonly text: string; readonly line: number } | undefined {
  for (const { start, lineStart, headingPath, trails = [] } of chunks) {
    const isToldApart = trails[0]?.at === start
    const places = isToldApart ? trails : [{ at: start, path: headingPath }, ...trails]
    for (const { at, path } of places) {
      const heading = path.at(-1)
      if (heading === undefined || heading === record.title) continue
      const lower = heading.toLowerCase()
      if (!folded.every((word) => lower.includes(word))) continue
      return { text: heading, line: lineStart + lineStartsOf(text.slice(start, at)).length - 1 }
    }
  }
  return undefined
}
