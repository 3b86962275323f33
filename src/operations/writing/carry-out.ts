/** Carries out a change that was planned. Only the holder of the lock may do this. */
import { isUtf8 } from 'node:buffer'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { FileEdit } from '../../domain/file-edit.ts'
import { masked } from '../../domain/safe-text.ts'
import { maySpanLines, withoutSecrets } from '../../domain/secrets.ts'
import { inSlices, Slices } from '../../domain/slices.ts'
import type { FileBytes, ReplacedFile } from '../../domain/source.ts'
import { LockLost } from '../../domain/write-lock.ts'
import { isInsideCharacter, spliceBetween } from '../../editing/splice.ts'
import type { Splice } from '../../editing/splice.ts'
import { unifiedDiff } from '../../editing/unified-diff.ts'
import type {
  Author,
  Change,
  Operation,
  OperationKind,
  Surroundings,
} from '../../history/history.ts'
import { newOperationId } from '../../history/open-history.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'
import { recordPart } from './record-part.ts'
import { takeBack } from './take-back.ts'
import { digestOf, fileChanges, isChange, NOTHING, writerOf } from './written-files.ts'

export type { FileEdit } from '../../domain/file-edit.ts'
export { digestOf, isChange, writerOf, writingOf, writtenFolders } from './written-files.ts'

/** A diff is for a look; what a client cannot read costs it context. */
export const DIFF_LIMIT = 4_000

export async function operationOf(
  kind: OperationKind,
  by: Author,
  { edits, undoes }: { readonly edits: readonly FileEdit[]; readonly undoes?: readonly string[] },
): Promise<Operation> {
  const at = Date.now()
  // Of a move, a thousand files may change.
  const changes = await inSlices(edits.filter(isChange), changeOf)
  return {
    id: newOperationId(at),
    at,
    kind,
    by: {
      ...(by.client !== undefined && { client: by.client.slice(0, 200) }),
      ...(by.principal !== undefined && { principal: by.principal.slice(0, 200) }),
    },
    ...(undoes && { undoes }),
    changes,
  }
}

function changeOf(edit: FileEdit): Change {
  const { source, path, from, before, after } = edit
  const splice = spliceBetween(before?.bytes ?? NOTHING, after ?? NOTHING)
  return {
    source,
    path,
    ...(from !== undefined && { from }),
    before: before?.digest,
    after: after && digestOf(after),
    diff: diffOf(edit),
    ...(before && (!after || (from !== undefined && from !== path)) && leavingOf(before)),
    ...(after && edit.folders && { folders: edit.folders }),
    splice,
    ...(before && after && { around: surroundingsOf(before.bytes, splice) }),
  }
}

/** So many bytes before and behind an edit are written down: a few lines. */
const AROUND_BYTES = 300

function surroundingsOf(bytes: Uint8Array, { at, removed }: Splice): Surroundings {
  const end = at + removed.length
  let from = Math.max(0, at - AROUND_BYTES)
  let to = Math.min(bytes.length, end + AROUND_BYTES)
  // Whole characters only.
  while (from > 0 && from < at && isInsideCharacter(bytes, from)) from++
  while (to < bytes.length && to > end && isInsideCharacter(bytes, to)) to--
  return { before: bytes.subarray(from, at), behind: bytes.subarray(end, to) }
}

/** What a file was besides its bytes, for when it comes back. */
function leavingOf({ mode, uid, gid, link }: FileBytes) {
  return { attributes: { mode, uid, gid }, ...(link !== undefined && { link }) }
}

/** For a look, and without secrets: what undo works from is kept beside it, as it was. */
export function diffOf({ source, path, from, before, after }: FileEdit): string {
  const name = (at: string) => `${source}/${at}`
  const texts = [textOf(before?.bytes), textOf(after)]
  // A diff has few lines; all of a text is looked at only where a secret may have several.
  const [old = '', now = ''] = texts.some(maySpanLines) ? texts.map(withoutSecrets) : texts
  return unifiedDiff(
    old,
    now,
    before ? name(from ?? path) : '/dev/null',
    after ? name(path) : '/dev/null',
    masked,
  ).slice(0, DIFF_LIMIT)
}

function textOf(bytes: Uint8Array | undefined): string {
  if (!bytes) return ''
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : `(${bytes.length} bytes)\n`
}

/**
 * Writes down what is about to happen, does it, and says how it ended. What fails in the middle is
 * taken back; where that is not possible either, the error says what is left of it, and so does the
 * history.
 */
export async function carryOut(
  kb: View,
  writing: Writing,
  operation: Operation,
  edits: readonly FileEdit[],
): Promise<Replacement[]> {
  const { history, lock } = writing
  await (
    await history.begin(operation)
  ).flushed
  await lock.requireHeld?.()
  const changed = edits.filter(isChange)
  const replaced: Replacement[] = []
  try {
    for (const [source, group] of Map.groupBy(changed, (edit) => edit.source)) {
      const files = await writerOf(kb, source).apply(group.flatMap(fileChanges), operation.id)
      const slices = new Slices()
      let last = 0
      for (const file of files) {
        if (slices.over) await slices.pause()
        last = indexOfEdit(group, file, last)
        const edit = group[last]
        if (edit?.before) replaced.push({ source, path: edit.path, before: edit.before, file })
      }
    }
  } catch (error) {
    if (error instanceof LockLost) throw error
    throw await afterFailure(kb, writing, { operation, edits: changed, error })
  }
  // The files are changed and flushed; a log that cannot say so now is settled by the next writer.
  await history.settle(operation.id, 'done').catch((error: unknown) => {
    if (error instanceof LockLost) throw error
  })
  return replaced
}

interface Failure {
  readonly operation: Operation
  readonly edits: readonly FileEdit[]
  readonly error: unknown
}

/** Takes back what was changed. Gives what is to be told. */
async function afterFailure(
  kb: View,
  writing: Writing,
  { operation, edits, error }: Failure,
): Promise<unknown> {
  const left = await takeBack(kb, operation, edits)
  if (left.length === 0) {
    await writing.history.settle(operation.id, 'failed').catch(() => {})
    return error
  }
  const names = left.flatMap(({ source, path, from = path }) =>
    [...new Set([from, path])].map((each) => documentId({ source, path: each })),
  )
  try {
    const recorded = await recordPart(kb, writing, operation, operation.changes)
    return recorded ? partlyChanged(error, names, recorded) : error
  } catch {
    // It stays open, and is settled by whoever writes next.
    return partlyChanged(error, names, undefined)
  }
}

const NAMED_AT_MOST = 20

function partlyChanged(
  error: unknown,
  documents: readonly string[],
  recorded: string | undefined,
): KnowledgeError {
  const why = error instanceof Error ? error.message : String(error)
  const shown = documents.slice(0, NAMED_AT_MOST).join(', ')
  const more = documents.length - NAMED_AT_MOST
  return new KnowledgeError(
    'unavailable',
    `${why} The change was made in part and could not be taken back: ${shown}${more > 0 ? ` and ${more} more` : ''}.`,
    recorded === undefined
      ? 'Look at these documents. What was begun is finished with the next change, or when the server starts again.'
      : `Nothing else was changed. What was made of it is the operation ${recorded} in the history: undo that when the files can be written again.`,
  )
}

/** Files come in the order of the edits, so the look begins where the last one was found. */
function indexOfEdit(edits: readonly FileEdit[], file: ReplacedFile, start: number): number {
  for (let step = 0; step < edits.length; step++) {
    const index = (start + step) % edits.length
    const { path, from = path } = edits[index]!
    if (file.isOf(path) || file.isOf(from)) return index
  }
  return edits.length
}

/** A file that an operation replaced, and what it was known to hold. */
export interface Replacement {
  readonly source: string
  readonly path: string
  readonly before: FileBytes
  readonly file: ReplacedFile
}
