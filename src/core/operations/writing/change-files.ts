/** Every change of a document goes through here, to the place where it is committed (`place.ts`). */
import { documentId } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import type { RenamedHeading } from '../../editing/follow-headings.ts'
import type { Author, Operation, OperationKind } from '../../history/history.ts'
import type { View } from '../view/view.ts'
import { DIFF_LIMIT, diffOf, digestOf, isChange, writingOf, writtenFolders } from './carry-out.ts'
import type { FileEdit } from './carry-out.ts'
import { checked, nameOfPlan } from './check-plan.ts'
import { folderPlace } from './folder-place.ts'
import type { Again, Place, Wanted, Written } from './place.ts'
import { bringBackNameless, recoverOpen } from './recover-open.ts'
import { recoverReplaced } from './take-up-saves.ts'

export { checkDigest } from './check-plan.ts'

export interface WriteOptions {
  /** The document must have this digest; otherwise `conflict`, and nothing is changed. */
  readonly ifDigest?: string
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean
  /** What a dry run has named its plan: where it would be another one, `conflict`, and nothing is changed. */
  readonly ifPlan?: string
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
  /** Of a dry run: tells this plan from every other (`ifPlan`). */
  readonly plan?: string
}

export interface Plan {
  /** The document the caller asked to change comes first. */
  readonly edits: readonly FileEdit[]
  readonly linksRewritten?: number
  readonly renamedHeadings?: readonly RenamedHeading[]
  readonly brokenLinks?: readonly BrokenLink[]
  readonly warnings?: readonly Warning[]
  readonly undoes?: readonly string[]
  /** Operations that an undo leaves alone. */
  readonly stays?: readonly string[]
}

/** Retry, bounded: whoever was overtaken, or found the place held or moved, plans again this often. */
const ROUNDS = 20
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
  const { places = [] } = writingOf(kb)
  if (options.dryRun) {
    const planned = await checked(kb, plan, options)
    return { ...resultOf(planned, undefined), plan: nameOfPlan(planned) }
  }
  const wanted = { kb, kind, options, plan }
  for (let round = 1; ; round++) {
    const written = await commit(wanted, places)
    if (!('again' in written)) {
      const result = resultOf(written.plan, written.operation)
      return { ...result, warnings: [...result.warnings, ...written.warnings] }
    }
    if (round === ROUNDS) throw written.error ?? tooOften(written)
  }
}

/** The one spot where it is decided where a change happens: a home may move at any time. */
async function commit(wanted: Wanted, others: readonly Place[]): Promise<Written | Again> {
  const { kb, plan, options } = wanted
  let planned: Plan | undefined
  for (const place of [...others, folderPlace]) {
    if (!(await place.looksAhead(wanted))) continue
    planned ??= await checked(kb, plan, options)
    if (await place.takes(wanted, planned)) return place.commit(wanted, planned)
  }
  return folderPlace.commit(wanted)
}

function tooOften({ again }: Again): KnowledgeError {
  return new KnowledgeError(
    again === 'raced' ? 'conflict' : 'unavailable',
    again === 'held'
      ? 'Other bases begin to lock folders above this document again and again.'
      : 'The document is changed by others again and again.',
    'Nothing was changed. Try again in a moment.',
  )
}

/** Settles what a killed process left open. Cheap when there is nothing: no lock is taken. */
export async function recoverWrites(kb: View): Promise<void> {
  const { writing } = kb
  if (!writing) return
  if ((await writing.history.unsettled()).length > 0) {
    await writing.lock.hold(writtenFolders(kb), () => recoverOpen(kb, writing))
  }
  await recoverNames(kb)
  await recoverReplaced(kb)
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

function resultOf(plan: Plan, operation: Operation | undefined): WriteResult {
  const [first] = plan.edits
  const changed = plan.edits.filter(isChange)
  // What is gone was not rewritten.
  const others = changed.filter((edit) => edit !== first && edit.after !== undefined)
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
