/**
 * Snapshot of the order of paths and the graph of links, kept beside the index, so that a start does
 * not read every path and link again: on 14,593 notes that was a seventh of a first answer. It holds
 * for one generation, and what changed since is followed as it is while a server runs.
 *
 * Kept as a text, as it lies in memory: a checksum, a version, the generation and the stamp of the
 * graph; the documents in order; where the links of each begin, where they lead, their types, and
 * what those mean in JSON. Packed it is a fifth of that.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { DocNo } from '../../domain/document.ts'
import { openGraph } from '../../graph/graph.ts'
import type { Stamps, Store } from '../../store/store.ts'
import { followPathOrder } from './follow-order.ts'
import {
  followLinks,
  linkGraphOf,
  loadLinkGraph,
  loadPathOrder,
  pathOrderOf,
} from './link-graph.ts'
import type { LinkGraph, Mentions, PathOrder } from './link-graph.ts'

/** Rises when the same bytes would mean another graph. */
const VERSION = 2
const KEY = 'links'
/** Says of which generation they are without reading them. */
const KEPT_AT = 'links_kept_at'
const MENTIONS_KEY = 'mentions'

interface Kept {
  readonly order: PathOrder
  readonly links: LinkGraph
  readonly generation: number
  readonly graph: number
}

type Readable = Pick<Store, 'getMeta' | 'changesSince' | 'paths' | 'edges'>

/**
 * Keeps them as they are now, unless what is kept can be followed up to now. Returns what was kept
 * anew, and the generation that it is of.
 */
export async function keepLinks(
  store: Store,
): Promise<{ readonly links: LinkGraph; readonly generation: number } | undefined> {
  const stamps = await store.stamps()
  const at = await store.getMeta(KEPT_AT)
  if (at === `${VERSION} ${stamps.graph}`) return
  const generation = Number(at?.split(' ')[2] ?? NaN)
  if (at?.startsWith(`${VERSION} `) && (await canFollow(store, generation))) return
  const order = await loadPathOrder(store)
  const links = await loadLinkGraph(store, order)
  await store.putMeta(KEY, dense(packed({ ...stamps, order, links })).toString('base64'))
  await store.putMeta(KEPT_AT, `${VERSION} ${stamps.graph} ${stamps.generation}`)
  return { links, generation: stamps.generation }
}

/** Pairs of documents, the one that says the name of the other first. */
export type MentionPairs = readonly (readonly [from: DocNo, to: DocNo])[]

/** Of the generation in which the links were kept. Few bases have any, so that most keep nothing. */
export async function putMentions(
  store: Pick<Store, 'getMeta' | 'putMeta'>,
  pairs: MentionPairs,
  generation: number,
): Promise<void> {
  const list = Uint32Array.from([VERSION, generation, ...pairs.flat()])
  const text = pairs.length === 0 ? '' : Buffer.from(list.buffer).toString('base64')
  if (text !== ((await store.getMeta(MENTIONS_KEY)) ?? '')) await store.putMeta(MENTIONS_KEY, text)
}

/** Undefined where nobody is mentioned. Of documents that changed since, nothing is known. */
export async function keptMentions(store: Readable): Promise<Mentions | undefined> {
  const text = await store.getMeta(MENTIONS_KEY)
  if (!text) return undefined
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  const [version, generation = 0, ...ends] = new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
  if (version !== VERSION) return undefined
  const { unnamed, putDocs, goneDocs } = await store.changesSince(generation)
  return unnamed ? undefined : mentionsOf(ends as DocNo[], new Set([...putDocs, ...goneDocs]))
}

/** The same without some documents; of a changed one nobody knows whom it mentions. */
export async function followMentions(
  store: Pick<Store, 'changesSince'>,
  { ends }: Mentions,
  since: number,
): Promise<Mentions | undefined> {
  const { unnamed, putDocs, goneDocs } = await store.changesSince(since)
  return unnamed ? undefined : mentionsOf(ends, new Set([...putDocs, ...goneDocs]))
}

type Mentioned = ReturnType<Mentions['of']>[number]

/** `ends` has both documents of a pair, and then those of the next. */
export function mentionsOf(ends: readonly DocNo[], without: ReadonlySet<DocNo>): Mentions {
  const around = new Map<DocNo, Mentioned[]>()
  const kept: DocNo[] = []
  const add = (doc: DocNo, each: Mentioned): void => {
    const known = around.get(doc)
    if (known) known.push(each)
    else around.set(doc, [each])
  }
  for (let at = 0; at + 1 < ends.length; at += 2) {
    const [from, to] = [ends[at]!, ends[at + 1]!]
    if (without.has(from) || without.has(to)) continue
    kept.push(from, to)
    add(from, { doc: to, forward: true })
    // Who mentions each other is one neighbour; so it is among links.
    if (!around.get(to)?.some(({ doc, forward }) => doc === from && forward)) {
      add(to, { doc: from, forward: false })
    }
  }
  return { ends: kept, of: (doc) => around.get(doc) ?? [] }
}

/** As of these stamps or newer; undefined where nothing is kept that can be followed up to them. */
export async function keptLinks(
  store: Readable,
  stamps: Stamps,
): Promise<Pick<Kept, 'order' | 'links'> | undefined> {
  const text = await store.getMeta(KEY)
  const kept = text === undefined ? undefined : unpacked(loose(Buffer.from(text, 'base64')))
  if (!kept || kept.graph === stamps.graph) return kept
  const order = await followPathOrder(store, kept.order, kept.generation)
  const links = order && (await followLinks(store, kept.links, kept.generation, order))
  return links && { order, links }
}

/** What takes longer to follow than a moment is kept anew. */
const FEW_CHANGED = 50

async function canFollow(store: Store, generation: number): Promise<boolean> {
  const { unnamed, relinkedDocs, putDocs, goneDocs } = await store.changesSince(generation)
  if (unnamed || !relinkedDocs) return false
  return relinkedDocs.length + putDocs.length + goneDocs.length <= FEW_CHANGED
}

/** Numbers in front of the lists: checksum of the rest, version, stamps, and how long lists are. */
const HEAD = 7

function packed({ order, links, generation, graph }: Kept): Buffer {
  const { start, node, type } = links.graph.out
  const meant = JSON.stringify(links.types)
  const numbers = HEAD + order.docs.length + start.length + node.length
  // Up to a whole number at the end.
  const types = Buffer.from(meant + ' '.repeat(-(type.length + Buffer.byteLength(meant)) & 3))
  const bytes = Buffer.alloc(4 * numbers + type.length + types.length)
  const list = new Uint32Array(bytes.buffer, bytes.byteOffset, numbers)
  list.set([0, VERSION, generation, graph, order.docs.length, node.length, types.length])
  list.set(order.docs, HEAD)
  list.set(start, HEAD + order.docs.length)
  list.set(node, HEAD + order.docs.length + start.length)
  bytes.set(type, 4 * numbers)
  bytes.set(types, 4 * numbers + type.length)
  list[0] = crc32(bytes.subarray(4))
  return bytes
}

/** The first bytes of all numbers, then the second ones: what is alike lies together (byte planes). */
function dense(bytes: Uint8Array): Buffer {
  const count = bytes.length >> 2
  const planes = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) planes[(at & 3) * count + (at >> 2)] = bytes[at]!
  return deflateRawSync(planes)
}

/** More than of sixteen million documents is no such text. */
const MOST_BYTES = 2 ** 28

/** Nothing where it is damaged. */
function loose(kept: Uint8Array): Buffer {
  let planes: Uint8Array
  try {
    planes = inflateRawSync(kept, { maxOutputLength: MOST_BYTES })
  } catch {
    return Buffer.alloc(0)
  }
  const count = planes.length >> 2
  const numbers = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    numbers[at] =
      planes[at]! |
      (planes[count + at]! << 8) |
      (planes[2 * count + at]! << 16) |
      (planes[3 * count + at]! << 24)
  }
  return Buffer.from(numbers.buffer)
}

/** Undefined where it is of another version, or damaged. */
function unpacked(own: Buffer): Kept | undefined {
  const head = new Uint32Array(own.buffer, own.byteOffset, Math.min(HEAD, own.length >> 2))
  const [sum, version, generation, graph, documents, edges, typeBytes] = head
  if (version !== VERSION || crc32(own.subarray(4)) !== sum) return undefined
  let at = own.byteOffset + 4 * HEAD
  const numbers = (count: number): Uint32Array => {
    const list = new Uint32Array(own.buffer, at, count)
    at += list.byteLength
    return list
  }
  const order = pathOrderOf(numbers(documents!))
  const [start, node] = [numbers(documents! + 1), numbers(edges!)]
  const type = new Uint8Array(own.buffer, at, edges)
  const types = JSON.parse(own.subarray(-typeBytes!).toString()) as LinkGraph['types']
  const links = { ...linkGraphOf(openGraph({ start, node, type }), order), types }
  return { order, links, generation: generation!, graph: graph! }
}
