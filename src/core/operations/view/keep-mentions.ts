/**
 * Which notes mention which, kept beside the index where authors link little: search follows that as
 * it follows links. Worked out from the index's own lists (decision 0077), so that no text is read.
 */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { nameTerm } from '../../search/names.ts'
import { mostSaying } from '../../search/speaking-names.ts'
import type { Store } from '../../store/store.ts'
import { keepLinks, putMentions } from './kept-links.ts'
import type { MentionPairs } from './kept-links.ts'
import type { LinkGraph } from './link-graph.ts'

/** What the next start need not work out again. */
export async function keepForNextStart(store: Store): Promise<void> {
  const kept = await keepLinks(store)
  if (!kept) return
  const { links, generation } = kept
  await putMentions(store, await findMentionPairs(store, links), generation)
}

/** Where fewer are without any link, links say enough. */
const LEAST_WITHOUT = 0.25

async function findMentionPairs(store: Store, links: LinkGraph): Promise<MentionPairs> {
  const without = withoutLinks(links)
  if (without.size === 0 || without.size < LEAST_WITHOUT * links.docs.length) return []
  const { names, saysNothing } = await namesOfAll(store)
  if (names.length === 0) return []
  // Few bases get here: the thread that asks need not hold all of search for it.
  const { lexicalIndex } = await import('./open-index.ts')
  const lexical = await lexicalIndex(store).load()
  try {
    const said = await lexical.saying(names)
    const mentioned = new Map<DocNo, Set<DocNo>>()
    for (const [at, { to }] of names.entries()) {
      for (const from of said[at]!) {
        const counts = from !== to && (without.has(from) || without.has(to))
        if (!counts || saysNothing.has(from)) continue
        const known = mentioned.get(from)
        if (!known) mentioned.set(from, new Set([to]))
        else if (known.size <= MOST_MENTIONED) known.add(to)
      }
    }
    return [...mentioned]
      .filter(([, all]) => all.size <= MOST_MENTIONED)
      .flatMap(([from, all]) => Array.from(all, (to) => [from, to] as const))
  } finally {
    lexical.close()
  }
}

/** Whoever names more of them writes a list, and recommends nobody. */
const MOST_MENTIONED = 200

function withoutLinks({ graph, docs }: LinkGraph): ReadonlySet<DocNo> {
  const found = new Set<DocNo>()
  for (const [node, doc] of docs.entries()) {
    const degree = [graph.out, graph.in].map(({ start }) => start[node + 1]! - start[node]!)
    if (Math.max(...degree) === 0) found.add(doc as DocNo)
  }
  return found
}

const PAGE = 2_000

/** Titles and aliases that are names and have one bearer; and documents whose text is no prose. */
async function namesOfAll(store: Store) {
  const bearers = new Map<string, DocNo | undefined>()
  const names: { name: string; most: number; to: DocNo; term: string }[] = []
  const saysNothing = new Set<DocNo>()
  const take = ({ no, title, aliases, type }: DocumentRecord): void => {
    if (type === 'code') {
      saysNothing.add(no)
      return
    }
    for (const name of new Set([title, ...aliases])) {
      const term = nameTerm(name)
      if (term === undefined) continue
      const bearer = bearers.has(term) && bearers.get(term) !== no ? undefined : no
      bearers.set(term, bearer)
      const most = mostSaying(name)
      if (most > 0) names.push({ name, most, to: no, term })
    }
  }
  for (let offset = 0; ; offset += PAGE) {
    const { documents } = await store.list({}, 'path', { offset, limit: PAGE })
    for (const each of documents) take(each)
    if (documents.length < PAGE) break
  }
  return { names: names.filter(({ term, to }) => bearers.get(term) === to), saysNothing }
}
