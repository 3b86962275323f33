/**
 * Carries out what another server has planned, as if it had been asked here: lock, log, files,
 * index. One that is in the history already is not done again: it is said how it ended.
 */
import { GraphError } from '../../core/domain/entity-graph.ts'
import type { AddedRelation, GraphAddition } from '../../core/domain/entity-graph.ts'
import { KnowledgeError, unavailable } from '../../core/domain/error.ts'
import type { OperationState } from '../../core/history/history.ts'
import { indexEntity, recordHere } from '../../core/operations/entities/record-addition.ts'
import type { WritableGraph } from '../../core/operations/entities/record-addition.ts'
import { trunkOf } from '../../core/operations/view/narrow-base.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import type { View } from '../../core/operations/view/view.ts'
import { writerOf, writingOf, writtenFolders } from '../../core/operations/writing/carry-out.ts'
import type { FileEdit } from '../../core/operations/writing/carry-out.ts'
import { changeFiles } from '../../core/operations/writing/change-files.ts'
import type { Plan } from '../../core/operations/writing/change-files.ts'
import type { Recorded } from '../../core/operations/writing/place.ts'
import { recoverOpen } from '../../core/operations/writing/recover-open.ts'
import type { Sent, SentAddition, SentAnswer, SentChange } from './homes.ts'

export async function receiveSent(view: View, sent: Sent): Promise<SentAnswer> {
  return 'edits' in sent ? receiveChange(view, sent) : receiveAddition(view, sent)
}

async function receiveChange(view: View, change: SentChange): Promise<SentAnswer> {
  const kb = wholeView(trunkOf(view.base))
  const writing = writingOf(kb)
  const { id, kind, by } = change
  try {
    // Whoever began with it before may have been killed; now the history says how it ended.
    await writing.lock.hold(writtenFolders(kb), () => recoverOpen(kb, writing))
    const options = { by, operation: id }
    const { warnings } = await changeFiles(kb, kind, options, () => planOf(kb, change))
    return { kind: 'done', warnings }
  } catch (error) {
    if (error instanceof Known) return endOf(error.state)
    if (!(error instanceof KnowledgeError)) throw error
    // What was begun and failed had better be planned anew.
    const raced = error instanceof ChangedSince || error.code === 'exists'
    return refused(error, raced)
  }
}

/** The change as it was planned, as long as every file is what it was then. */
async function planOf(kb: View, { id, edits, undoes }: SentChange): Promise<Plan> {
  const known = await writingOf(kb).history.stateOf(id)
  if (known) throw new Known(known)
  const planned: FileEdit[] = []
  for (const edit of edits) {
    const before = await writerOf(kb, edit.source).load(edit.from ?? edit.path)
    if (before?.digest !== edit.before) throw new ChangedSince()
    planned.push({ ...edit, before })
  }
  return { edits: planned, undoes }
}

class Known extends Error {
  readonly state: OperationState

  constructor(state: OperationState) {
    super('known')
    this.state = state
  }
}

class ChangedSince extends KnowledgeError {
  constructor() {
    super(
      'conflict',
      'The document has changed since it was read.',
      'Nothing was changed. Fetch it again and repeat the edit.',
    )
  }
}

function endOf(state: OperationState): SentAnswer {
  if (state === 'done') return { kind: 'done', warnings: [] }
  const what = 'The server that writes these files was interrupted before the change was made.'
  return refused(unavailable(what, 'Nothing was changed. Try again.'), false)
}

function refused(error: KnowledgeError, raced: boolean): SentAnswer {
  const { code, message, hint } = error
  const refusal = error instanceof GraphError && { refusal: error.refusal }
  return { kind: 'refused', raced, code, message, hint, ...refusal }
}

/**
 * What another server was asked to add. One that was killed in the middle may have added it: a line
 * with this very time is the one that was sent.
 */
async function receiveAddition(
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
    return refused(error, false)
  }
}

async function recordOnce(
  kb: View,
  open: WritableGraph,
  addition: GraphAddition,
): Promise<Recorded> {
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
  // Twice the same is once: the line says so already.
  if (addition.kind === 'merge') return recordHere(kb, open, addition)
  const { src, createdAt } = addition.draft
  const recorded = (await recordHere(kb, open, addition)) as Recorded<AddedRelation>
  if (recorded.created || recorded.relation.createdAt !== createdAt) return recorded
  return { ...recorded, created: true, warnings: await indexEntity(kb, source, src) }
}

function noGraphHere(source: string): KnowledgeError {
  return unavailable(
    `The server that writes the files of ${source} finds no graph of entities there.`,
    'Nothing was added. Start all servers of the base with the same folders.',
  )
}
