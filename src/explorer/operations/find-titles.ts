/** Titles, aliases and headings that one may mean while typing, letters left out allowed. */
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { fuzzyMatch, letterMask, type FuzzyMatch } from '../../core/search/fuzzy-match.ts'
import { parseLive, readDocuments } from '../../core/operations/reading/read-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import { listForTyping, type ListForTyping, type Name } from './list-for-typing.ts'
import type { FoundTitle } from '../wire/wire.ts'

const SHOWN = 8
const HEADINGS_SHOWN = 4

export async function findTitles(kb: View, query: string): Promise<readonly FoundTitle[]> {
  const wanted = query.trim().slice(0, 100)
  if (wanted === '') return []
  const titles = bestNames(await listForTyping(kb).now(), wanted).map(
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
  if (titles.length >= SHOWN) return titles
  return [...titles, ...(await findHeadings(kb, wanted, HEADINGS_SHOWN))]
}

type Matching = Name & FuzzyMatch

/** One name of each document; a letter or two match thousands, so only the best are kept. */
function bestNames(list: ListForTyping, wanted: string): readonly Matching[] {
  const mask = letterMask(wanted.toLowerCase())
  const best: Matching[] = []
  for (const { names } of list.values()) {
    let own: Matching | undefined
    for (const name of names) {
      if ((mask & ~name.mask) !== 0) continue
      const match = fuzzyMatch(name.text, name.folded, wanted)
      if (!match || match.score < (best[SHOWN - 1]?.score ?? -Infinity)) continue
      const matching = { ...name, ...match }
      if (!own || compare(matching, own) < 0) own = matching
    }
    if (!own) continue
    const worse = best.findIndex((other) => compare(own, other) < 0)
    if (worse >= 0) best.splice(worse, 0, own)
    else if (best.length < SHOWN) best.push(own)
    if (best.length > SHOWN) best.pop()
  }
  return best
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
  const folded = words.map((word) => word.toLowerCase())
  const found: FoundTitle[] = []
  for (const live of lives) {
    if (found.length === limit) break
    const { headings } = await parseLive(kb, live)
    const heading = headings.find(({ level, text }) => {
      const lower = text.toLowerCase()
      return level > 1 && text !== live.record.title && folded.every((word) => lower.includes(word))
    })
    if (!heading) continue
    const lower = heading.text.toLowerCase()
    found.push({
      id: documentId(live.record),
      title: live.record.title,
      as: heading.text,
      what: 'heading',
      kind: isEntityPath(live.record.path) ? 'entity' : 'note',
      marks: folded.map((word) => ({
        start: lower.indexOf(word),
        end: lower.indexOf(word) + word.length,
      })),
      line: heading.line,
    })
  }
  return found
}
