/** Adds entities and relations to a graph of the base; the next call finds them. */
import { documentId } from '../../domain/document.ts'
import {
  ENTITY_SCHEME,
  entityIdOf,
  entityPath,
  isEntityPath,
  OFFERED_ID_LIMIT,
} from '../../domain/entity-document.ts'
import type {
  AddedEntity,
  AddedRelation,
  EntityDraft,
  EntityGraph,
  RelationDraft,
} from '../../domain/entity-graph.ts'
import {
  KnowledgeError,
  alreadyThere,
  forbidden,
  invalid,
  notFound,
  quoted,
  unsupported,
} from '../../domain/error.ts'
import { linkKey, nameKey } from '../../indexing/link-names.ts'
import { entityNamed } from '../../indexing/resolve-entity.ts'
import { writingOf } from '../writing/carry-out.ts'
import type { View } from '../view/view.ts'
import { findDocument } from '../reading/resolve-document.ts'
import { recordEntity, recordMerge, recordRelation } from './record-addition.ts'
import type { Recorded } from '../writing/place.ts'
import type { WritableGraph } from './record-addition.ts'

export interface RelateOptions {
  /** Which source, when several have a graph. */
  readonly source?: string
}

export interface AddEntityOptions extends RelateOptions {
  /** Whoever says so means another one of that name. */
  readonly sameName?: boolean
}

/** Throws `exists` when any graph of the base has the id, or an entity the name. */
export async function addEntity(
  kb: View,
  draft: EntityDraft,
  { source, sameName = false }: AddEntityOptions = {},
): Promise<Recorded<AddedEntity>> {
  const graphs = openGraphs(kb, source)
  if (graphs.length > 1) throw whichGraph(graphs)
  const [graph] = graphs as [WritableGraph]
  refuseTwin(kb, graph.source, draft.id)
  // Of an id that is there, the graph says so.
  const asks = !sameName && !graph.graph.findEntity(draft.id)
  const namesakes = asks ? await entitiesNamed(kb, draft.name) : []
  if (namesakes.length > 0) throw namesake(draft.name, namesakes)
  return recordEntity(kb, graph, draft, { anyCategory: true })
}

/** Ids of entities that people call the same. */
async function entitiesNamed(kb: View, name: string): Promise<readonly string[]> {
  const key = nameKey(name)
  const named = key === '' ? [] : await kb.store.named([key])
  const same = named.filter(({ path, title }) => isEntityPath(path) && nameKey(title) === key)
  return same.map(({ path }) => entityIdOf(path))
}

/** How many of them are named. */
const NAMED = 3

/** Asked before and not told afterwards: what is in a graph is never taken out again. */
function namesake(name: string, ids: readonly string[]): KnowledgeError {
  const others = ids.slice(0, NAMED).map((id) => `${ENTITY_SCHEME}${id}`)
  return new KnowledgeError(
    'exists',
    `${quoted(name)} is the name of ${others.join(', ')} already.`,
    'If it is the same, relate that one. If it is another one of that name, say same_name: true.',
    others,
  )
}

/** From an entity to an entity or a note. It is kept where the entity is. */
export async function addRelation(
  kb: View,
  draft: RelationDraft,
  { source }: RelateOptions = {},
): Promise<Recorded<AddedRelation>> {
  const graphs = openGraphs(kb, source)
  const src = await entityMeant(kb, draft.src, graphs)
  const open = graphs.find(({ graph }) => graph.findEntity(src)) ?? graphs[0]!
  const dst = knownId(draft.dst, [open.graph]) ?? (await endMeant(kb, draft.dst))
  return recordRelation(kb, open, { ...draft, src, dst: dst ?? draft.dst }, dst)
}

/** The graphs that may be added to, brought up to date. At least one. */
function openGraphs(kb: View, source: string | undefined): readonly WritableGraph[] {
  writingOf(kb)
  const all = [...kb.sources.values()].filter(({ graph }) => graph)
  if (all.length === 0) throw noGraph()
  const chosen = source === undefined ? all : all.filter(({ name }) => name === source)
  if (chosen.length === 0) throw notAGraph(source ?? '', all)
  const writable = chosen.flatMap(({ name, graph: open }) => {
    const graph = open!()
    graph.refresh()
    return graph.writer ? [{ source: name, graph, writer: graph.writer }] : []
  })
  if (writable.length === 0) throw readOnlyGraph(chosen[0]!.name)
  return writable
}

/** `entity:x` would mean either of them, and nobody could tell which. */
function refuseTwin(kb: View, source: string, id: string): void {
  for (const { name, graph: open } of kb.sources.values()) {
    const graph = name === source ? undefined : open?.()
    graph?.refresh()
    if (graph?.findEntity(id)) throw twin(id, name)
  }
}

/** The id of an entity, which may be given as `entity:<id>` or by its name. */
async function entityMeant(
  kb: View,
  text: string,
  graphs: readonly WritableGraph[],
): Promise<string> {
  const known = knownId(
    text,
    graphs.map(({ graph }) => graph),
  )
  if (known !== undefined) return known
  const id = await endMeant(kb, text)
  if (id === undefined || graphs.some(({ graph }) => graph.findEntity(id))) return id ?? text
  throw invalid(
    `${quoted(text)} is not an entity of this graph, so no relation can lead from it.`,
    'Begin at an entity: relate it to the note, or link to the entity from the text of the note.',
  )
}

/** An entity of a graph as its files are now, which the index may not know yet. */
function knownId(text: string, graphs: readonly EntityGraph[]): string | undefined {
  const bare = text.startsWith(ENTITY_SCHEME) ? text.slice(ENTITY_SCHEME.length) : text
  for (const id of [text, bare]) {
    const graph = graphs.find((each) => each.findEntity(id))
    if (graph) return graph.survivorOf(id)
  }
  return undefined
}

export interface Merged {
  /** The one that stays, or is its own again. */
  readonly id: string
  readonly source: string
  /** How it reads, or would read. */
  readonly text: string
  readonly file: string | undefined
  readonly warnings: Recorded<object>['warnings']
}

export interface MergeOptions extends RelateOptions {
  readonly dryRun?: boolean
}

/** Both are read as one under the id of `into`; `undefined` makes the first its own again. */
export async function mergeEntity(
  kb: View,
  id: string,
  into: string | undefined,
  { source, dryRun = false }: MergeOptions = {},
): Promise<Merged> {
  const bare = id.startsWith(ENTITY_SCHEME) ? id.slice(ENTITY_SCHEME.length) : id
  const graphs = openGraphs(kb, source)
  const open = graphs.find(({ graph }) => graph.findEntity(bare))
  const entity = open?.graph.findEntity(bare)
  // A preview shows the text: whoever does not see an entity is told of none.
  const isSeen = (one: string): boolean =>
    kb.sees({ source: open?.source ?? '', path: entityPath(one) })
  if (!open || !entity || !isSeen(bare)) {
    throw notFound(`There is no entity ${quoted(bare)}.`, 'Search for the id it goes by.')
  }
  const { graph } = open
  const survivor = into === undefined ? bare : knownId(into, [graph])
  if (survivor === undefined || !isSeen(survivor)) {
    throw notFound(
      `There is no entity ${quoted(into ?? '')} in the same graph.`,
      'Both are entities of one graph; two notes are merged with write.',
    )
  }
  const isOne = graph.survivorOf(bare) !== bare
  checkMerge(bare, survivor, { isOne, splits: into === undefined })
  const stays = graph.findEntity(survivor)!
  if (dryRun) {
    const text = graph.textOf(stays, into === undefined ? [] : [entity])
    return { id: survivor, source: open.source, text, file: undefined, warnings: [] }
  }
  const draft = { id: bare, ...(into !== undefined && { into: survivor }) }
  const { file, warnings } = await recordMerge(kb, open, draft)
  graph.refresh()
  const text = graph.textOf(graph.findEntity(survivor) ?? stays)
  return { id: survivor, source: open.source, text, file, warnings }
}

function checkMerge(
  id: string,
  survivor: string,
  { isOne, splits }: { readonly isOne: boolean; readonly splits: boolean },
): void {
  if (splits) {
    if (isOne) return
    throw invalid(
      `${quoted(id)} is an entity of its own already.`,
      'There is nothing to take back.',
    )
  }
  if (isOne) {
    throw invalid(
      `${quoted(id)} was merged into another one before.`,
      'Make it its own again first, with split: true.',
    )
  }
  if (survivor !== id) return
  throw invalid(
    `${quoted(id)} cannot be merged into itself, or into what was merged into it.`,
    'Name another entity in merge_into.',
  )
}

/**
 * What a relation calls its end: an entity's id, or a note's. Undefined when there is none. Here
 * an entity comes before a note of the same name.
 */
async function endMeant(kb: View, text: string): Promise<string | undefined> {
  const key =
    text.length > OFFERED_ID_LIMIT ? undefined : linkKey({ kind: 'relation', target: text })
  if (key === undefined) return undefined
  const named = entityNamed(text, await kb.store.named([key, nameKey(text)]))
  const [entity] = named === undefined ? [] : await kb.store.documents([named])
  const record = entity ?? (await findDocument(kb, text))
  if (!record) return undefined
  return isEntityPath(record.path) ? entityIdOf(record.path) : documentId(record)
}

function noGraph(): KnowledgeError {
  return unsupported(
    'This base has no graph of entities.',
    'Make a folder "knowledge/entities" in one of its folders, or give a source "kind: both" in cairn.yaml, and start again.',
  )
}

function notAGraph(source: string, all: readonly { readonly name: string }[]): KnowledgeError {
  return notFound(
    `There is no graph of entities in ${quoted(source)}.`,
    `Sources with a graph: ${all.map(({ name }) => name).join(', ')}.`,
  )
}

function whichGraph(graphs: readonly WritableGraph[]): KnowledgeError {
  return invalid(
    'Several sources have a graph of entities.',
    `Say which with source: ${graphs.map(({ source }) => source).join(', ')}.`,
  )
}

function readOnlyGraph(name: string): KnowledgeError {
  return forbidden(
    `The graph of ${quoted(name)} can only be read.`,
    'Serve a folder with "knowledge/" in it to add entities.',
  )
}

function twin(id: string, name: string): KnowledgeError {
  return alreadyThere(
    `There is already an entity ${quoted(id)} in ${quoted(name)}.`,
    'Entities are never changed. Choose another id, or relate the one that exists.',
  )
}
