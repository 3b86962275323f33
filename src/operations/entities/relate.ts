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
  GraphWriter,
  RelationDraft,
} from '../../domain/entity-graph.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import { linkKey, nameKey } from '../../indexing/link-names.ts'
import { entityNamed } from '../../indexing/resolve-entity.ts'
import { writingOf } from '../writing/carry-out.ts'
import type { View } from '../view/view.ts'
import { putIntoIndex } from '../writing/put-into-index.ts'
import { findDocument } from '../reading/resolve-document.ts'

export interface RelateOptions {
  /** Which source, when several have a graph. */
  readonly source?: string
}

interface Added {
  readonly source: string
  readonly warnings: readonly Warning[]
}

/** Throws `exists` when any graph of the base has the id. */
export async function addEntity(
  kb: View,
  draft: EntityDraft,
  { source }: RelateOptions = {},
): Promise<AddedEntity & Added> {
  const graphs = openGraphs(kb, source)
  if (graphs.length > 1) throw whichGraph(graphs)
  const [{ name, writer }] = graphs as [OpenGraph]
  refuseTwin(kb, name, draft.id)
  return recordEntity(kb, { source: name, writer }, draft)
}

/** A graph that may be added to, and the source it belongs to. */
export interface WritableGraph {
  readonly source: string
  readonly writer: GraphWriter
}

/** Adds to this very graph, and to the index, so that the next call of any surface finds it. */
export async function recordEntity(
  kb: View,
  { source, writer }: WritableGraph,
  draft: EntityDraft,
): Promise<AddedEntity & Added> {
  const added = await writer.addEntity(draft)
  return { ...added, source, warnings: await indexEntity(kb, source, draft.id) }
}

/** `endExists` tells of ends that are no entities of this graph. */
export async function recordRelation(
  kb: View,
  { source, writer }: WritableGraph,
  draft: RelationDraft,
  options?: Parameters<GraphWriter['addRelation']>[1],
): Promise<AddedRelation & Added> {
  const added = await writer.addRelation(draft, options)
  const warnings = added.created ? await indexEntity(kb, source, draft.src) : []
  return { ...added, source, warnings }
}

/** From an entity to an entity or a note. It is kept where the entity is. */
export async function addRelation(
  kb: View,
  draft: RelationDraft,
  { source }: RelateOptions = {},
): Promise<AddedRelation & Added> {
  const graphs = openGraphs(kb, source)
  const src = await entityMeant(kb, draft.src, graphs)
  const { name, graph, writer } = graphs.find((each) => each.graph.findEntity(src)) ?? graphs[0]!
  const dst = knownId(draft.dst, [graph]) ?? (await endMeant(kb, draft.dst))
  return recordRelation(
    kb,
    { source: name, writer },
    { ...draft, src, dst: dst ?? draft.dst },
    { endExists: (id) => graph.findEntity(id) !== undefined || (id !== src && id === dst) },
  )
}

interface OpenGraph {
  readonly name: string
  readonly graph: EntityGraph
  readonly writer: GraphWriter
}

/** The graphs that may be added to, brought up to date. At least one. */
function openGraphs(kb: View, source: string | undefined): readonly OpenGraph[] {
  writingOf(kb)
  const all = [...kb.sources.values()].filter(({ graph }) => graph)
  if (all.length === 0) throw noGraph()
  const chosen = source === undefined ? all : all.filter(({ name }) => name === source)
  if (chosen.length === 0) throw notAGraph(source ?? '', all)
  const writable = chosen.flatMap(({ name, graph: open }) => {
    const graph = open!()
    graph.refresh()
    return graph.writer ? [{ name, graph, writer: graph.writer }] : []
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
async function entityMeant(kb: View, text: string, graphs: readonly OpenGraph[]): Promise<string> {
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
  return [text, bare].find((id) => graphs.some((graph) => graph.findEntity(id)))
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

/**
 * Read under the lock of the base: of two additions to one entity, the later is indexed last. The
 * line is on disk by now, so whatever keeps it from the index is a warning and no failure.
 */
async function indexEntity(kb: View, source: string, id: string): Promise<Warning[]> {
  const path = entityPath(id)
  try {
    return await writingOf(kb).lock.hold([], () => putIntoIndex(kb, [{ source, path }]))
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    kb.noticeChange(source, path)
    const message = `It is saved; the index will show it a little later (${error.message}).`
    return [{ kind: 'index', message }]
  }
}

function noGraph(): KnowledgeError {
  return new KnowledgeError(
    'unsupported',
    'This base has no graph of entities.',
    'Make a folder "knowledge/entities" in one of its folders, or give a source "kind: both" in cairn.yaml, and start again.',
  )
}

function notAGraph(source: string, all: readonly { readonly name: string }[]): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `There is no graph of entities in ${quoted(source)}.`,
    `Sources with a graph: ${all.map(({ name }) => name).join(', ')}.`,
  )
}

function whichGraph(graphs: readonly OpenGraph[]): KnowledgeError {
  return invalid(
    'Several sources have a graph of entities.',
    `Say which with source: ${graphs.map(({ name }) => name).join(', ')}.`,
  )
}

function readOnlyGraph(name: string): KnowledgeError {
  return new KnowledgeError(
    'forbidden',
    `The graph of ${quoted(name)} can only be read.`,
    'Serve a folder with "knowledge/" in it to add entities.',
  )
}

function twin(id: string, name: string): KnowledgeError {
  return new KnowledgeError(
    'exists',
    `There is already an entity ${quoted(id)} in ${quoted(name)}.`,
    'Entities are never changed. Choose another id, or relate the one that exists.',
  )
}
