/**
 * Bidirectional breadth-first search over links and names in prose. The names are read from the
 * texts on the way, so it looks for what is shorter than the way over links alone, and reads so many
 * texts at most. Loaded by who asks for it.
 */
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { readDocuments } from '../reading/read-document.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import type { ScopedLinks, View } from '../view/view.ts'
import { docsSaying, mentionsIn } from './find-mentions.ts'
import type { FoundMention } from './find-mentions.ts'
import { DEFAULT_HOPS, pathBetween } from './find-path.ts'
import type { PathOptions, PathStep } from './find-path.ts'
import { typesBetween } from './get-neighbors.ts'

/** About two milliseconds each. */
const MOST_TEXTS = 1_000

export interface PathByMentions {
  readonly path: readonly PathStep[] | undefined
  /** So many texts were read, and a shorter way may be in others; undefined where none is. */
  readonly cutAt: number | undefined
}

export interface MentionsPathOptions extends PathOptions {
  readonly signal?: AbortSignal
}

/** Links come first where both ways are equally long. */
export async function findPathByMentions(
  kb: View,
  from: string,
  to: string,
  options: MentionsPathOptions = {},
): Promise<PathByMentions> {
  const ends = [await resolveDocument(kb, from), await resolveDocument(kb, to)] as const
  const linked = await pathBetween(kb, ends[0].no, ends[1].no, options)
  const shorter = await shorterPath(kb, ends, linked?.length, options)
  return { path: shorter.path ?? linked, cutAt: shorter.cutAt }
}

const NONE: PathByMentions = { path: undefined, cutAt: undefined }

async function shorterPath(
  kb: View,
  [from, to]: readonly [DocumentRecord, DocumentRecord],
  known: number | undefined,
  { directed = false, maxHops = DEFAULT_HOPS, signal }: MentionsPathOptions,
): Promise<PathByMentions> {
  const most = known === undefined ? maxHops : Math.min(maxHops, known - 2)
  if (from.no === to.no || most < 1) return NONE
  const links = await kb.links()
  const mentions = new Mentions(kb, signal)
  const near: Ball = { level: [from.no], before: new Map([[from.no, undefined]]) }
  const far: Ball = { level: [to.no], before: new Map([[to.no, undefined]]) }
  for (let hops = 1; hops <= most; hops++) {
    if (near.level.length === 0 || far.level.length === 0) return NONE
    const isNear = near.level.length <= far.level.length
    const [ball, other] = isNear ? [near, far] : [far, near]
    const ends = await grow(ball, (doc) =>
      nextTo(kb, doc, { links, mentions, forwards: isNear, directed }),
    )
    const [met] = await inOrder(
      kb,
      ends.filter((doc) => other.before.has(doc)),
    )
    if (met !== undefined) {
      const way = [...back(near, met).toReversed(), met, ...back(far, met)]
      return { path: await stepsOf(kb, way, links, mentions), cutAt: undefined }
    }
    if (mentions.isUsedUp) return { path: undefined, cutAt: MOST_TEXTS }
  }
  return NONE
}

interface Ball {
  level: readonly DocNo[]
  /** From where each was reached first. */
  readonly before: Map<DocNo, DocNo | undefined>
}

async function grow(
  ball: Ball,
  nextOf: (doc: DocNo) => Promise<readonly DocNo[]>,
): Promise<readonly DocNo[]> {
  const level: DocNo[] = []
  for (const doc of ball.level) {
    for (const next of await nextOf(doc)) {
      if (ball.before.has(next)) continue
      ball.before.set(next, doc)
      level.push(next)
    }
  }
  ball.level = level
  return level
}

function back({ before }: Ball, met: DocNo): DocNo[] {
  const way: DocNo[] = []
  for (let at = before.get(met); at !== undefined; at = before.get(at)) way.push(at)
  return way
}

interface Around {
  readonly links: ScopedLinks
  readonly mentions: Mentions
  /** Away from where the way begins. */
  readonly forwards: boolean
  readonly directed: boolean
}

/** In the order of ids, linked ones first. */
async function nextTo(
  kb: View,
  doc: DocNo,
  { links, mentions, forwards, directed }: Around,
): Promise<readonly DocNo[]> {
  const [out, into] = [forwards || !directed, !forwards || !directed]
  const linked = await inOrder(kb, linkedTo(links, doc, out, into))
  const named = new Set<DocNo>()
  if (out) for (const { to } of await mentions.from(doc)) named.add(to)
  if (into) for (const { from } of await mentions.to(doc)) named.add(from.no)
  return [...linked, ...(await inOrder(kb, [...named]))]
}

function linkedTo(
  { graph, docs, nodeOf, within: { exclude } }: ScopedLinks,
  doc: DocNo,
  out: boolean,
  into: boolean,
): readonly DocNo[] {
  const at = nodeOf(doc)
  if (at === undefined || exclude?.[at]) return []
  const found = new Set<DocNo>()
  for (const { start, node } of [...(out ? [graph.out] : []), ...(into ? [graph.in] : [])]) {
    for (const end of node.subarray(start[at], start[at + 1])) {
      if (!exclude?.[end]) found.add(docs[end]!)
    }
  }
  found.delete(doc)
  return [...found]
}

async function inOrder(kb: View, docs: readonly DocNo[]): Promise<readonly DocNo[]> {
  const records = await kb.store.documents(docs)
  return records
    .flatMap((record) => (record ? [{ doc: record.no, id: documentId(record) }] : []))
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map(({ doc }) => doc)
}

/** Names in the texts of documents, each read once. */
class Mentions {
  readonly #kb: View
  readonly #signal: AbortSignal | undefined
  readonly #read = new Map<DocNo, readonly FoundMention[]>()

  constructor(kb: View, signal: AbortSignal | undefined) {
    this.#kb = kb
    this.#signal = signal
  }

  /** What was found since then is not all there is. */
  get isUsedUp(): boolean {
    return this.#read.size >= MOST_TEXTS
  }

  async from(doc: DocNo): Promise<readonly FoundMention[]> {
    return (await this.#all([doc])).flat()
  }

  async to(doc: DocNo): Promise<readonly FoundMention[]> {
    if (this.isUsedUp) return []
    const [record] = await this.#kb.store.documents([doc])
    const saying = record ? await docsSaying(this.#kb, record) : []
    const all = await this.#all([...saying])
    return all.flat().filter(({ to }) => to === doc)
  }

  async #all(docs: readonly DocNo[]): Promise<readonly (readonly FoundMention[])[]> {
    const unread = docs.filter((doc) => !this.#read.has(doc))
    const lives = await readDocuments(this.#kb, unread.slice(0, MOST_TEXTS - this.#read.size))
    for (const live of lives) {
      this.#signal?.throwIfAborted()
      this.#read.set(live.record.no, await mentionsIn(this.#kb, live))
    }
    return docs.map((doc) => this.#read.get(doc) ?? [])
  }
}

async function stepsOf(
  kb: View,
  way: readonly DocNo[],
  links: ScopedLinks,
  mentions: Mentions,
): Promise<readonly PathStep[]> {
  const records = await kb.store.documents(way)
  const steps: PathStep[] = []
  for (const [at, doc] of way.entries()) {
    const record = records[at]
    const before = way[at - 1]
    const label = record
      ? { id: await kb.nameOf(record), title: kb.titleOf(record) }
      : { id: '(deleted)', title: '(deleted)' }
    if (before === undefined) {
      steps.push({ ...label, via: undefined, types: undefined })
    } else if (linkedTo(links, before, true, true).includes(doc)) {
      const via = linkedTo(links, before, true, false).includes(doc) ? 'out' : 'in'
      const types = await typesBetween(kb, links, links.nodeOf(before)!, links.nodeOf(doc)!)
      steps.push({ ...label, via, types })
    } else {
      const forth = (await mentions.from(before)).find(({ to }) => to === doc)
      const said = forth ?? (await mentions.from(doc)).find(({ to }) => to === before)
      const via = forth ? 'out' : 'in'
      const where = said && { sentence: said.sentence, line: said.line }
      steps.push({ ...label, via, types: ['MENTIONS'], ...where })
    }
  }
  return steps
}
