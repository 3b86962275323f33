/** What links name and nobody has written: the ghosts of the map. */
import type { DocNo, LinkRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import type { View } from '../view/view.ts'

export interface Ghost {
  /** As the first link writes it. */
  readonly target: string
  /** What kind of link leads there; the predicate of a relation. */
  readonly type: string
  /** Ids of the documents that link to it. */
  readonly from: readonly string[]
}

export interface Ghosts {
  /** Those that most documents link to first. */
  readonly items: readonly Ghost[]
  readonly total: number
}

/** More would hide what there is, and a base may be full of them. */
const SHOWN = 2_000
const AT_ONCE = 2_000
const MOST_LINKS = 50_000

export async function listGhosts(kb: View): Promise<Ghosts> {
  const found = new Map<string, { link: LinkRecord; readonly from: Set<DocNo> }>()
  for await (const link of linksToNowhere(kb)) {
    const key = nameIn(link.target).toLowerCase()
    const known = found.get(key) ?? { link, from: new Set() }
    known.from.add(link.from)
    found.set(key, known)
  }
  const shown = [...found.values()].toSorted((a, b) => b.from.size - a.from.size).slice(0, SHOWN)
  const docs = [...new Set(shown.flatMap(({ from }) => [...from]))]
  const records = await kb.store.documents(docs)
  const ids = new Map(docs.map((doc, index) => [doc, records[index] && documentId(records[index])]))
  return {
    items: shown.map(({ link: { target, kind, label }, from }) => ({
      target: nameIn(target).slice(0, 300),
      type: kind === 'relation' ? (label ?? kind) : kind,
      from: [...from].flatMap((doc) => ids.get(doc) ?? []),
    })),
    total: found.size,
  }
}

/** One of them by its name, with the documents that link to it; undefined where none does. */
export async function findGhost(
  kb: View,
  name: string,
): Promise<{ readonly target: string; readonly from: readonly DocNo[] } | undefined> {
  const wanted = nameIn(name.trim()).toLowerCase()
  const from = new Set<DocNo>()
  let target = ''
  for await (const link of linksToNowhere(kb)) {
    if (nameIn(link.target).toLowerCase() !== wanted) continue
    target ||= nameIn(link.target)
    from.add(link.from)
  }
  return from.size > 0 ? { target: target.slice(0, 300), from: [...from] } : undefined
}

async function* linksToNowhere(kb: View): AsyncGenerator<LinkRecord> {
  for (let offset = 0; offset < MOST_LINKS; offset += AT_ONCE) {
    const { links } = await kb.store.brokenLinks({ offset, limit: AT_ONCE })
    yield* links
    if (links.length < AT_ONCE) return
  }
}

/** `../tea.md` and `tea` are written for the same thing. */
function nameIn(target: string): string {
  return target.replace(/^(?:\.{1,2}\/)+/, '').replace(/\.md$/i, '')
}
