/** Takes operations back, as one operation that can itself be taken back. */
import { documentId } from '../../domain/document.ts'
import {
  KnowledgeError,
  conflict,
  invalid,
  notFound,
  quoted,
  unavailable,
} from '../../domain/error.ts'
import { Slices } from '../../kit/slices.ts'
import { takeBackNear } from '../../editing/find-edit.ts'
import { mergeText } from '../../editing/merge-text.ts'
import { revertSplice } from '../../editing/splice.ts'
import type { Change, LoggedOperation } from '../../history/history.ts'
import { digestOf, writerOf, writingOf } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { changeFiles } from './change-files.ts'
import type { Plan, WriteOptions, WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { eachSince } from './each-since.ts'
import { operationsMeant } from './history-names.ts'
import { historyNow, isOperationId } from './list-history.ts'
import { loadRested } from './load-rested.ts'
import { Unread, unreadIn } from './unread-history.ts'
import { pathNow, versionsOf } from './versions-of.ts'

export interface UndoRequest {
  /** This operation. Without any of these fields: the last one that was not taken back. */
  readonly operation?: string
  /** Everything from the first operation at or after this instant, milliseconds since the epoch. */
  readonly since?: number
  /** Everything this client or principal did. */
  readonly by?: string
  /** Only operations on this document; alone: the last one. */
  readonly id?: string
}

/** An operation that stays, because a later change would be lost with it. */
export interface UndoConflict {
  readonly operation: string
  readonly reason: string
}

export interface UndoResult extends WriteResult {
  /** Ids of the operations that were taken back, newest first. */
  readonly undone: readonly string[]
  readonly conflicts: readonly UndoConflict[]
}

/**
 * Takes back what can be taken back, and says what cannot. A later edit elsewhere in the same file
 * stays. Throws `conflict` when nothing can be taken back; then nothing is changed.
 */
export async function undoChanges(
  kb: View,
  request: UndoRequest,
  options: WriteOptions,
): Promise<UndoResult> {
  let undone: readonly string[] = []
  let conflicts: readonly UndoConflict[] = []
  let unread = new Unread()
  const result = await changeFiles(kb, 'undo', options, async () => {
    unread = new Unread()
    const plan = await planUndo(kb, await selectOperations(kb, request, unread))
    undone = plan.undoes
    conflicts = plan.conflicts
    return { ...plan, stays: conflicts.map(({ operation }) => operation) }
  })
  const warnings = [...unread.warnings, ...result.warnings]
  return { ...result, warnings, undone, conflicts }
}

/**
 * Brings a deleted document back to its place, or into a document what another program had saved
 * to it. `id` is the document's or the operation's.
 */
export function restoreDocument(kb: View, id: string, options: WriteOptions): Promise<WriteResult> {
  return changeFiles(kb, 'restore', options, async () => {
    const { operation, index } = await findLost(kb, id)
    const unknown = unknownSource(kb, operation)
    if (unknown !== undefined) throw otherName(operation, unknown)
    const change = (await writingOf(kb).history.changesOf(operation))[index]!
    const { source, attributes, link, splice } = change
    if (operation.kind === 'overtaken') {
      const before = await loadRested(kb, source, change.path)
      return { edits: [{ source, path: change.path, before, after: splice.added }] }
    }
    // Throws `exists` when the place was taken since.
    const path = await writerOf(kb, source).place(change.path, { returning: true })
    const after = splice.removed
    const removedBy = operation.id
    return { edits: [{ source, path, before: undefined, after, attributes, link, removedBy }] }
  })
}

/** Newest first. An undo is taken back only when it is named: the next undo goes further back. */
async function selectOperations(
  kb: View,
  request: UndoRequest,
  unread: Unread,
): Promise<LoggedOperation[]> {
  const { operation: named, since, by } = request
  if (named !== undefined) return [await namedOperation(kb, named)]
  const isMeant = await operationsMeant(kb, request)
  const many = since !== undefined || by !== undefined
  const found: LoggedOperation[] = []
  await eachSince(
    writingOf(kb).history,
    since,
    (operation) => {
      const standing = operation.state === 'done' && operation.undoneBy === undefined
      // Asked about every operation, as it follows a document through its moves.
      const meant = isMeant(operation)
      if (standing && meant && operation.kind !== 'undo') found.push(operation)
      return many || found.length === 0
    },
    { now: await historyNow(kb), unread: unread.count },
  )
  // All that was looked at is newer than what was found.
  if (!many && unread.any) throw lastUnknown(unread, found[0])
  if (found.length > 0) return found
  throw notFound(
    'There is no change to undo that fits.',
    'Use history with action list to see what was changed.',
  )
}

function lastUnknown({ text }: Unread, found: LoggedOperation | undefined): KnowledgeError {
  const readable = found ? `, such as ${found.id}, the last that can be read` : ''
  return unavailable(
    `It is not known which change was the last: ${text}.`,
    `Nothing was changed. Name the operation to undo${readable}, or run "cairn doctor".`,
  )
}

async function namedOperation(kb: View, id: string): Promise<LoggedOperation> {
  const operation = await writingOf(kb).history.find(id)
  if (!operation) {
    const unread = await unreadIn(writingOf(kb).history)
    throw notFound(
      unread.any
        ? `There is no operation ${quoted(id)} that can be read: ${unread.text}.`
        : `There is no operation ${quoted(id)}.`,
      `Use history with action list to see the operations${unread.any ? ', and "cairn doctor" for what is damaged' : ''}.`,
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
  readonly bytes: Uint8Array | undefined
  /** Where the file is that moves back here. */
  readonly like?: string
  /** What it was besides its bytes, when it comes back from nowhere. */
  readonly attributes?: FileEdit['attributes']
  readonly link?: string
  readonly removedBy?: string
  /** Folders that came with it and go with it. */
  readonly folders?: number
}

interface UndoPlan extends Plan {
  readonly undoes: readonly string[]
  readonly conflicts: readonly UndoConflict[]
}

async function planUndo(kb: View, operations: readonly LoggedOperation[]): Promise<UndoPlan> {
  const drafts = new Map<string, Draft>()
  const undoes: string[] = []
  const conflicts: UndoConflict[] = []
  for (const operation of operations) {
    const unknown = unknownSource(kb, operation)
    if (unknown !== undefined) {
      if (operations.length === 1) throw otherName(operation, unknown)
      const reason = `there is no source ${quoted(unknown)} here`
      conflicts.push({ operation: operation.id, reason })
      continue
    }
    const taken = await takeBack(kb, operation, drafts)
    if ('reason' in taken) {
      conflicts.push({ operation: operation.id, reason: taken.reason })
      continue
    }
    // All files of an operation or none.
    for (const [id, draft] of taken.drafts) drafts.set(id, draft)
    undoes.push(operation.id)
  }
  if (undoes.length === 0) throw wouldLose(conflicts)
  // What moves back first, what goes last: the content is never without a name.
  const rank = ({ bytes, like }: Draft) => (bytes === undefined ? 2 : like === undefined ? 1 : 0)
  const ordered = [...drafts.values()].toSorted((a, b) => rank(a) - rank(b))
  return {
    edits: ordered.map(({ bytes, ...draft }) => ({ ...draft, after: bytes })),
    undoes,
    conflicts,
  }
}

/** The folder may be served under another name since, and only whoever serves it knows. */
function unknownSource(kb: View, { changes }: LoggedOperation): string | undefined {
  return changes.find(({ source }) => !kb.sources.has(source))?.source
}

function otherName({ id }: LoggedOperation, source: string): KnowledgeError {
  return notFound(
    `The operation ${id} changed documents of the source ${quoted(source)}, and there is none of that name here.`,
    `Nothing was changed. Where the folder has another name now, open it under the one it had: cairn undo ${id} --folder ${quoted(`${source}=PATH`)}.`,
  )
}

type Taken = { readonly drafts: ReadonlyMap<string, Draft> } | { readonly reason: string }

/** Undoes one operation on top of the drafts; says what would be lost where that is not possible. */
async function takeBack(
  kb: View,
  operation: LoggedOperation,
  known: ReadonlyMap<string, Draft>,
): Promise<Taken> {
  const drafts = new Map<string, Draft>()
  const draftOf = async (source: string, path: string): Promise<Draft> => {
    const id = documentId({ source, path })
    const found = drafts.get(id) ?? known.get(id)
    if (found) return found
    const before = await loadRested(kb, source, path)
    return { source, path, before, bytes: before?.bytes }
  }
  const put = (draft: Draft): void => void drafts.set(documentId(draft), draft)
  let changes: readonly Change[]
  try {
    changes = await writingOf(kb).history.changesOf(operation)
  } catch (error) {
    if (error instanceof KnowledgeError) return { reason: error.message }
    throw error
  }
  // A move may have changed thousands of files.
  const slices = new Slices()
  for (const [index, change] of changes.entries()) {
    if (slices.over) await slices.pause()
    const { source, from, before, after, attributes, link } = change
    const moved = from !== undefined && from !== change.path
    const there = await draftOf(source, change.path)
    const gone = !moved && after !== undefined && !there.bytes
    // A file that moved since is changed where it is now.
    const path = gone ? await pathNow(kb, operation, change) : change.path
    const id = documentId({ source, path })
    const draft = gone ? await draftOf(source, path) : there
    const later = () => laterChanges(kb, operation, id)
    const origin = moved ? await draftOf(source, from) : draft
    if (moved && origin.bytes) return { reason: `${documentId(origin)} exists again` }
    if (after === undefined) {
      if (draft.bytes) return { reason: `${id} exists again${await later()}` }
    } else if (!draft.bytes) {
      return { reason: `${id} is gone${await later()}` }
    }
    const unchanged = (draft.bytes && digestOf(draft.bytes)) === after
    if (before === undefined && !unchanged) return { reason: `${edited(id)}${await later()}` }
    const bytes = unchanged
      ? revertSplice(draft.bytes ?? NOTHING, change.splice)
      : await mergedBack(kb, { operation, index, change }, draft.bytes!)
    if (!bytes) return { reason: `${edited(id)}${await later()}` }
    if (unchanged && before !== undefined && digestOf(bytes) !== before) {
      return { reason: `what history holds of ${id} is damaged` }
    }
    const { folders } = change
    if (moved) put({ ...draft, bytes: undefined, ...(folders && { folders }) })
    const back = before === undefined ? undefined : bytes
    put({
      ...origin,
      bytes: back,
      ...(back === undefined && folders && { folders }),
      ...(moved && { like: draft.like ?? path }),
      ...((moved || after === undefined) && { attributes, link }),
      ...(after === undefined && { removedBy: operation.id }),
    })
  }
  return { drafts }
}

/** The file without one change and with everything that came later; undefined where both meet. */
async function mergedBack(
  kb: View,
  { operation, index, change }: { operation: LoggedOperation; index: number; change: Change },
  now: Uint8Array,
): Promise<Uint8Array | undefined> {
  const versions = await versionsOf(kb, operation, operation.changes[index]!)
  if (versions) return mergeText(versions.after, now, versions.before)
  // Someone edited the file by other means: find the place by what stood around it.
  return change.around && takeBackNear(now, change.splice, change.around)
}

function edited(id: string): string {
  return `${id} was edited since in the same place`
}

const NOTHING = new Uint8Array()

/** Who changed a document after an operation, so that one can look at it or undo it first. */
async function laterChanges(kb: View, operation: LoggedOperation, id: string): Promise<string> {
  const later: string[] = []
  const isMeant = await operationsMeant(kb, { id })
  await writingOf(kb).history.each((each) => {
    if (each.id === operation.id || later.length >= LATER_SHOWN) return false
    const standing = each.state === 'done' && each.undoneBy === undefined
    if (isMeant(each) && standing) later.push(`${each.kind} ${each.id}`)
    return true
  })
  return later.length > 0 ? `, by ${later.join(', ')}` : ', by no operation of Cairn'
}

const LATER_SHOWN = 5
const CONFLICTS_SHOWN = 10

function wouldLose(conflicts: readonly UndoConflict[]): KnowledgeError {
  const shown = conflicts
    .slice(0, CONFLICTS_SHOWN)
    .map(({ reason }) => reason)
    .join('; ')
  const more = conflicts.length - CONFLICTS_SHOWN
  return conflict(
    `Undoing this would lose later edits: ${shown}${more > 0 ? `; and ${more} more` : ''}.`,
    'Nothing was changed. Undo the later changes first, or look at history with action diff and edit by hand.',
  )
}

/** The newest deletion of a document that was not taken back; what was overtaken only by its id. */
async function findLost(
  kb: View,
  id: string,
): Promise<{ readonly operation: LoggedOperation; readonly index: number }> {
  const { history } = writingOf(kb)
  let found: { operation: LoggedOperation; index: number } | undefined
  if (isOperationId(id)) {
    const operation = await history.find(id)
    const index = operation?.changes.findIndex(({ after }) => after === undefined) ?? -1
    if (operation?.kind === 'overtaken') return { operation, index: 0 }
    if (operation?.state === 'done' && index >= 0) return { operation, index }
  } else {
    const isMeant = await operationsMeant(kb, { id })
    await history.each((operation) => {
      if (!isMeant(operation) || operation.state !== 'done') return true
      const index = operation.changes.findIndex(
        (change) => change.after === undefined && isMeant({ ...operation, changes: [change] }),
      )
      if (index >= 0) found = { operation, index }
      return found === undefined
    })
  }
  if (found) return found
  throw notFound(
    `No deleted document ${quoted(id)} is known.`,
    'Use history with action list to see what was deleted.',
  )
}
