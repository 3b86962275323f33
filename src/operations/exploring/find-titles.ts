/** Titles, aliases and headings that one may mean while typing, letters left out allowed. */
import { documentId } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { onePer } from '../../domain/one-per.ts'
import { fuzzyMatch, letterMask } from '../../search/fuzzy-match.ts'
import type { Range } from '../../rendering/readable-text.ts'
import { parseLive, readDocuments } from '../reading/read-document.ts'
import { derived } from '../view/derived.ts'
import type { View } from '../view/view.ts'

export interface FoundTitle {
  readonly id: string
  readonly title: string
  /** The alias or heading that matched, where it was not the title. */
  readonly as: string | undefined
  readonly what: 'title' | 'alias' | 'heading'
  readonly kind: 'note' | 'entity'
  /** Letters that matched, in the title or in `as`. */
  readonly marks: readonly Range[]
  readonly line: number | undefined
}

const SHOWN = 8
const HEADINGS_SHOWN = 4

export async function findTitles(kb: View, query: string): Promise<readonly FoundTitle[]> {
  const wanted = query.trim().slice(0, 100)
  if (wanted === '') return []
  const mask = letterMask(wanted.toLowerCase())
  const named = (await namesOf(kb).now())
    .flatMap((name): (Name & { score: number; marks: readonly Range[] })[] => {
      if ((mask & ~name.mask) !== 0) return []
      const match = fuzzyMatch(name.text, name.folded, wanted)
      return match ? [{ ...name, ...match }] : []
    })
    .toSorted(
      (a, b) => b.score - a.score || a.text.length - b.text.length || (a.id < b.id ? -1 : 1),
    )
  const seen = new Set<string>()
  const titles: FoundTitle[] = []
  for (const { id, title, text, what, kind, marks } of named) {
    if (titles.length === SHOWN) break
    if (seen.has(id)) continue
    seen.add(id)
    titles.push({
      id,
      title,
      as: what === 'title' ? undefined : text,
      what,
      kind,
      marks,
      line: undefined,
    })
  }
  if (titles.length >= SHOWN) return titles
  return [...titles, ...(await findHeadings(kb, wanted, HEADINGS_SHOWN))]
}

interface Name {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly folded: string
  readonly mask: number
  readonly what: 'title' | 'alias'
  readonly kind: 'note' | 'entity'
}

/** All names that a view sees, kept until the base changes. */
const namesOf = onePer((kb: View) =>
  derived(kb.base.store, { on: ['generation'], load: () => loadNames(kb) }),
)

async function loadNames({ store }: View): Promise<readonly Name[]> {
  const { documents } = await store.list({}, 'path', { offset: 0, limit: -1 })
  return documents.flatMap((document): Name[] => {
    const id = documentId(document)
    const kind = isEntityPath(document.path) ? 'entity' : 'note'
    const name = (text: string, what: Name['what']): Name => ({
      id,
      title: document.title,
      text,
      folded: text.toLowerCase(),
      mask: letterMask(text.toLowerCase()),
      what,
      kind,
    })
    return [name(document.title, 'title'), ...document.aliases.map((alias) => name(alias, 'alias'))]
  })
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
