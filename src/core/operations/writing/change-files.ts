/**
 * Every change of a document goes through here: to the database, to the server that writes the
 * files, or to the files of this machine (`write-folders.ts`).
 */
import { documentId } from '../../domain/document.ts'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import { WriteError } from '../../domain/source.ts'
import type { Warning } from '../../domain/warning.ts'
import type { RenamedHeading } from '../../editing/follow-headings.ts'
import type { Author, Operation, OperationKind } from '../../history/history.ts'
import { isBehind } from '../view/await-index.ts'
import { trunkOf } from '../view/narrow-base.ts'
import { wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { bringBackNameless } from './bring-back-nameless.ts'
import {
  DIFF_LIMIT,
  diffOf,
  digestOf,
  isChange,
  operationOf,
  writingOf,
  writtenFolders,
} from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { checked } from './check-plan.ts'
import { inTurn } from './in-turn.ts'
import { whenRested } from './load-rested.ts'
import { sendHome, sourcesWithHome } from './send-home.ts'
import { settleOpen } from './settle-open.ts'
import { settleReplaced } from './take-up-saves.ts'
import { writeFolders } from './write-folders.ts'
import { isShared, writeShared } from './write-shared.ts'

export { checkDigest } from './check-plan.ts'

export interface WriteOptions {
  /** The document must have this digest; otherwise `conflict`, and nothing is changed. */
  readonly ifDigest?: string
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean
  /** Who asks, for the history. */
  readonly by: Author
  /** Id of the operation, where another server has planned the change and sent it here. */
  readonly operation?: string
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
  /** Headings that have another name now, where links to them were looked after. */
  readonly renamedHeadings: readonly RenamedHeading[]
  /** Links that lead nowhere after the change. */
  readonly brokenLinks: readonly BrokenLink[]
}

export interface Plan {
  /** The document the caller asked to change comes first. */
  readonly edits: readonly FileEdit[]
  readonly linksRewritten?: number
  readonly renamedHeadings?: readonly RenamedHeading[]
  readonly brokenLinks?: readonly BrokenLink[]
  readonly warnings?: readonly Warning[]
  readonly undoes?: readonly string[]
}

/** A file that an editor saves between our reading and our writing is read again this often. */
const ATTEMPTS = 10
const NAMED_AT_MOST = 1_000

/**
 * Runs `plan` and carries it out. `plan` may run more than once and must change nothing itself. It is
 * given the view as it will be when changes that are written together with this one are done; one
 * that keeps to the files as they are is written in a turn of its own.
 */
export async function changeFiles(
  kb: View,
  kind: OperationKind,
  options: WriteOptions,
  plan: (kb: View) => Promise<Plan>,
): Promise<WriteResult> {
  const writing = writingOf(kb)
  if (options.dryRun) return resultOf(await checked(kb, plan, options), undefined)
  const shared = await changeShared(kb, kind, options, plan)
  if (shared) return shared
  const sent = await changeElsewhere(kb, kind, options, plan)
  if (sent) return sent
  // What others left behind is settled, whoever comes next and whatever they see.
  const trunk = wholeView(trunkOf(kb.base))
  const folders = writtenFolders(trunk)
  // A call that is refused leaves not even a lock file behind.
  if (!writing.lock.isKept(folders)) await checked(kb, plan, options)
  for (let round = 1, attempt = 1; ;) {
    const written = await whenRested(kb, () => writeFolders({ kb, kind, options, plan }))
    if (!('again' in written)) {
      const result = resultOf(written.plan, written.operation)
      const warnings = [...written.warnings, ...result.warnings]
      if (!written.operation) return { ...result, warnings }
      return { ...result, warnings: [...warnings, ...(await deadEnds(kb, written.plan))] }
    }
    if (written.again === 'held' && round++ === LOCK_ROUNDS) throw tooManyLocks()
    if (written.again === 'raced' && attempt++ === ATTEMPTS) throw written.error ?? tooManyRaces()
  }
}

/** Whoever is overtaken in the database plans again, for as long as one waits for a lock. */
const PATIENCE_MS = 30_000

/** Where somebody else changed a document between the plan and the transaction. */
interface Overtaken {
  readonly overtakenBy: WriteError
  readonly document: string
}

/** Undefined where some of it is not in the database. */
async function changeShared(
  kb: View,
  kind: OperationKind,
  options: WriteOptions,
  plan: (kb: View) => Promise<Plan>,
): Promise<WriteResult | undefined> {
  if (![...kb.sources.values()].some(({ inDatabase }) => inDatabase)) return undefined
  const first = await tryShared(kb, kind, options, plan)
  if (!first || 'id' in first) return first
  const deadline = performance.now() + PATIENCE_MS
  return inTurn(trunkOf(kb.base), first.document, PATIENCE_MS, async () => {
    for (;;) {
      const next = await tryShared(kb, kind, options, plan)
      if (!next || 'id' in next) return next
      if (performance.now() > deadline) throw next.overtakenBy
    }
  })
}

async function tryShared(
  kb: View,
  kind: OperationKind,
  options: WriteOptions,
  plan: (kb: View) => Promise<Plan>,
): Promise<WriteResult | Overtaken | undefined> {
  const planned = await checked(kb, plan, options)
  const edits = planned.edits.filter(isChange)
  if (!isShared(kb, edits)) return undefined
  if (edits.length === 0) return resultOf(planned, undefined)
  const operation = await operationOf(kind, options.by, planned)
  try {
    const late = await writeShared(kb, operation, edits)
    const result = resultOf(planned, operation)
    const warnings = [...result.warnings, ...late, ...(await deadEnds(kb, planned))]
    return { ...result, warnings }
  } catch (error) {
    const raced = error instanceof WriteError && error.code === 'conflict'
    if (!raced || options.ifDigest !== undefined) throw error
    const [edit] = edits
    return { overtakenBy: error, document: documentId(edit!) }
  }
}

/** Undefined where the files are written by this server; else the change travels to the one that does. */
async function changeElsewhere(
  kb: View,
  kind: OperationKind,
  options: WriteOptions,
  plan: (kb: View) => Promise<Plan>,
): Promise<WriteResult | undefined> {
  const { homes } = writingOf(kb)
  if (!homes || options.operation !== undefined) return undefined
  if ((await homes.whereAre(sourcesWithHome(kb))) === 'here') return undefined
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const planned = await checked(kb, plan, options)
    const sources = sourcesWithHome(kb, planned.edits)
    if (sources.length === 0) return undefined
    const others = sources.filter((source) => !homes.hasFiles(source))
    if (others.length > 0) throw otherCopy(others)
    const operation = await operationOf(kind, options.by, planned)
    const sent = await sendHome(homes, sources, operation, planned.edits)
    if (sent === 'here') return undefined
    // Somebody saved the file in between: work from what is there now.
    if (sent === 'raced') continue
    const result = resultOf(planned, operation)
    return { ...result, warnings: [...result.warnings, ...sent.warnings] }
  }
  throw tooManyRaces()
}

/** What was planned from other files would be made of what is not there. */
function otherCopy(sources: readonly string[]): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `This server has another copy of ${sources.join(' and ')} than the one that is indexed and written.`,
    'Nothing was changed. Ask another server, or give this one the same folder, such as a volume, and start it again.',
  )
}

function tooManyRaces(): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    'The document is changed by others again and again.',
    'Nothing was changed. Try again in a moment.',
  )
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

/** Settles what a killed process left open. Cheap when there is nothing: no lock is taken. */
export async function recoverWrites(kb: View): Promise<void> {
  const { writing } = kb
  if (!writing) return
  if ((await writing.history.unsettled()).length > 0) {
    await writing.lock.hold(writtenFolders(kb), () => settleOpen(kb, writing))
  }
  await recoverNames(kb)
  await settleReplaced(kb)
  if (await writing.history.isOutgrown()) {
    await writing.lock.hold([], () => writing.history.prune())
  }
}

/**
 * Gives files their names back that a killed process had moved aside. Cheap when there are none:
 * one look at a folder that is empty, and no lock is taken.
 */
export async function recoverNames(kb: View): Promise<void> {
  const { writing, sources } = kb
  if (!writing) return
  const found = [...sources.values()].some(({ writer }) => (writer?.nameless() ?? []).length > 0)
  if (found) await writing.lock.hold(writtenFolders(kb), async () => bringBackNameless(kb))
}

const DEAD_ENDS = 20

/** Links of the changed document that lead nowhere: its author may want to know. */
async function deadEnds(kb: View, { edits: [edit] }: Plan): Promise<Warning[]> {
  // Where they lead may not be indexed yet.
  if (isBehind(kb)) return []
  const record = edit?.after && (await kb.store.findByPath(edit.source, edit.path))
  if (!record) return []
  const ref = documentId(record)
  const targets = await kb.store.deadEnds(record.no, DEAD_ENDS)
  return targets.map((target) => ({
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
  for (const [index, edit] of changed.entries()) {
    if (diff.length < DIFF_LIMIT) diff += operation?.changes[index]?.diff ?? diffOf(edit)
  }
  return {
    id: first ? documentId(first) : '',
    digest: first?.after && digestOf(first.after),
    operation: operation?.id,
    diff: diff.slice(0, DIFF_LIMIT),
    warnings: plan.warnings ?? [],
    linksRewritten: plan.linksRewritten ?? 0,
    renamedHeadings: plan.renamedHeadings ?? [],
    rewrittenIn: others.map(documentId).slice(0, NAMED_AT_MOST),
    brokenLinks: plan.brokenLinks ?? [],
  }
}
