/** Carries out a change that was planned. Only the holder of the lock may do this. */
import { isUtf8 } from 'node:buffer'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { FileEdit } from '../../domain/file-edit.ts'
import { masked } from '../../domain/safe-text.ts'
import { maySpanLines, withoutSecrets } from '../../domain/secrets.ts'
import { inSlices, Slices } from '../../kit/slices.ts'
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
import { recordPart } from './file-states.ts'
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

/** An operation and the files that it changes. */
export interface Step {
  readonly operation: Operation
  readonly edits: readonly FileEdit[]
}

/**
 * Writes down what is about to happen, does it, and says how it ended. Several steps share every
 * flush; one that edits what another has edited goes on from there, and the file is written once.
 * What fails in the middle is taken back; where that is not possible either, the error says what is
 * left of it, and so does the history.
 */
export async function carryOut(
  kb: View,
  writing: Writing,
  steps: readonly Step[],
): Promise<Replacement[]> {
  const { history, lock } = writing
  const operations = steps.map(({ operation }) => operation)
  const fence = (): void => lock.fence()
  const edits = merged(steps)
  const replaced: Replacement[] = []
  const changed: string[] = []
  const { flushed } = await history.begin(...operations)
  try {
    // The log is on disk before the first file changes; until then new contents are prepared.
    const ready = flushed.then(() => lock.requireHeld?.())
    ready.catch(() => {})
    for (const [source, group] of Map.groupBy(edits, ({ edit }) => edit.source)) {
      const changes = group.flatMap(({ edit, operation }) =>
        fileChanges(edit).map((change) => ({ ...change, operation })),
      )
      const options = { ready, fence }
      const files = await writerOf(kb, source).apply(changes, operations[0]!.id, options)
      const slices = new Slices()
      let last = 0
      for (const file of files) {
        if (slices.over) await slices.pause()
        last = indexOfEdit(group, file, last)
        const edit = group[last]?.edit
        if (edit?.before) replaced.push({ source, path: edit.path, before: edit.before, file })
      }
      changed.push(...group.map(({ edit }) => documentId(edit)))
    }
  } catch (error) {
    await flushed.catch(() => {})
    if (error instanceof LockLost) throw new LockLost([...changed, ...error.changed])
    throw await afterFailure(kb, writing, steps, error)
  }
  // The files are changed and flushed; a log that cannot say so now is settled by the next writer.
  const ids = operations.map(({ id }) => id)
  await history.settle(ids, 'done').catch((error: unknown) => {
    if (error instanceof LockLost) throw new LockLost(changed)
  })
  return replaced
}

/** What becomes of each file, and by which operation first: from there its old content is kept. */
interface MergedEdit {
  readonly edit: FileEdit
  readonly operation: string
}

function merged(steps: readonly Step[]): MergedEdit[] {
  const files = new Map<string, MergedEdit>()
  for (const { operation, edits } of steps) {
    for (const edit of edits.filter(isChange)) {
      const name = documentId(edit)
      const before = files.get(name)
      if (!before) files.set(name, { edit, operation: operation.id })
      else files.set(name, { ...before, edit: { ...before.edit, after: edit.after } })
    }
  }
  return [...files.values()]
}

/** Takes back what was changed. Gives what is to be told. */
async function afterFailure(
  kb: View,
  writing: Writing,
  steps: readonly Step[],
  error: unknown,
): Promise<unknown> {
  const edits = merged(steps).map(({ edit }) => edit)
  const [{ operation }] = steps as readonly [Step]
  const left = await takeBack(kb, writing, operation.id, edits)
  const isLeft = ({ edits }: Step): boolean =>
    left.some((each) => edits.some((edit) => documentId(edit) === documentId(each)))
  const over = steps.filter((step) => !isLeft(step)).map((step) => step.operation.id)
  if (over.length > 0) await writing.history.settle(over, 'failed').catch(() => {})
  if (left.length === 0) return error
  const names = left.flatMap(({ source, path, from = path }) =>
    [...new Set([from, path])].map((each) => documentId({ source, path: each })),
  )
  // Of several, those stay open, and the digests of their chain say what is in a file.
  if (steps.length > 1) return new PartlyChanged(error, names, undefined)
  try {
    const recorded = await recordPart(kb, writing, operation, operation.changes)
    return recorded === undefined ? error : new PartlyChanged(error, names, recorded)
  } catch {
    return new PartlyChanged(error, names, undefined)
  }
}

const NAMED_AT_MOST = 20

/** A change that could neither be made nor be taken back as a whole. */
export class PartlyChanged extends KnowledgeError {
  readonly documents: readonly string[]

  constructor(error: unknown, documents: readonly string[], recorded: string | undefined) {
    const why = error instanceof Error ? error.message : String(error)
    const shown = documents.slice(0, NAMED_AT_MOST).join(', ')
    const more = documents.length - NAMED_AT_MOST
    super(
      'unavailable',
      `${why} The change was made in part and could not be taken back: ${shown}${more > 0 ? ` and ${more} more` : ''}.`,
      recorded === undefined
        ? 'Look at these documents. What was begun is finished with the next change, or when the server starts again.'
        : `Nothing else was changed. What was made of it is the operation ${recorded} in the history: undo that when the files can be written again.`,
    )
    this.documents = documents
  }
}

/** Files come in the order of the edits, so the look begins where the last one was found. */
function indexOfEdit(edits: readonly MergedEdit[], file: ReplacedFile, start: number): number {
  for (let step = 0; step < edits.length; step++) {
    const index = (start + step) % edits.length
    const { path, from = path } = edits[index]!.edit
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
