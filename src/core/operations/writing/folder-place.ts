/**
 * Group commit: changes of files that wait in this process take the lock together and share every
 * flush. The order is what keeps each of them safe: take the lock, settle what others left open,
 * read the file, check the precondition, work out the new bytes, write down what is about to happen,
 * change the files, put them into the index, let go of the lock.
 *
 * Killed between any two of these steps, the files hold the old or the new content; `recoverOpen`
 * tells which from the files themselves before the next writer begins.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { documentId } from '../../domain/document.ts'
import { type KnowledgeError, unavailable } from '../../domain/error.ts'
import { onePer } from '../../kit/one-per.ts'
import { Slices } from '../../kit/slices.ts'
import { WriteError } from '../../domain/source.ts'
import type { Warning } from '../../domain/warning.ts'
import { LockLost } from '../../domain/write-lock.ts'
import type { Knowledge } from '../view/knowledge.ts'
import { trunkOf } from '../view/narrow-base.ts'
import { wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import {
  carryOut,
  isChange,
  operationOf,
  PartlyChanged,
  writerOf,
  writingOf,
  writtenFolders,
} from './carry-out.ts'
import type { FileEdit, Step } from './carry-out.ts'
import type { Plan } from './change-files.ts'
import { checked } from './check-plan.ts'
import { whenRested } from './load-rested.ts'
import { PendingFiles } from './pending-files.ts'
import type { Again, Place, Wanted, Written } from './place.ts'
import { deadEnds, isMuch, putIntoIndex } from './put-into-index.ts'
import { bringBackNameless, recoverOpen } from './recover-open.ts'
import type { MadeBefore } from './recover-open.ts'
import {
  boundReplaced,
  recoverReplacedAgain,
  recoverReplacedOnce,
  watchReplaced,
} from './take-up-saves.ts'

/** Any change that no other place takes: whatever has a writer is written from here. */
export const folderPlace = {
  /** A call that is refused leaves not even a lock file behind. */
  looksAhead: ({ kb }) => !writingOf(kb).lock.isKept(writtenFolders(wholeView(trunkOf(kb.base)))),
  takes: () => true,
  async commit(wanted) {
    const { kb } = wanted
    const written = await whenRested(kb, () => turnsOf(trunkOf(kb.base)).write(wanted))
    if ('again' in written || !written.operation) return written
    return { ...written, warnings: [...written.warnings, ...(await deadEnds(kb, written.plan))] }
  },
} satisfies Place

const turnsOf = onePer((trunk: Knowledge) => new Turns(wholeView(trunk)))

/** Those who share a turn, and how long it lasts before other processes have theirs. */
const WRITES_AT_ONCE = 64
const BYTES_AT_ONCE = 4 * 1024 * 1024
const TURN_MS = 1_000
/** How long a caller waits for its turn. */
const WAIT_MS = 30_000
/** So often one who has lost the lock in the middle begins again. */
const LOSSES = 3
/** A process that stands still may have stopped in a transaction of the index. */
const IMPATIENT_MS = 500

/** Whoever begins a turn does it for all: nothing of its own call is to show in those of others. */
const outside = AsyncLocalStorage.snapshot()

interface Waiting {
  readonly change: Wanted
  readonly since: number
  readonly inContext: <Result>(work: () => Result) => Result
  resolve(written: Written | Again): void
  reject(error: unknown): void
  isAnswered: boolean
  /** Not to be written together with others: once that failed, each hears its own reason. */
  isAlone: boolean
  /** What was begun when the lock was lost: whoever took over has settled it. */
  begun: (Planned & { readonly made: ReadonlySet<string> }) | undefined
  losses: number
}

interface Planned extends Step {
  readonly plan: Plan
}

class Turns {
  readonly #trunk: View
  #waiting: Waiting[] = []
  #isRunning = false
  /** Whoever has to begin again, or to wait for something, does so when the lock is free. */
  readonly #afterTurn: (() => void)[] = []
  /** How long is waited for the index. */
  #patienceMs: number | undefined

  constructor(trunk: View) {
    this.#trunk = trunk
  }

  write(change: Wanted): Promise<Written | Again> {
    const { promise, resolve, reject } = Promise.withResolvers<Written | Again>()
    const afterTurn = this.#afterTurn
    const waiting: Waiting = {
      change,
      since: performance.now(),
      inContext: AsyncLocalStorage.snapshot(),
      isAnswered: false,
      isAlone: false,
      begun: undefined,
      losses: 0,
      resolve(written) {
        this.isAnswered = true
        if ('again' in written) afterTurn.push(() => resolve(written))
        else resolve(written)
      },
      reject(error) {
        this.isAnswered = true
        afterTurn.push(() => reject(error))
      },
    }
    this.#waiting.push(waiting)
    if (!this.#isRunning) outside(() => void this.#run())
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#turn()
    this.#isRunning = false
  }

  async #turn(): Promise<void> {
    const began = performance.now()
    let taken: Waiting[] = []
    try {
      const writing = writingOf(this.#trunk)
      await writing.lock.hold(writtenFolders(this.#trunk), async () => {
        const isBeside = await recoverOpen(this.#trunk, writing, this.#madeBefore())
        this.#patienceMs = isBeside ? IMPATIENT_MS : undefined
        recoverReplacedOnce(this.#trunk)
        // All who have come until now.
        taken = this.#waiting.splice(0, WRITES_AT_ONCE)
        await this.#writeAll(taken)
      })
    } catch (error) {
      const isLost = error instanceof LockLost
      const asked = this.#waiting.filter(({ since }) => since <= began)
      for (const each of [...taken, ...asked]) {
        if (each.isAnswered) continue
        if (!isLost || ++each.losses > LOSSES) each.reject(error)
      }
    }
    const left = [...taken, ...this.#waiting].filter(({ isAnswered }) => !isAnswered)
    for (const each of left) if (performance.now() - each.since > WAIT_MS) each.reject(tooBusy())
    this.#waiting = left.filter(({ isAnswered }) => !isAnswered)
    for (const answer of this.#afterTurn.splice(0)) answer()
    await boundReplaced(this.#trunk)
  }

  #madeBefore(): MadeBefore {
    const begun = this.#waiting.flatMap((each) => each.begun ?? [])
    return new Map(begun.map(({ operation, made }) => [operation.id, made]))
  }

  async #writeAll(taken: readonly Waiting[]): Promise<void> {
    const until = performance.now() + TURN_MS
    let left = taken
    do {
      await this.#writeSome(left, until)
      left = left.filter(({ isAnswered }) => !isAnswered)
    } while (left.length > 0 && performance.now() < until)
  }

  /** The first of them, and those that can be written together with it. */
  async #writeSome(waiting: readonly Waiting[], until: number): Promise<void> {
    // Whoever is alone goes by the files as they are.
    const pending = waiting.length > 1 ? new PendingFiles() : undefined
    const group: Grouped[] = []
    let bytes = 0
    for (const each of waiting) {
      const isFirst = group.length === 0
      if (!isFirst && each.isAlone) continue
      const planned = await this.#plan(each, pending, isFirst)
      if (!planned) continue
      const edit = plainEdit(each, planned)
      const isShared = edit !== undefined && pending?.take(edit) === true
      if (!isFirst && !isShared) continue
      group.push({ each, planned })
      bytes += edit?.after.length ?? 0
      const isEnough = bytes > BYTES_AT_ONCE || performance.now() > until
      if (!isShared || isEnough) break
    }
    if (group.length > 0) await this.#carryOut(group)
  }

  /** Undefined where the change was answered, or has to wait until others are done. */
  async #plan(
    each: Waiting,
    pending: PendingFiles | undefined,
    isFirst: boolean,
  ): Promise<Planned | undefined> {
    try {
      if (await isDone(each)) return undefined
      const { kb, kind, options, plan } = each.change
      const planned = await each.inContext(() => checked(pending?.over(kb) ?? kb, plan, options))
      const edits = planned.edits.filter(isChange)
      if (edits.length === 0) {
        if (isFirst) each.resolve({ plan: planned, operation: undefined, warnings: [] })
        return undefined
      }
      // Files below a folder that another base locks too: hold that as well.
      if (isLockedElsewhere(kb, edits)) each.resolve({ again: 'held' })
      // What comes back may be what the plan did not find.
      else if (bringBackNameless(kb, edits)) each.resolve({ again: 'raced' })
      if (each.isAnswered) return undefined
      const { undoes } = planned
      const placed = await withFolders(kb, edits)
      const made = await operationOf(kind, options.by, { edits: placed, undoes })
      const operation = { ...made, id: options.operation ?? made.id }
      return { plan: planned, edits: placed, operation }
    } catch (error) {
      if (error instanceof LockLost) throw error
      // What others are about to do may be the reason: then it is asked again when they are done.
      if (isFirst) each.reject(error)
      return undefined
    }
  }

  async #carryOut(group: readonly Grouped[]): Promise<void> {
    const [{ each: first }] = group as readonly [Grouped]
    const writing = writingOf(first.change.kb)
    const kb = group.length === 1 ? first.change.kb : this.#trunk
    const steps = group.map(({ planned }) => planned)
    try {
      watchReplaced(this.#trunk, await carryOut(kb, writing, steps))
    } catch (error) {
      recoverReplacedAgain(this.#trunk)
      failed(group, error)
      // What is left open ends before anybody goes on from it.
      if (error instanceof PartlyChanged) await recoverOpen(this.#trunk, writing)
      return
    }
    const aside = writing.history.takeWarning?.()
    const warnings: Warning[] = aside === undefined ? [] : [{ kind: 'failed_file', message: aside }]
    warnings.push(...(await this.#putIntoIndex(steps)))
    for (const { each, planned } of group) each.resolve({ ...planned, warnings })
  }

  /** As much at a time as one who writes alone would put there. */
  async #putIntoIndex(steps: readonly Step[]): Promise<Warning[]> {
    const last = new Map(
      steps.flatMap(({ edits }) => edits).map((edit) => [documentId(edit), edit]),
    )
    const warnings: Warning[] = []
    let some: FileEdit[] = []
    for (const edit of last.values()) {
      if (steps.length > 1 && some.length > 0 && isMuch([...some, edit])) {
        warnings.push(...(await putIntoIndex(this.#trunk, some, this.#patienceMs)))
        some = []
      }
      some.push(edit)
    }
    return [...warnings, ...(await putIntoIndex(this.#trunk, some, this.#patienceMs))]
  }
}

interface Grouped {
  readonly each: Waiting
  readonly planned: Planned
}

/** Whoever took over from us has settled what we had begun. */
async function isDone(each: Waiting): Promise<boolean> {
  const { begun } = each
  if (!begun) return false
  each.begun = undefined
  const { history } = writingOf(each.change.kb)
  if ((await history.stateOf(begun.operation.id)) !== 'done') return false
  each.resolve({ ...begun, warnings: [] })
  return true
}

/** Of several, each is tried on its own, so that each hears its own reason. */
function failed(group: readonly Grouped[], error: unknown): void {
  for (const { each, planned } of group) {
    if (error instanceof LockLost) {
      each.begun = { ...planned, made: new Set(error.changed) }
    } else if (group.length > 1) {
      const isLeft = error instanceof PartlyChanged && planned.edits.some(isIn(error))
      if (isLeft) each.reject(error)
      each.isAlone = true
    } else {
      const raced = error instanceof WriteError && error.code === 'conflict'
      // Another program saved the file in between: work from what is there now.
      if (raced && each.change.options.ifDigest === undefined) {
        each.resolve({ again: 'raced', error })
      } else each.reject(error)
    }
  }
  if (error instanceof LockLost) throw error
}

/** A file that comes to where there is no folder: it is made, and goes when that is undone. */
async function withFolders(kb: View, edits: readonly FileEdit[]): Promise<FileEdit[]> {
  const placed: FileEdit[] = []
  const slices = new Slices()
  for (const edit of edits) {
    if (slices.over) await slices.pause()
    const { source, path, from = path, before, after } = edit
    const isNew = after && (!before || from !== path)
    const folders = isNew ? await writerOf(kb, source).missingFolders(path) : 0
    placed.push(folders > 0 ? { ...edit, folders } : edit)
  }
  return placed
}

function tooBusy(): KnowledgeError {
  return unavailable(
    `Other writers kept this base busy for ${WAIT_MS / 1000} seconds.`,
    'Nothing was changed. Try again in a moment.',
  )
}

function isIn({ documents }: PartlyChanged): (edit: FileEdit) => boolean {
  return (edit) => documents.includes(documentId(edit))
}

/** The only edit, where it changes the text of one file and nothing else. */
function plainEdit({ isAlone, change: { kind } }: Waiting, { plan, edits }: Planned) {
  const [edit, ...others] = edits
  if (isAlone || !edit?.after || others.length + plan.edits.length > 1) return undefined
  // These go by the history, which does not know of the others yet.
  if (kind === 'undo' || kind === 'restore') return undefined
  const { path, from = path, before, after, link, removedBy } = edit
  const isPlain = from === path && (before?.link ?? link ?? removedBy) === undefined
  return isPlain ? { ...edit, after } : undefined
}

function isLockedElsewhere(kb: View, edits: readonly FileEdit[]): boolean {
  const { lock } = writingOf(kb)
  return [...Map.groupBy(edits, ({ source }) => source)].some(([source, group]) => {
    const { root = '', inDatabase } = kb.sources.get(source) ?? {}
    if (inDatabase) return false
    const paths = group.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))
    const places = paths.map((path) => join(root, ...path.split('/')))
    return lock.unheldBelow(root, places).length > 0
  })
}
