/**
 * Adds to one graph, and to the index, so that the next call of any surface finds it. Where another
 * server writes the files of the graph, the addition travels there, and what became of it back.
 */
import { randomInt } from 'node:crypto'
import { entityPath } from '../../domain/entity-document.ts'
import { GraphError } from '../../domain/entity-graph.ts'
import type {
  AddedEntity,
  AddEntityOptions,
  AddedRelation,
  EntityDraft,
  EntityGraph,
  GraphAddition,
  GraphWriter,
  RelationDraft,
} from '../../domain/entity-graph.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { SentAddition, SentAnswer } from '../../domain/homes.ts'
import { storedTime } from '../../domain/stored-time.ts'
import type { Warning } from '../../domain/warning.ts'
import { newOperationId } from '../../history/open-history.ts'
import { trunkOf } from '../view/narrow-base.ts'
import { wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { writingOf } from '../writing/carry-out.ts'
import { putIntoIndex } from '../writing/put-into-index.ts'

/** A graph that may be added to, and the source it belongs to. */
export interface WritableGraph {
  readonly source: string
  readonly graph: EntityGraph
  readonly writer: GraphWriter
}

export type Recorded<Added> = Added & {
  readonly source: string
  readonly warnings: readonly Warning[]
}

export async function recordEntity(
  kb: View,
  open: WritableGraph,
  draft: EntityDraft,
  options: Pick<AddEntityOptions, 'anyCategory'> = {},
): Promise<Recorded<AddedEntity>> {
  return (await record(kb, open, { kind: 'entity', draft, ...options })) as Recorded<AddedEntity>
}

/** `knownEnd` is an end that exists, although it may be no entity of this graph. */
export async function recordRelation(
  kb: View,
  open: WritableGraph,
  draft: RelationDraft,
  knownEnd?: string,
): Promise<Recorded<AddedRelation>> {
  const addition = { kind: 'relation' as const, draft, ...(knownEnd !== undefined && { knownEnd }) }
  return (await record(kb, open, addition)) as Recorded<AddedRelation>
}

type Added = AddedEntity | AddedRelation

async function record(
  kb: View,
  open: WritableGraph,
  addition: GraphAddition,
): Promise<Recorded<Added>> {
  const { source } = open
  const { homes } = writingOf(kb)
  if (!homes || (await homes.whereAre([source])) === 'here') return recordHere(kb, open, addition)
  const dated = withTime(addition)
  const sent = { id: newOperationId(Date.now()), source, addition: dated }
  const answer = await homes.send(sent, [source])
  if (answer.kind === 'here') return recordHere(kb, open, dated)
  if (answer.kind === 'done') return { ...answer.added!, source, warnings: answer.warnings }
  const { code, message, hint, refusal } = answer
  if (refusal) throw new GraphError(refusal, code, message, hint)
  throw new KnowledgeError(code, message, hint)
}

/**
 * What another server was asked to add. One that was killed in the middle may have added it: a line
 * with this very time is the one that was sent.
 */
export async function receiveAddition(
  view: View,
  { source, addition }: SentAddition,
): Promise<SentAnswer> {
  const kb = wholeView(trunkOf(view.base))
  try {
    const graph = kb.sources.get(source)?.graph?.()
    if (!graph?.writer) throw noGraphHere(source)
    const open = { source, graph, writer: graph.writer }
    const { warnings, ...added } = await recordOnce(kb, open, addition)
    return { kind: 'done', warnings, added }
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    const { code, message, hint } = error
    const refusal = error instanceof GraphError ? { refusal: error.refusal } : {}
    return { kind: 'refused', raced: false, code, message, hint, ...refusal }
  }
}

async function recordOnce(
  kb: View,
  open: WritableGraph,
  addition: GraphAddition,
): Promise<Recorded<Added>> {
  const { graph, source } = open
  graph.refresh()
  if (addition.kind === 'entity') {
    const { id, updatedAt } = addition.draft
    const entity = graph.findEntity(id)
    if (entity === undefined || entity.updatedAt !== updatedAt)
      return recordHere(kb, open, addition)
    const added = { entity, category: entity.category, file: entity.origin.file }
    return { ...added, source, warnings: await indexEntity(kb, source, id) }
  }
  const { src, createdAt } = addition.draft
  const recorded = (await recordHere(kb, open, addition)) as Recorded<AddedRelation>
  if (recorded.created || recorded.relation.createdAt !== createdAt) return recorded
  return { ...recorded, created: true, warnings: await indexEntity(kb, source, src) }
}

async function recordHere(
  kb: View,
  { source, graph, writer }: WritableGraph,
  addition: GraphAddition,
): Promise<Recorded<Added>> {
  if (addition.kind === 'entity') {
    const { anyCategory = false } = addition
    const added = await writer.addEntity(addition.draft, { anyCategory })
    return { ...added, source, warnings: await indexEntity(kb, source, addition.draft.id) }
  }
  const { draft, knownEnd } = addition
  const added = await writer.addRelation(draft, {
    endExists: (id) => graph.findEntity(id) !== undefined || (id !== draft.src && id === knownEnd),
  })
  const warnings = added.created ? await indexEntity(kb, source, draft.src) : []
  return { ...added, source, warnings }
}

/** To a microsecond of which three digits are drawn by lot. */
function withTime(addition: GraphAddition): GraphAddition {
  const time = `${storedTime(new Date()).slice(0, -3)}${String(randomInt(1_000)).padStart(3, '0')}`
  return addition.kind === 'entity'
    ? { ...addition, draft: { ...addition.draft, updatedAt: addition.draft.updatedAt ?? time } }
    : { ...addition, draft: { ...addition.draft, createdAt: addition.draft.createdAt ?? time } }
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

function noGraphHere(source: string): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `The server that writes the files of ${source} finds no graph of entities there.`,
    'Nothing was added. Start all servers of the base with the same folders.',
  )
}
