/**
 * The whole base as a map. Places are kept: what was at the top left yesterday is there today. New
 * documents join where their neighbours are; only when more than a tenth is new is everything laid
 * out again, and then turned so that it lies on the old map as well as it can.
 */
import { createHash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { encodeMap, NODE_KINDS } from '../../domain/map-format.ts'
import { isNotePath } from '../../domain/paths.ts'
import { eachInSteps, inSlices, stepsInSlices } from '../../domain/slices.ts'
import type { Steps } from '../../domain/slices.ts'
import { buildGraph, type Graph } from '../../graph/graph.ts'
import { fitLayout } from '../../graph/layout/fit.ts'
import { joinLayout } from '../../graph/layout/join.ts'
import { layoutSteps, type Places } from '../../graph/layout/layout.ts'
import { derived, type Derived } from '../view/derived.ts'
import type { ScopedLinks, View } from '../view/view.ts'

export interface DrawnBase {
  /** The same as long as nothing on the map changes. */
  readonly version: string
  /** See `domain/map-format.ts`. */
  readonly bytes: Uint8Array
  readonly labels: MapLabels
}

export interface MapLabels {
  readonly version: string
  readonly ids: readonly string[]
  readonly titles: readonly string[]
  /** In the order of the map's groupings; group 1 is the first name, 0 is everybody else. */
  readonly groupings: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** What the types of links mean. */
  readonly types: readonly string[]
}

/** Where places are remembered between starts. */
export interface PlaceKeeper {
  load(): Promise<Uint8Array | undefined>
  save(bytes: Uint8Array): Promise<void>
}

const known = new WeakMap<View, Derived<DrawnBase>>()

export function drawMap(kb: View, keeper: PlaceKeeper | undefined): Promise<DrawnBase> {
  let drawn = known.get(kb)
  if (!drawn) {
    drawn = derived(kb.base.store, { on: ['graph'], load: () => draw(kb, keeper) })
    known.set(kb, drawn)
  }
  return drawn.now()
}

async function draw(kb: View, keeper: PlaceKeeper | undefined): Promise<DrawnBase> {
  const links = await kb.links()
  const { graph, docs } = seenPart(links.graph, links.docs, links.within.exclude)
  const types = typesIn(graph, links.types)
  const records = (await kb.store.documents([...docs])).map((record) => record ?? GONE)
  const ids = await inSlices(records, documentId)
  const places = await placesOf(graph, ids, keeper)
  const groupings: (Grouped & Pick<Grouping, 'name'>)[] = []
  for (const { name, of } of GROUPINGS) {
    groupings.push({ name, ...(await stepsInSlices(grouping(records, of))) })
  }
  await pause()
  const degree = new Uint16Array(graph.nodeCount)
  for (let node = 0; node < graph.nodeCount; node++) {
    const { out, in: incoming } = graph
    const count =
      out.start[node + 1]! - out.start[node]! + incoming.start[node + 1]! - incoming.start[node]!
    degree[node] = Math.min(count, 0xffff)
  }
  const bytes = encodeMap({
    nodeCount: graph.nodeCount,
    places,
    seconds: Uint32Array.from(records, ({ updatedAt }) =>
      Math.max(0, Math.min((updatedAt ?? 0) / 1_000, 0xffff_ffff)),
    ),
    degree,
    kind: Uint8Array.from(records, ({ path }) =>
      NODE_KINDS.indexOf(isEntityPath(path) ? 'entity' : 'note'),
    ),
    groups: groupings.map(({ of }) => of),
    start: graph.out.start,
    to: graph.out.node,
    type: graph.out.type.map((type) => types.indexOf(type)),
  })
  await pause()
  const version = createHash('sha256')
    .update(bytes)
    .update(ids.join('\n'))
    .digest('hex')
    .slice(0, 16)
  return {
    version,
    bytes,
    labels: {
      version,
      ids,
      titles: records.map(({ title }) => title),
      groupings: groupings.map(({ name, values }) => ({ name, values })),
      types: types.map((type) => nameOf(links.types[type]!)),
    },
  }
}

/** The predicate of a relation that is not seen is not told either. */
function typesIn({ out }: Graph, all: ScopedLinks['types']): readonly number[] {
  const used = new Set(out.type)
  return all.flatMap(({ kind }, type) => (kind !== 'relation' || used.has(type) ? [type] : []))
}

function nameOf({ kind, label }: ScopedLinks['types'][number]): string {
  return kind === 'relation' ? (label ?? kind) : kind
}

/** A document that went between two reads; it is gone from the next map. */
const GONE = {
  source: '',
  path: '',
  title: '',
  type: '',
  tags: [],
  inlineTags: [],
  updatedAt: 0,
} as unknown as DocumentRecord

/** The nodes that are seen, and the links among them. */
function seenPart(
  graph: Graph,
  docs: Uint32Array,
  exclude: Uint8Array | undefined,
): { readonly graph: Graph; readonly docs: Uint32Array } {
  if (!exclude || !exclude.includes(1)) return { graph, docs }
  const numbers = new Map<number, number>()
  for (let node = 0; node < docs.length; node++)
    if (exclude[node] === 0) numbers.set(node, numbers.size)
  const from: number[] = []
  const to: number[] = []
  const type: number[] = []
  for (const [node, number] of numbers) {
    for (let k = graph.out.start[node]!; k < graph.out.start[node + 1]!; k++) {
      const end = numbers.get(graph.out.node[k]!)
      if (end === undefined) continue
      from.push(number)
      to.push(end)
      type.push(graph.out.type[k]!)
    }
  }
  return {
    graph: buildGraph({
      nodeCount: numbers.size,
      from: Uint32Array.from(from),
      to: Uint32Array.from(to),
      type: Uint8Array.from(type),
    }),
    docs: docs.filter((_, node) => exclude[node] === 0),
  }
}

/** More new documents than this, and the map is drawn anew. */
const NEW_SHARE = 0.1
/** How long others wait at most while it is drawn. */
const PATIENCE_MS = 25

async function placesOf(
  graph: Graph,
  ids: readonly string[],
  keeper: PlaceKeeper | undefined,
): Promise<Places> {
  const keys = await inSlices(ids, keyOf)
  const kept = readPlaces(await keeper?.load(), keys)
  const fresh = kept.known.reduce((count, has) => count + (has === 0 ? 1 : 0), 0)
  if (fresh === 0 && ids.length > 0) return kept.places
  const join = fresh <= NEW_SHARE * ids.length
  const places = join ? joinLayout(graph, kept) : fitLayout(await layoutInSteps(graph), kept)
  await keeper?.save(writePlaces(keys, places))
  return places
}

async function layoutInSteps(graph: Graph): Promise<Places> {
  const steps = layoutSteps(graph)
  let since = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - since < PATIENCE_MS) continue
    await pause()
    since = performance.now()
  }
}

/** Ids are long and private; eight bytes of their hash tell them apart. */
function keyOf(id: string): string {
  return createHash('sha1').update(id).digest().toString('latin1', 0, 8)
}

const ENTRY = 12
const MAGIC = Buffer.from('cairnmp1')

function writePlaces(keys: readonly string[], places: Places): Uint8Array {
  const bytes = Buffer.alloc(MAGIC.length + ENTRY * keys.length)
  MAGIC.copy(bytes)
  for (const [node, key] of keys.entries()) {
    const at = MAGIC.length + ENTRY * node
    bytes.write(key, at, 'latin1')
    bytes.writeInt16LE(places[2 * node]!, at + 8)
    bytes.writeInt16LE(places[2 * node + 1]!, at + 10)
  }
  return bytes
}

/** What cannot be read is as good as nothing: the map is drawn anew. */
function readPlaces(
  file: Uint8Array | undefined,
  keys: readonly string[],
): { readonly places: Places; readonly known: Uint8Array } {
  const places = new Int16Array(2 * keys.length)
  const flags = new Uint8Array(keys.length)
  const bytes = Buffer.from(file ?? [])
  const whole = (bytes.length - MAGIC.length) % ENTRY === 0
  if (!whole || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return { places, known: flags }
  const offsets = new Map<string, number>()
  for (let at = MAGIC.length; at < bytes.length; at += ENTRY) {
    offsets.set(bytes.toString('latin1', at, at + 8), at)
  }
  for (const [node, key] of keys.entries()) {
    const at = offsets.get(key)
    if (at === undefined) continue
    places[2 * node] = bytes.readInt16LE(at + 8)
    places[2 * node + 1] = bytes.readInt16LE(at + 10)
    flags[node] = 1
  }
  return { places, known: flags }
}

interface Grouping {
  readonly name: string
  /** The groups a document belongs to; it is drawn in the colour of the largest. */
  readonly of: (record: DocumentRecord, depth: number) => readonly string[]
}

const GROUPINGS: readonly Grouping[] = [
  { name: 'folder', of: folderOf },
  { name: 'tag', of: ({ tags, inlineTags }) => [...tags, ...inlineTags] },
  { name: 'source', of: ({ source }) => [source] },
  { name: 'type', of: ({ type }) => [type] },
  { name: 'kind', of: ({ path }) => [kindOf(path)] },
]

function kindOf(path: string): string {
  return isEntityPath(path) ? 'entity' : isNotePath(path) ? 'note' : 'other file'
}

/** No more colours than can be told apart. */
const COLOURS = 10
/** Where nearly everything is in one folder, its folders say more. */
const LARGEST_SHARE = 0.6
const DEEPEST = 3

interface Grouped {
  readonly values: readonly string[]
  readonly of: Uint8Array
}

function* grouping(records: readonly DocumentRecord[], of: Grouping['of']): Steps<Grouped> {
  for (let depth = 1; ; depth++) {
    const counts = new Map<string, number>()
    yield* eachInSteps(records, (record) => {
      for (const group of new Set(of(record, depth)))
        counts.set(group, (counts.get(group) ?? 0) + 1)
    })
    const largest = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    const deeper = depth < DEEPEST && (largest[0]?.[1] ?? 0) > LARGEST_SHARE * records.length
    if (
      deeper &&
      records.some((record) => of(record, depth + 1).join() !== of(record, depth).join())
    )
      continue
    const values = largest.slice(0, COLOURS).map(([group]) => group)
    const numbers = new Map(values.map((value, index) => [value, index + 1]))
    const groups = new Uint8Array(records.length)
    let node = 0
    yield* eachInSteps(records, (record) => {
      const all = of(record, depth).flatMap((group) => numbers.get(group) ?? [])
      groups[node++] = all.length === 0 ? 0 : Math.min(...all)
    })
    return { values, of: groups }
  }
}

function folderOf({ source, path }: DocumentRecord, depth: number): readonly string[] {
  if (isEntityPath(path)) return ['entities']
  const folders = path.split('/').slice(0, -1)
  return [[source, ...folders.slice(0, depth)].join('/')]
}
