/**
 * Carries out a change that was planned, and settles what a killed process left of one. Only the
 * holder of the lock may do this.
 */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import type { FileEdit } from '../../domain/file-edit.ts'
import { inSlices, Slices } from '../../domain/slices.ts'
import type { FileBytes, FileChange, ReplacedFile, SourceWriter } from '../../domain/source.ts'
import { LockLost } from '../../domain/write-lock.ts'
import { applySplice, isInsideCharacter, spliceBetween } from '../../editing/splice.ts'
import type { Splice } from '../../editing/splice.ts'
import { unifiedDiff } from '../../editing/unified-diff.ts'
import type {
  Author,
  Change,
  ChangeRecord,
  LoggedOperation,
  Operation,
  OperationKind,
  Surroundings,
} from '../../history/history.ts'
import { newOperationId } from '../../history/open-history.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'

export type { FileEdit } from '../../domain/file-edit.ts'

/** A diff is for a look; what a client cannot read costs it context. */
export const DIFF_LIMIT = 4_000

/** Folders whose files a writer of this base may change. */
export function writtenFolders({ sources }: View): string[] {
  return [...sources.values()]
    .filter(({ writer, inDatabase }) => writer && !inDatabase)
    .map(({ root }) => root)
}

export function writingOf(kb: View): Writing {
  if (kb.writing) return kb.writing
  throw new KnowledgeError(
    'forbidden',
    'This base is served for reading only.',
    'Start the server without --read-only to change documents.',
  )
}

export function writerOf(kb: View, source: string): SourceWriter {
  const found = kb.sources.get(source)
  if (found?.writer) return found.writer
  throw new KnowledgeError(
    found ? 'forbidden' : 'not_found',
    found
      ? `The source ${quoted(source)} can only be read.`
      : `There is no source ${quoted(source)}.`,
    `The sources are: ${[...kb.sources.keys()].join(', ')}.`,
  )
}

export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

export function isChange({ from, path, before, after }: FileEdit): boolean {
  if (from !== undefined && from !== path) return true
  if (!before || !after) return before !== after
  return Buffer.compare(before.bytes, after) !== 0
}

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

const NOTHING = new Uint8Array()

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

export function diffOf({ source, path, from, before, after }: FileEdit): string {
  const name = (at: string) => `${source}/${at}`
  return unifiedDiff(
    textOf(before?.bytes),
    textOf(after),
    before ? name(from ?? path) : '/dev/null',
    after ? name(path) : '/dev/null',
  ).slice(0, DIFF_LIMIT)
}

function textOf(bytes: Uint8Array | undefined): string {
  if (!bytes) return ''
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : `(${bytes.length} bytes)\n`
}

/** Writes down what is about to happen, does it, and says how it ended. */
export async function carryOut(
  kb: View,
  { history, lock }: Writing,
  operation: Operation,
  edits: readonly FileEdit[],
): Promise<Replacement[]> {
  await history.begin(operation)
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
    const back = await takeBack(kb, operation, changed)
    // What could not be taken back stays open, and is settled by whoever writes next.
    if (back) await history.settle(operation.id, 'failed').catch(() => {})
    throw error
  }
  // The files are changed and flushed; a log that cannot say so now is settled by the next writer.
  await history.settle(operation.id, 'done').catch((error: unknown) => {
    if (error instanceof LockLost) throw error
  })
  return replaced
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

/** A move writes the new place first, so that the content is never without a name. */
function fileChanges(edit: FileEdit): FileChange[] {
  const { path, from, like, attributes, link, removedBy, before, after } = edit
  const more = { like, attributes, link, removedBy }
  if (from === undefined || from === path) {
    return [{ path, expect: before?.digest, bytes: after, ...more }]
  }
  return [
    { path, expect: undefined, bytes: after, ...more, like: from },
    { path: from, expect: before?.digest, bytes: undefined },
  ]
}

/**
 * Puts the files of a group that failed in the middle back. True when all are as before. What was
 * changed is told by the files themselves: a call may fail and have taken effect all the same.
 */
async function takeBack(
  kb: View,
  { id, changes }: Operation,
  edits: readonly FileEdit[],
): Promise<boolean> {
  try {
    for (const [index, { source, path, from, before, after }] of edits.entries()) {
      const state = await stateOf(kb, changes[index]!)
      if (state === 'before' || state === 'other') continue
      const writer = writerOf(kb, source)
      const moved = from !== undefined && from !== path
      if (before && !(await writer.load(from ?? path))) {
        const { bytes, mode, uid, gid, link } = before
        const attributes = { mode, uid, gid }
        await writer.apply(
          [{ path: from ?? path, expect: undefined, bytes, like: path, attributes, link }],
          id,
        )
      }
      const now = await writer.load(path)
      if (now && after && now.digest === digestOf(after)) {
        const bytes = moved ? undefined : before?.bytes
        await writer.apply([{ path, expect: now.digest, bytes }], id)
      }
    }
    return true
  } catch {
    return false
  }
}

/**
 * An operation that nobody said the end of: its process was killed. A single file holds the old or
 * the new content, which says it all. A group that was begun is finished, as its last files were
 * as good as promised; one that was not begun never happened.
 */
export async function settleOpen(kb: View, { history }: Writing): Promise<void> {
  bringBackNameless(kb)
  const operation = await history.unsettled()
  if (!operation) return
  await putBackMissing(kb, operation)
  const contents = await history.changesOf(operation).catch(() => [])
  const states: ChangeState[] = []
  for (const change of operation.changes) states.push(await stateOf(kb, change))
  const begun = states.includes('after') || states.includes('between')
  const finished: ChangeRecord[] = []
  for (const [index, change] of operation.changes.entries()) {
    const writer = kb.sources.get(change.source)?.writer
    await writer?.sweep([change.path, ...(change.from === undefined ? [] : [change.from])])
    const state = states[index]
    if (begun && (state === 'before' || state === 'between')) {
      const whole = contents[index]
      // A content that history has lost: the file stays as it is.
      if (whole) await finish(kb, operation.id, whole)
    }
    if (begun && state !== 'other') finished.push(change)
  }
  await history.settle(operation.id, begun ? 'done' : 'failed')
  for (const { source, path, from } of finished) {
    kb.noticeChange(source, path)
    if (from !== undefined) kb.noticeChange(source, from)
  }
}

/**
 * Gives files their names back that a killed process had moved aside, whichever base it wrote for.
 * True when there were any.
 */
export function bringBackNameless(
  { sources, noticeChange }: View,
  beside: readonly { readonly source: string; readonly path: string }[] = [],
): boolean {
  let found = false
  for (const { name: source, writer } of sources.values()) {
    const paths = beside.filter((each) => each.source === source).map(({ path }) => path)
    for (const file of writer?.nameless(paths) ?? []) {
      try {
        if (!file.bringBack() || file.path === undefined) continue
      } catch {
        // What cannot be given its name now is kept, and the next to come tries again.
        continue
      }
      found = true
      noticeChange(source, file.path)
    }
  }
  return found
}

/** The same where nothing but the operation that is open says what a file was called. */
async function putBackMissing(kb: View, { id, changes }: LoggedOperation): Promise<void> {
  for (const { source, path, from, after } of changes) {
    const writer = kb.sources.get(source)?.writer
    const place = from ?? path
    // What was to go, or to move, is gone because that was done.
    if (!writer || after === undefined || place !== path) continue
    try {
      if (await writer.load(path)) continue
      for (const file of writer.replaced()) {
        if (file.operation === id && file.isOf(path)) file.putBack(path)
      }
    } catch {
      // What cannot be looked at now is looked at by the next writer.
    }
  }
}

type ChangeState =
  | 'before'
  | 'after'
  /** A move whose new file is there and whose old one is too. */
  | 'between'
  /** Someone else changed it since. */
  | 'other'

async function stateOf(
  kb: View,
  { source, path, from, before, after }: ChangeRecord,
): Promise<ChangeState> {
  const writer = kb.sources.get(source)?.writer
  if (!writer) return 'other'
  try {
    const now = (await writer.load(path))?.digest
    if (from === undefined || from === path) {
      return now === after ? 'after' : now === before ? 'before' : 'other'
    }
    const old = (await writer.load(from))?.digest
    if (now === after) return old === undefined ? 'after' : old === before ? 'between' : 'other'
    return now === undefined && old === before ? 'before' : 'other'
  } catch {
    return 'other'
  }
}

/** Does what is left of a change. A file that cannot be written now keeps its old content. */
async function finish(kb: View, operation: string, change: Change): Promise<void> {
  const { source, path, from, before, after, splice } = change
  const writer = writerOf(kb, source)
  try {
    const file = await writer.load(from ?? path)
    if (file?.digest !== before) return
    const bytes = after === undefined ? undefined : applySplice(file?.bytes ?? NOTHING, splice)
    const at = { source, path, before: file, after: bytes }
    const { attributes, link } = change
    const edit: FileEdit = { ...at, from, attributes, link }
    const left: FileChange[] = []
    for (const each of fileChanges(edit)) {
      if ((await writer.load(each.path))?.digest === each.expect) left.push(each)
    }
    await writer.apply(left, operation)
  } catch {
    // The next scan and the history's own digests show what is there.
  }
}
