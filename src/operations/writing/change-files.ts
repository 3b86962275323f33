/**
 * Every change of a document goes through here. The order is what keeps it safe: take the lock,
 * read the file, check the precondition, work out the new bytes, write down what is about to
 * happen, change the files, put them into the index, let go of the lock.
 *
 * Killed between any two of these steps, the files hold the old or the new content; `settleOpen`
 * tells which from the files themselves before the next writer begins.
 */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import { WriteError } from '../../domain/source.ts'
import type { FileBytes, FileChange, SourceWriter } from '../../domain/source.ts'
import type { Warning } from '../../domain/warning.ts'
import { applySplice, spliceBetween } from '../../editing/splice.ts'
import { unifiedDiff } from '../../editing/unified-diff.ts'
import type { Author, Change, Operation, OperationKind } from '../../history/history.ts'
import { newOperationId } from '../../history/open-history.ts'
import { isAttachment } from '../../indexing/link-names.ts'
import { isBehind } from '../view/await-index.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'
import { putIntoIndex } from './put-into-index.ts'

export interface WriteOptions {
  /** The document must have this digest; otherwise `conflict`, and nothing is changed. */
  readonly ifDigest?: string
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean
  /** Who asks, for the history. */
  readonly by: Author
}

export interface BrokenLink {
  /** The document that holds the link. */
  readonly id: string
  /** As it is written. */
  readonly target: string
}

export interface WriteResult {
  readonly id: string
  /** Of the document as it is now; undefined when it is gone. */
  readonly digest: string | undefined
  /** Undefined for a dry run, and when there was nothing to change. */
  readonly operation: string | undefined
  /** A short unified diff; several documents follow each other. */
  readonly diff: string
  readonly warnings: readonly Warning[]
  /** Links in other documents that were rewritten, and the documents they are in. */
  readonly linksRewritten: number
  readonly rewrittenIn: readonly string[]
  /** Links that lead nowhere after the change. */
  readonly brokenLinks: readonly BrokenLink[]
}

/** One file of a planned change. */
export interface FileEdit {
  readonly source: string
  readonly path: string
  /** Where the file is now, when it moves. */
  readonly from?: string
  /** A file whose permissions a new one takes over. */
  readonly like?: string
  /** Undefined: there is no file yet. */
  readonly before: FileBytes | undefined
  /** Undefined: the file goes. */
  readonly after: Uint8Array | undefined
}

export interface Plan {
  /** The document the caller asked to change comes first. */
  readonly edits: readonly FileEdit[]
  readonly linksRewritten?: number
  readonly brokenLinks?: readonly BrokenLink[]
  readonly warnings?: readonly Warning[]
  readonly undoes?: readonly string[]
}

/** A file that an editor saves between our reading and our writing is read again this often. */
const ATTEMPTS = 5
/** A diff is for a look; what a client cannot read costs it context. */
const DIFF_LIMIT = 4_000
const NAMED_AT_MOST = 1_000

/** Runs `plan` and carries it out. `plan` may run more than once and must change nothing itself. */
export async function changeFiles(
  kb: View,
  kind: OperationKind,
  options: WriteOptions,
  plan: () => Promise<Plan>,
): Promise<WriteResult> {
  const writing = writingOf(kb)
  if (options.dryRun) return resultOf(await checked(plan, options), undefined)
  const folders = writtenFolders(kb)
  // A call that is refused leaves not even a lock file behind.
  if (!writing.lock.isKept(folders)) await checked(plan, options)
  for (let round = 1; ; round++) {
    const result = await writing.lock.hold(folders, async () => {
      await settleOpen(kb, writing)
      return changeUnderLock(kb, kind, options, plan)
    })
    if (result) return result
    if (round === LOCK_ROUNDS) throw tooManyLocks()
  }
}

/** Locks of other bases above a file: each round finds those that the one before did not hold. */
const LOCK_ROUNDS = 10

function tooManyLocks(): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    'Other bases begin to lock folders above this document again and again.',
    'Nothing was changed. Try again in a moment.',
  )
}

/** Undefined when files are below a folder that another base locks too: hold that as well. */
async function changeUnderLock(
  kb: View,
  kind: OperationKind,
  options: WriteOptions,
  plan: () => Promise<Plan>,
): Promise<WriteResult | undefined> {
  const writing = writingOf(kb)
  for (let attempt = 1; ; attempt++) {
    const planned = await checked(plan, options)
    if (planned.edits.every((edit) => !isChange(edit))) return resultOf(planned, undefined)
    if (isLockedElsewhere(kb, planned.edits)) return undefined
    const operation = operationOf(kind, options.by, planned)
    try {
      await carryOut(kb, writing, operation, planned.edits)
    } catch (error) {
      const raced = error instanceof WriteError && error.code === 'conflict'
      // Another program saved the file in between: work from what is there now.
      if (raced && options.ifDigest === undefined && attempt < ATTEMPTS) continue
      throw error
    }
    const late = await putIntoIndex(kb, planned.edits.filter(isChange))
    const result = resultOf(planned, operation)
    return {
      ...result,
      warnings: [...result.warnings, ...late, ...(await deadEnds(kb, planned))],
    }
  }
}

function writtenFolders({ sources }: View): string[] {
  return [...sources.values()].filter(({ writer }) => writer).map(({ root }) => root)
}

function isLockedElsewhere(kb: View, edits: readonly FileEdit[]): boolean {
  const { lock } = writingOf(kb)
  return [...Map.groupBy(edits, ({ source }) => source)].some(([source, group]) => {
    const root = kb.sources.get(source)?.root ?? ''
    const paths = group.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))
    const places = paths.map((path) => join(root, ...path.split('/')))
    return lock.unheldBelow(root, places).length > 0
  })
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

async function checked(plan: () => Promise<Plan>, { ifDigest }: WriteOptions): Promise<Plan> {
  const planned = await plan()
  const [first] = planned.edits
  if (ifDigest === undefined || !first || first.before?.digest === ifDigest) return planned
  throw digestMismatch(documentId(first), first.before?.digest)
}

function digestMismatch(id: string, found: string | undefined): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    found === undefined
      ? `${id} does not exist, so it cannot have the digest that was asked for.`
      : `${id} has changed since it was read: its digest is now ${found}.`,
    'Nothing was changed. Fetch the document again, repeat the edit on its new text, and pass the new digest.',
  )
}

function isChange({ from, path, before, after }: FileEdit): boolean {
  if (from !== undefined && from !== path) return true
  if (!before || !after) return before !== after
  return Buffer.compare(before.bytes, after) !== 0
}

function operationOf(kind: OperationKind, by: Author, plan: Plan): Operation {
  const at = Date.now()
  return {
    id: newOperationId(at),
    at,
    kind,
    by: {
      ...(by.client !== undefined && { client: by.client.slice(0, 200) }),
      ...(by.principal !== undefined && { principal: by.principal.slice(0, 200) }),
    },
    ...(plan.undoes && { undoes: plan.undoes }),
    changes: plan.edits.filter(isChange).map(changeOf),
  }
}

const NOTHING = new Uint8Array()

function changeOf(edit: FileEdit): Change {
  const { source, path, from, before, after } = edit
  return {
    source,
    path,
    ...(from !== undefined && { from }),
    before: before?.digest,
    after: after && digestOf(after),
    diff: diffOf(edit),
    splice: spliceBetween(before?.bytes ?? NOTHING, after ?? NOTHING),
  }
}

function diffOf({ source, path, from, before, after }: FileEdit): string {
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

async function carryOut(
  kb: View,
  { history }: Writing,
  operation: Operation,
  edits: readonly FileEdit[],
): Promise<void> {
  await history.begin(operation)
  const changed = edits.filter(isChange)
  const done: FileEdit[] = []
  try {
    for (const [source, group] of Map.groupBy(changed, (edit) => edit.source)) {
      try {
        await writerOf(kb, source).apply(group.flatMap(fileChanges))
        done.push(...group)
      } catch (error) {
        const reached = new Set(error instanceof WriteError ? error.changed : [])
        done.push(
          ...group.filter(({ path, from }) => reached.has(path) || reached.has(from ?? path)),
        )
        throw error
      }
    }
  } catch (error) {
    const back = await takeBack(kb, done)
    // What could not be taken back stays open, and is settled by whoever writes next.
    if (back) await history.settle(operation.id, 'failed').catch(() => {})
    throw error
  }
  // The files are changed and flushed; a log that cannot say so now is settled by the next writer.
  await history.settle(operation.id, 'done').catch(() => {})
}

/** A move writes the new place first, so that the content is never without a name. */
function fileChanges({ path, from, like, before, after }: FileEdit): FileChange[] {
  if (from === undefined || from === path) {
    return [{ path, expect: before?.digest, bytes: after, ...(like !== undefined && { like }) }]
  }
  return [
    { path, expect: undefined, bytes: after, like: from },
    { path: from, expect: before?.digest, bytes: undefined },
  ]
}

/** Puts the first files of a group that failed in the middle back. True when all are as before. */
async function takeBack(kb: View, edits: readonly FileEdit[]): Promise<boolean> {
  try {
    for (const { source, path, from, before, after } of edits) {
      const writer = writerOf(kb, source)
      const moved = from !== undefined && from !== path
      const place = from ?? path
      if (moved && before && !writer.load(from)) {
        await writer.apply([{ path: from, expect: undefined, bytes: before.bytes, like: path }])
      }
      const now = writer.load(path)
      if (now && after && now.digest === digestOf(after)) {
        const bytes = moved ? undefined : before?.bytes
        await writer.apply([{ path, expect: now.digest, bytes }])
      } else if (!now && !after && before) {
        await writer.apply([{ path: place, expect: undefined, bytes: before.bytes }])
      }
    }
    return true
  } catch {
    return false
  }
}

/** Settles what a killed process left open. Cheap when there is nothing: no lock is taken. */
export async function recoverWrites(kb: View): Promise<void> {
  const { writing } = kb
  if (!writing || !(await writing.history.unsettled())) return
  await writing.lock.hold(writtenFolders(kb), () => settleOpen(kb, writing))
}

/**
 * An operation that nobody said the end of: its process was killed. A single file holds the old or
 * the new content, which says it all. A group that was begun is finished, as its last files were
 * as good as promised; one that was not begun never happened.
 */
async function settleOpen(kb: View, { history }: Writing): Promise<void> {
  const operation = await history.unsettled()
  if (!operation) return
  const states = operation.changes.map((change) => stateOf(kb, change))
  const begun = states.includes('after') || states.includes('between')
  const finished: Change[] = []
  for (const [index, change] of operation.changes.entries()) {
    const writer = kb.sources.get(change.source)?.writer
    await writer?.sweep([change.path, ...(change.from === undefined ? [] : [change.from])])
    const state = states[index]
    if (begun && (state === 'before' || state === 'between')) await finish(kb, change)
    if (begun && state !== 'other') finished.push(change)
  }
  await history.settle(operation.id, begun ? 'done' : 'failed')
  for (const { source, path, from } of finished) {
    kb.noticeChange(source, path)
    if (from !== undefined) kb.noticeChange(source, from)
  }
}

type ChangeState =
  | 'before'
  | 'after'
  /** A move whose new file is there and whose old one is too. */
  | 'between'
  /** Someone else changed it since. */
  | 'other'

function stateOf(kb: View, { source, path, from, before, after }: Change): ChangeState {
  const writer = kb.sources.get(source)?.writer
  if (!writer) return 'other'
  try {
    const now = writer.load(path)?.digest
    if (from === undefined || from === path) {
      return now === after ? 'after' : now === before ? 'before' : 'other'
    }
    const old = writer.load(from)?.digest
    if (now === after) return old === undefined ? 'after' : old === before ? 'between' : 'other'
    return now === undefined && old === before ? 'before' : 'other'
  } catch {
    return 'other'
  }
}

/** Does what is left of a change. A file that cannot be written now keeps its old content. */
async function finish(kb: View, change: Change): Promise<void> {
  const { source, path, from, before, after, splice } = change
  const writer = writerOf(kb, source)
  try {
    const file = writer.load(from ?? path)
    if (file?.digest !== before) return
    const bytes = after === undefined ? undefined : applySplice(file?.bytes ?? NOTHING, splice)
    const at = { source, path, before: file, after: bytes }
    const edit: FileEdit = from === undefined ? at : { ...at, from }
    const left = fileChanges(edit).filter((each) => writer.load(each.path)?.digest === each.expect)
    await writer.apply(left)
  } catch {
    // The next scan and the history's own digests show what is there.
  }
}

const DEAD_ENDS = 20

/** Links of the changed document that lead nowhere: its author may want to know. */
async function deadEnds(kb: View, { edits: [edit] }: Plan): Promise<Warning[]> {
  // Where they lead may not be indexed yet.
  if (isBehind(kb)) return []
  const record = edit?.after && (await kb.store.findByPath(edit.source, edit.path))
  if (!record) return []
  const ref = documentId(record)
  const links = await kb.store.linksFrom(record.no)
  const targets = links.filter((link) => link.to === undefined && !isAttachment(link))
  return [...new Set(targets.map(({ target }) => target))].slice(0, DEAD_ENDS).map((target) => ({
    kind: 'broken_link',
    message: `The link ${quoted(target)} in ${ref} leads nowhere yet.`,
    ref,
  }))
}

function resultOf(plan: Plan, operation: Operation | undefined): WriteResult {
  const [first] = plan.edits
  const changed = plan.edits.filter(isChange)
  const others = changed.filter((edit) => edit !== first)
  let diff = ''
  for (const edit of changed) {
    if (diff.length < DIFF_LIMIT) diff += diffOf(edit)
  }
  return {
    id: first ? documentId(first) : '',
    digest: first?.after && digestOf(first.after),
    operation: operation?.id,
    diff: diff.slice(0, DIFF_LIMIT),
    warnings: plan.warnings ?? [],
    linksRewritten: plan.linksRewritten ?? 0,
    rewrittenIn: others.map(documentId).slice(0, NAMED_AT_MOST),
    brokenLinks: plan.brokenLinks ?? [],
  }
}
