/**
 * The whole base as a map. Places are kept: what was at the top left yesterday is there today. New
 * documents join where their neighbours are; only when more than a tenth is new is everything laid
 * out again, and then turned so that it lies on the old map as well as it can.
 */
import { createHash } from 'node:crypto'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { encodeMap, NODE_KINDS } from '../../core/domain/map-format.ts'
import { isNotePath } from '../../core/kit/paths.ts'
import {
  eachInSteps,
  inSlices,
  piecesInSteps,
  sortInSteps,
  stepsInSlices,
} from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'
import { graphSteps, type Graph } from '../../core/graph/graph.ts'
import { fitLayout } from '../layout/fit.ts'
import { joinSteps, type KeptPlaces } from '../layout/join.ts'
import { layoutSteps, type Places } from '../layout/layout.ts'
import { derived, type Derived } from '../../core/operations/view/derived.ts'
import type { ScopedLinks, View } from '../../core/operations/view/view.ts'
import { regionsOf, type Regions } from '../../core/operations/walking/find-regions.ts'
import type { MapLabels, NamedRegion } from '../wire/wire.ts'

export interface DrawnBase {
  /** The same as long as nothing on the map changes. */
  readonly version: string
  /** See `core/domain/map-format.ts`. */
  readonly bytes: Uint8Array
  readonly labels: MapLabels
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
  const { graph, docs } = await stepsInSlices(
    seenPart(links.graph, links.docs, links.within.exclude),
  )
  const records = await recordsOf(kb, docs)
  const ids = await inSlices(records, documentId)
  const places = await placesOf(graph, ids, keeper)
  const regions = await regionsOf(kb).now()
  return stepsInSlices(drawing(links.types, graph, { docs, records, ids, places, regions }))
}

/** So many nodes or links are written down between two stops. */
const AT_ONCE = 20_000

/** What is drawn of a document. */
type Drawn = Pick<
  DocumentRecord,
  'source' | 'path' | 'title' | 'type' | 'tags' | 'inlineTags' | 'updatedAt'
>

/** So many are in memory as a whole: all of a large base at once would be work for the collector. */
const READ_AT_ONCE = 2_000

async function recordsOf(kb: View, docs: Uint32Array): Promise<readonly Drawn[]> {
  const records: Drawn[] = []
  for (let from = 0; from < docs.length; from += READ_AT_ONCE) {
    const found = await kb.store.documents([...docs.subarray(from, from + READ_AT_ONCE)])
    for (const record of found) {
      const { source, path, title, type, tags, inlineTags, updatedAt } = record ?? GONE
      records.push({ source, path, title, type, tags, inlineTags, updatedAt })
    }
  }
  return records
}

interface Placed {
  readonly docs: Uint32Array
  readonly records: readonly Drawn[]
  readonly ids: readonly string[]
  readonly places: Places
  readonly regions: Regions
}

function* drawing(
  linkTypes: ScopedLinks['types'],
  graph: Graph,
  { docs, records, ids, places, regions }: Placed,
): Steps<DrawnBase> {
  const { nodeCount, out, in: incoming } = graph
  const groupings: (Grouped & Pick<Grouping, 'name'>)[] = []
  for (const { name, of } of GROUPINGS) groupings.push({ name, ...(yield* grouping(records, of)) })
  const inRegions = yield* regionsOn(docs, places, regions)
  if (inRegions.named.length > 0) groupings.splice(1, 0, inRegions.grouping)
  const seconds = new Uint32Array(nodeCount)
  const degree = new Uint16Array(nodeCount)
  const kind = new Uint8Array(nodeCount)
  yield* piecesInSteps(nodeCount, AT_ONCE, (from, end) => {
    for (let node = from; node < end; node++) {
      const { updatedAt, path } = records[node]!
      const count =
        out.start[node + 1]! - out.start[node]! + incoming.start[node + 1]! - incoming.start[node]!
      degree[node] = Math.min(count, 0xffff)
      seconds[node] = Math.max(0, Math.min((updatedAt ?? 0) / 1_000, 0xffff_ffff))
      kind[node] = NODE_KINDS.indexOf(isEntityPath(path) ? 'entity' : 'note')
    }
  })
  const types = typesIn(graph, linkTypes)
  yield
  const numbers = Uint8Array.from(linkTypes, (_, type) => types.indexOf(type))
  const type = new Uint8Array(out.type.length)
  yield* piecesInSteps(type.length, AT_ONCE, (from, end) => {
    for (let link = from; link < end; link++) type[link] = numbers[out.type[link]!]!
  })
  const groups = groupings.map(({ of }) => of)
  const { start, node: to } = out
  const bytes = encodeMap({ nodeCount, places, seconds, degree, kind, groups, start, to, type })
  yield
  const hash = createHash('sha256').update(bytes)
  yield* piecesInSteps(ids.length, AT_ONCE, (from, end) => {
    hash.update(`${from === 0 ? '' : '\n'}${ids.slice(from, end).join('\n')}`)
  })
  const version = hash.digest('hex').slice(0, 16)
  return {
    version,
    bytes,
    labels: {
      version,
      ids,
      titles: records.map(({ title }) => title),
      groupings: groupings.map(({ name, values }) => ({ name, values })),
      types: types.map((each) => nameOf(linkTypes[each]!)),
      regions: inRegions.named,
    },
  }
}

/** The predicate of a relation that is not seen is not told either. */
function typesIn({ out }: Graph, all: ScopedLinks['types']): readonly number[] {
  const used = new Uint8Array(256)
  for (let link = 0; link < out.type.length; link++) used[out.type[link]!] = 1
  return all.flatMap(({ kind }, type) => (kind !== 'relation' || used[type] === 1 ? [type] : []))
}

function nameOf({ kind, label }: ScopedLinks['types'][number]): string {
  return kind === 'relation' ? (label ?? kind) : kind
}

/** A document that went between two reads; it is gone from the next map. */
const GONE: Drawn = {
  source: '',
  path: '',
  title: '',
  type: '',
  tags: [],
  inlineTags: [],
  updatedAt: 0,
}

/** The nodes that are seen, and the links among them. */
function* seenPart(
  graph: Graph,
  docs: Uint32Array,
  exclude: Uint8Array | undefined,
): Steps<{ readonly graph: Graph; readonly docs: Uint32Array }> {
  if (!exclude || !exclude.includes(1)) return { graph, docs }
  const numbers = new Uint32Array(docs.length)
  let nodeCount = 0
  for (let node = 0; node < docs.length; node++) {
    if (exclude[node] === 0) numbers[node] = nodeCount++
  }
  const { start, node: ends, type: types } = graph.out
  const [from, to] = [new Uint32Array(ends.length), new Uint32Array(ends.length)]
  const type = new Uint8Array(ends.length)
  let count = 0
  yield* piecesInSteps(docs.length, AT_ONCE, (first, last) => {
    for (let node = first; node < last; node++) {
      if (exclude[node] !== 0) continue
      for (let k = start[node]!; k < start[node + 1]!; k++) {
        if (exclude[ends[k]!] !== 0) continue
        from[count] = numbers[node]!
        to[count] = numbers[ends[k]!]!
        type[count++] = types[k]!
      }
    }
  })
  const part = yield* graphSteps({
    nodeCount,
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    type: type.subarray(0, count),
  })
  return { graph: part, docs: docs.filter((_, node) => exclude[node] === 0) }
}

/** More new documents than this, and the map is drawn anew. */
const NEW_SHARE = 0.1

async function placesOf(
  graph: Graph,
  ids: readonly string[],
  keeper: PlaceKeeper | undefined,
): Promise<Places> {
  const keys = await inSlices(ids, keyOf)
  const kept = await stepsInSlices(readPlaces(await keeper?.load(), keys))
  const fresh = kept.known.reduce((count, has) => count + (has === 0 ? 1 : 0), 0)
  if (fresh === 0 && ids.length > 0) return kept.places
  const join = fresh <= NEW_SHARE * ids.length
  const places = await stepsInSlices(join ? joinSteps(graph, kept) : anew(graph, kept))
  await keeper?.save(await stepsInSlices(writePlaces(keys, places)))
  return places
}

function* anew(graph: Graph, kept: KeptPlaces): Steps<Places> {
  const fresh = yield* layoutSteps(graph)
  yield
  return fitLayout(fresh, kept)
}

/** Ids are long and private; eight bytes of their hash tell them apart. */
function keyOf(id: string): string {
  return createHash('sha1').update(id).digest().toString('latin1', 0, 8)
}

const ENTRY = 12
const PLACES_AT_ONCE = 5_000
const MAGIC = Buffer.from('cairnmp1')

function* writePlaces(keys: readonly string[], places: Places): Steps<Uint8Array> {
  const bytes = Buffer.alloc(MAGIC.length + ENTRY * keys.length)
  MAGIC.copy(bytes)
  yield* eachInSteps(keys.entries(), ([node, key]) => {
    const at = MAGIC.length + ENTRY * node
    bytes.write(key, at, 'latin1')
    bytes.writeInt16LE(places[2 * node]!, at + 8)
    bytes.writeInt16LE(places[2 * node + 1]!, at + 10)
  })
  return bytes
}

/** What cannot be read is as good as nothing: the map is drawn anew. */
function* readPlaces(file: Uint8Array | undefined, keys: readonly string[]): Steps<KeptPlaces> {
  const places = new Int16Array(2 * keys.length)
  const flags = new Uint8Array(keys.length)
  const bytes = Buffer.from(file ?? [])
  const whole = (bytes.length - MAGIC.length) % ENTRY === 0
  if (!whole || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return { places, known: flags }
  const offsets = new Map<string, number>()
  yield* piecesInSteps((bytes.length - MAGIC.length) / ENTRY, PLACES_AT_ONCE, (from, end) => {
    for (let at = MAGIC.length + from * ENTRY; at < MAGIC.length + end * ENTRY; at += ENTRY) {
      offsets.set(bytes.toString('latin1', at, at + 8), at)
    }
  })
  yield* eachInSteps(keys.entries(), ([node, key]) => {
    const at = offsets.get(key)
    if (at === undefined) return
    places[2 * node] = bytes.readInt16LE(at + 8)
    places[2 * node + 1] = bytes.readInt16LE(at + 10)
    flags[node] = 1
  })
  return { places, known: flags }
}

interface Grouping {
  readonly name: string
  /** The groups a document belongs to; it is drawn in the colour of the largest. */
  readonly of: (record: Drawn, depth: number) => readonly string[]
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

/** So many regions are named on the map. */
const REGIONS_NAMED = 60

/** Where each of the largest regions lies: in the middle of its documents, and as far as most of them. */
function* regionsOn(
  docs: Uint32Array,
  places: Places,
  { of, all }: Regions,
): Steps<{
  readonly grouping: Grouped & { readonly name: string }
  readonly named: NamedRegion[]
}> {
  const groups = new Uint8Array(docs.length)
  const sums = all.slice(0, REGIONS_NAMED).map(() => ({ count: 0, x: 0, y: 0, squares: 0 }))
  yield* eachInSteps(docs.entries(), ([node, doc]) => {
    const region = of(doc)
    if (region === undefined) return
    if (region < COLOURS) groups[node] = region + 1
    const sum = sums[region]
    if (!sum) return
    const [x, y] = [places[2 * node]!, places[2 * node + 1]!]
    sum.count++
    sum.x += x
    sum.y += y
    sum.squares += x * x + y * y
  })
  const named = sums.flatMap(({ count, x, y, squares }, region) => {
    if (count === 0) return []
    const middle = { x: Math.round(x / count), y: Math.round(y / count) }
    const spread = squares / count - (x / count) ** 2 - (y / count) ** 2
    const radius = Math.round(Math.sqrt(Math.max(0, spread)))
    return [{ name: all[region]!.name, size: count, ...middle, radius }]
  })
  const values = all.slice(0, COLOURS).map(({ name }) => name)
  return { grouping: { name: 'region', values, of: groups }, named }
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

function* grouping(records: readonly Drawn[], of: Grouping['of']): Steps<Grouped> {
  for (let depth = 1; ; depth++) {
    const counts = new Map<string, number>()
    yield* eachInSteps(records, (record) => {
      for (const group of new Set(of(record, depth)))
        counts.set(group, (counts.get(group) ?? 0) + 1)
    })
    const largest = yield* sortInSteps([...counts], ([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    const deeper = depth < DEEPEST && (largest[0]?.[1] ?? 0) > LARGEST_SHARE * records.length
    if (deeper && (yield* someDeeper(records, of, depth))) continue
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

/** Whether anybody is in another group one level farther down. */
function* someDeeper(records: readonly Drawn[], of: Grouping['of'], depth: number): Steps<boolean> {
  for (const [index, record] of records.entries()) {
    if (of(record, depth + 1).join() !== of(record, depth).join()) return true
    if (index % AT_ONCE === 0) yield
  }
  return false
}

function folderOf({ source, path }: Drawn, depth: number): readonly string[] {
  if (isEntityPath(path)) return ['entities']
  const folders = path.split('/').slice(0, -1)
  return [[source, ...folders.slice(0, depth)].join('/')]
}
