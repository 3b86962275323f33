/** Takes operations back, as one operation that can itself be taken back. */
import { documentId } from '../../domain/document.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { revertSplice } from '../../editing/splice.ts'
import type { Change, LoggedOperation } from '../../history/history.ts'
import { digestOf, writerOf, writingOf } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { changeFiles } from './change-files.ts'
import type { Plan, WriteOptions, WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { matches } from './list-history.ts'
import { loadRested } from './load-rested.ts'

export interface UndoRequest {
  /** This operation. Without any of these fields: the last one that was not taken back. */
  readonly operation?: string
  /** Everything at or after this instant, milliseconds since the epoch. */
  readonly since?: number
  /** What this client or principal did: its last operation, or with `since` all of them. */
  readonly by?: string
  /** Only operations on this document. */
  readonly id?: string
}

export interface UndoResult extends WriteResult {
  /** Ids of the operations that were taken back, newest first. */
  readonly undone: readonly string[]
}

/** Throws `conflict` when a later edit would be lost, naming it; then nothing is changed. */
export async function undoChanges(
  kb: View,
  request: UndoRequest,
  options: WriteOptions,
): Promise<UndoResult> {
  let undone: readonly string[] = []
  const result = await changeFiles(kb, 'undo', options, async () => {
    const operations = await selectOperations(kb, request)
    undone = operations.map(({ id }) => id)
    return planUndo(kb, operations)
  })
  return { ...result, undone }
}

/**
 * Brings a deleted document back to its place, or into a document what another program had saved
 * to it. `id` is the document's or the operation's.
 */
export function restoreDocument(kb: View, id: string, options: WriteOptions): Promise<WriteResult> {
  return changeFiles(kb, 'restore', options, async () => {
    const { operation, index } = await findLost(kb, id)
    const change = (await writingOf(kb).history.changesOf(operation))[index]!
    const { source, attributes, link, splice } = change
    if (operation.kind === 'overtaken') {
      const before = await loadRested(kb, source, change.path)
      return { edits: [{ source, path: change.path, before, after: splice.added }] }
    }
    // Throws `exists` when the place was taken since.
    const path = writerOf(kb, source).place(change.path)
    const after = splice.removed
    return { edits: [{ source, path, before: undefined, after, attributes, link }] }
  })
}

/** Newest first. An undo is taken back only when it is named: the next undo goes further back. */
async function selectOperations(kb: View, request: UndoRequest): Promise<LoggedOperation[]> {
  const { history } = writingOf(kb)
  if (request.operation !== undefined) return [await namedOperation(kb, request.operation)]
  const found: LoggedOperation[] = []
  await history.each((operation) => {
    if (request.since !== undefined && operation.at < request.since) return false
    const standing = operation.state === 'done' && operation.undoneBy === undefined
    if (standing && operation.kind !== 'undo' && matches(operation, request)) found.push(operation)
    return request.since !== undefined || found.length === 0
  })
  if (found.length > 0) return found
  throw new KnowledgeError(
    'not_found',
    'There is no change to undo that fits.',
    'Use history with action list to see what was changed.',
  )
}

async function namedOperation(kb: View, id: string): Promise<LoggedOperation> {
  const operation = await writingOf(kb).history.find(id)
  if (!operation) {
    throw new KnowledgeError(
      'not_found',
      `There is no operation ${quoted(id)}.`,
      'Use history with action list to see the operations.',
    )
  }
  if (operation.undoneBy !== undefined) {
    throw invalid(
      `The operation ${operation.id} was already undone by ${operation.undoneBy}.`,
      `Undo ${operation.undoneBy} to have the change back.`,
    )
  }
  if (operation.state === 'done') return operation
  throw invalid(
    `The operation ${operation.id} did not take effect, so there is nothing to undo.`,
    'Use history with action list to see the operations.',
  )
}

/** What a file holds while the operations are taken back one by one, newest first. */
interface Draft {
  readonly source: string
  readonly path: string
  readonly before: FileEdit['before']
  bytes: Uint8Array | undefined
  /** Where the file is that moves back here. */
  like?: string
}

async function planUndo(kb: View, operations: readonly LoggedOperation[]): Promise<Plan> {
  const drafts = new Map<string, Draft>()
  const draftOf = (source: string, path: string): Draft => {
    const id = documentId({ source, path })
    let draft = drafts.get(id)
    if (!draft) {
      const before = writerOf(kb, source).load(path)
      draft = { source, path, before, bytes: before?.bytes }
      drafts.set(id, draft)
    }
    return draft
  }
  const conflicts: string[] = []
  for (const operation of operations) {
    for (const change of await writingOf(kb).history.changesOf(operation)) {
      const conflict = takeBack(change, draftOf)
      if (conflict === undefined) continue
      conflicts.push(`${conflict}${await laterChanges(kb, operation, documentId(change))}`)
    }
  }
  if (conflicts.length > 0) throw wouldLose(conflicts)
  // What moves back first, what goes last: the content is never without a name.
  const rank = ({ bytes, like }: Draft) => (bytes === undefined ? 2 : like === undefined ? 1 : 0)
  const ordered = [...drafts.values()].toSorted((a, b) => rank(a) - rank(b))
  return {
    edits: ordered.map(({ bytes, ...draft }) => ({ ...draft, after: bytes })),
    undoes: operations.map(({ id }) => id),
  }
}

const NOTHING = new Uint8Array()

/** Undoes one change in the drafts; says what would be lost when a file is not as it left it. */
function takeBack(
  change: Change,
  draftOf: (source: string, path: string) => Draft,
): string | undefined {
  const { source, path, from, before, after, splice } = change
  const draft = draftOf(source, path)
  const found = draft.bytes && digestOf(draft.bytes)
  if (found !== after) {
    const id = documentId({ source, path })
    if (found === undefined) return `${id} is gone`
    if (after === undefined) return `${id} exists again`
    return `${id} was edited since (its digest is ${found}, the change left ${after})`
  }
  const moved = from !== undefined && from !== path
  const origin = moved ? draftOf(source, from) : draft
  if (moved && origin.bytes) return `${documentId({ source, path: from })} exists again`
  const bytes = revertSplice(draft.bytes ?? NOTHING, splice)
  if (moved) {
    draft.bytes = undefined
    origin.like = draft.like ?? path
  }
  origin.bytes = before === undefined ? undefined : bytes
  return undefined
}

/** Who changed a document after an operation, so that one can look at it or undo it first. */
async function laterChanges(kb: View, operation: LoggedOperation, id: string): Promise<string> {
  const later: string[] = []
  await writingOf(kb).history.each((each) => {
    if (each.id === operation.id || later.length >= LATER_SHOWN) return false
    const standing = each.state === 'done' && each.undoneBy === undefined
    if (standing && matches(each, { id })) later.push(`${each.kind} ${each.id}`)
    return true
  })
  return later.length > 0 ? `, by ${later.join(', ')}` : ', by no operation of Cairn'
}

const LATER_SHOWN = 5
const CONFLICTS_SHOWN = 10

function wouldLose(conflicts: readonly string[]): KnowledgeError {
  const shown = conflicts.slice(0, CONFLICTS_SHOWN).join('; ')
  const more = conflicts.length - CONFLICTS_SHOWN
  return new KnowledgeError(
    'conflict',
    `Undoing this would lose later edits: ${shown}${more > 0 ? `; and ${more} more` : ''}.`,
    'Nothing was changed. Undo the later changes first, or look at history with action diff and edit by hand.',
  )
}

/** The newest deletion of a document that was not taken back; what was overtaken only by its id. */
async function findLost(
  kb: View,
  id: string,
): Promise<{ readonly operation: LoggedOperation; readonly index: number }> {
  let found: { operation: LoggedOperation; index: number } | undefined
  await writingOf(kb).history.each((operation) => {
    const named = operation.id === id
    if (named && operation.kind === 'overtaken') found = { operation, index: 0 }
    if (operation.state === 'done' && (named || matches(operation, { id }))) {
      const index = operation.changes.findIndex(
        (change) =>
          change.after === undefined &&
          (named || matches({ ...operation, changes: [change] }, { id })),
      )
      if (index >= 0) found = { operation, index }
    }
    return found === undefined
  })
  if (found) return found
  throw new KnowledgeError(
    'not_found',
    `No deleted document ${quoted(id)} is known.`,
    'Use history with action list to see what was deleted.',
  )
}
