/**
 * What another program saved to a file while it was being replaced. An editor that had the old
 * file open goes on writing to it, and its user believes that this is saved. The replaced file is
 * therefore kept for a moment and looked at again: what changed in it is merged into the file, or
 * stands in the history when it cannot be merged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { onePer } from '../../kit/one-per.ts'
import { Slices } from '../../kit/slices.ts'
import type { FileBytes, ReplacedFile } from '../../domain/source.ts'
import { mergeText } from '../../editing/merge-text.ts'
import type { Knowledge } from '../view/knowledge.ts'
import { trunkOf } from '../view/narrow-base.ts'
import type { View } from '../view/view.ts'
import {
  carryOut,
  digestOf,
  isChange,
  operationOf,
  writingOf,
  writtenFolders,
} from './carry-out.ts'
import type { FileEdit, Replacement } from './carry-out.ts'
import { loadRested, whenRested } from './load-rested.ts'
import { putIntoIndex } from './put-into-index.ts'
import { bringBackNameless, recoverOpen } from './recover-open.ts'
import { versionsOf } from './versions-of.ts'

/** When a replaced file is looked at again. After the last look it goes. */
const LOOKS_MS = [250, 1_000, 3_000, 10_000] as const
/** One that another program wrote is looked at for longer: the program may have stood still. */
const LONG_LOOKS_MS = [...LOOKS_MS, 30_000, 60_000, 120_000] as const
/** So much is kept for that long and no more. */
const LONG_BYTES = 16 * 1024 * 1024
let longBytes = 0
/** Of all that was replaced, so much is kept; then the oldest goes before its time. */
const KEPT_BYTES = 64 * 1024 * 1024
/** What this process keeps, oldest first. */
const keptOf = onePer<Knowledge, Set<Save>>(() => new Set())
/** A file is kept on while a program still writes to it, but not for ever. */
const KEEP_MS = 180_000
/** What was replaced by a process that is gone by now, most likely. */
const LEFT_MS = 20_000
/** What no process looks at any more. */
const ABANDONED_MS = KEEP_MS + LEFT_MS
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000
/** Whoever writes to a file has paused for this long when the save is taken to be whole. */
const QUIET_MS = 100

const ANOTHER_PROGRAM = { client: 'another program' }

/** Looks at replaced files again a little later. Does not keep the process alive. */
export function watchReplaced(kb: View, replaced: readonly Replacement[]): void {
  const saves = replaced.map(({ source, path, before, file }) => ({
    source,
    path,
    before: before.bytes,
    digest: before.digest,
    size: before.size,
    file,
    seenAt: file.touchedAt(),
    looksMs: looksFor(before),
  }))
  if (saves.length === 0) return
  const kept = keptOf(trunkOf(kb.base))
  for (const save of saves) kept.add(save)
  lookAgain(kb, saves)
    .catch(() => {
      // They stay where they are, and whoever starts or writes next looks at them.
    })
    .finally(() => {
      for (const save of saves) kept.delete(save)
      const long = saves.filter(({ looksMs }) => looksMs === LONG_LOOKS_MS)
      longBytes -= long.reduce((sum, { size }) => sum + size, 0)
    })
}

function looksFor({ isFresh, size }: FileBytes): readonly number[] {
  if (!isFresh || longBytes + size > LONG_BYTES) return LOOKS_MS
  longBytes += size
  return LONG_LOOKS_MS
}

/** A replaced file, and what is known of it. */
interface Save {
  readonly source: string
  readonly path: string
  /** What the file held when it was last looked at; undefined when nobody knows any more. */
  before: Uint8Array | undefined
  digest: string
  readonly size: number
  readonly file: ReplacedFile
  seenAt: number | undefined
  readonly looksMs: readonly number[]
}

async function lookAgain(kb: View, saves: readonly Save[]): Promise<void> {
  const started = performance.now()
  const kept = keptOf(trunkOf(kb.base))
  let waiting = saves
  for (let look = 0; waiting.length > 0; look++) {
    const at = LONG_LOOKS_MS[look] ?? LONG_LOOKS_MS.at(-1)! + (look - LONG_LOOKS_MS.length) * 1_000
    await sleep(Math.max(0, started + at - performance.now()), undefined, { ref: false })
    const still: Save[] = []
    const slices = new Slices()
    for (const save of waiting) {
      if (slices.over) await slices.pause()
      const touchedAt = save.file.touchedAt()
      if (touchedAt === undefined) {
        kept.delete(save)
        continue
      }
      const busy = Date.now() - touchedAt < QUIET_MS && at < KEEP_MS
      const final = !busy && look >= save.looksMs.length - 1
      // Times are too coarse to be sure of; the last look compares what is in it.
      if (!busy && (final || touchedAt !== save.seenAt)) {
        try {
          await takeUp(kb, save)
        } catch (error) {
          if (at > KEEP_MS) throw error
          // The lock was not to be had, or the file never rested: looked at again.
          still.push(save)
          continue
        }
      }
      save.seenAt = touchedAt
      if (!final) still.push(save)
      else {
        save.file.release()
        kept.delete(save)
      }
    }
    waiting = still
  }
}

/**
 * Bounds what is kept, in bytes: the oldest are looked at a last time and go. Asked after a change,
 * without the lock. Never throws.
 */
export async function boundReplaced(kb: View): Promise<void> {
  const kept = keptOf(trunkOf(kb.base))
  let bytes = 0
  for (const { size } of kept) bytes += size
  for (const save of kept) {
    if (bytes <= KEPT_BYTES) return
    try {
      // A save is under way: the next change looks again.
      if (Date.now() - (save.file.touchedAt() ?? 0) < QUIET_MS) continue
      kept.delete(save)
      bytes -= save.size
      await takeUp(kb, save)
      save.file.release()
    } catch {
      // What cannot be merged now is looked at in its time.
    }
  }
}

/** Takes what was saved to a replaced file since it was last looked at. */
async function takeUp(kb: View, save: Save): Promise<void> {
  const saved = save.file.load()
  if (!saved || digestOf(saved) === save.digest) return
  const work = async (): Promise<void> => {
    await recoverOpen(kb, writingOf(kb))
    // Another process may have been quicker.
    if (save.file.touchedAt() === undefined) return
    await putIntoFile(kb, save, saved)
    save.before = saved
    save.digest = digestOf(saved)
  }
  await whenRested(kb, () => writingOf(kb).lock.hold(writtenFolders(kb), work))
}

/** Merges what was saved into the file as it is now; keeps it in the history where that fails. */
async function putIntoFile(kb: View, save: Save, saved: Uint8Array): Promise<void> {
  const { source, path, before } = save
  const writing = writingOf(kb)
  bringBackNameless(kb, [save])
  const now = await loadRested(kb, source, path)
  const merged = now && before && mergeSave(before, now, saved)
  const edit = { source, path, before: now, after: merged }
  if (merged && !isChange(edit)) return
  if (merged) {
    const operation = await operationOf('merge', ANOTHER_PROGRAM, { edits: [edit] })
    try {
      watchReplaced(kb, await carryOut(kb, writing, [{ operation, edits: [edit] }]))
      await putIntoIndex(kb, [edit])
      return
    } catch {
      // Someone saves again this very moment: the history has it.
    }
  }
  await keepInHistory(kb, { source, path, before: undefined, after: saved })
}

function mergeSave(before: Uint8Array, now: FileBytes, saved: Uint8Array): Uint8Array | undefined {
  // A file that was emptied and then left is no save: its editor has crashed.
  if (saved.length === 0 && before.length > 0) return undefined
  return mergeText(before, now.bytes, saved)
}

/** `failed` says that nothing of it is in the files; `restore` puts it there. */
async function keepInHistory(kb: View, edit: FileEdit): Promise<void> {
  const { history } = writingOf(kb)
  const operation = await operationOf('overtaken', ANOTHER_PROGRAM, { edits: [edit] })
  await (
    await history.begin(operation)
  ).flushed
  await history.settle(operation.id, 'failed')
}

const settledOnce = new WeakSet<View['base']>()

/** A change that failed has left files that nobody looks at. */
export function recoverReplacedAgain({ base }: View): void {
  settledOnce.delete(trunkOf(base))
}

/** With the first write of a process: whoever started it may be the only one there is. */
export function recoverReplacedOnce(kb: View): void {
  if (settledOnce.has(kb.base)) return
  settledOnce.add(kb.base)
  recoverReplaced(kb).catch(() => {
    // They stay where they are until the next process.
  })
}

/** Looks at replaced files whose process ended before it could, again when all others have. */
export async function recoverReplaced(kb: View): Promise<void> {
  const taken = await lookAtLeft(kb, new Map())
  if (!taken) return
  const again = async (): Promise<void> => {
    await sleep(ABANDONED_MS, undefined, { ref: false })
    await lookAtLeft(kb, taken)
  }
  again().catch(() => {
    // They stay where they are until the next process.
  })
}

/** Undefined when nothing is left; else the digests of what was taken, by operation and path. */
async function lookAtLeft(
  kb: View,
  known: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const taken = new Map<string, string>()
  let areLeft = false
  for (const { name: source, writer } of kb.sources.values()) {
    const files = writer?.replaced() ?? []
    const over = tooMuch(files)
    for (const file of files) {
      const age = Date.now() - (file.touchedAt() ?? Date.now())
      const save = age < LEFT_MS ? undefined : await saveOf(kb, source, file)
      if (save) {
        const key = `${save.file.operation} ${source} ${save.path}`
        save.digest = known.get(key) ?? save.digest
        await takeUp(kb, save)
        taken.set(key, save.digest)
      }
      // One of another base is left to it, unless that has been gone for long.
      const isOver = over.has(file)
      const patienceMs = save ? (isOver ? LEFT_MS : ABANDONED_MS) : FORGOTTEN_MS
      if (age > (isOver ? Math.min(patienceMs, ABANDONED_MS) : patienceMs)) file.release()
      else areLeft = true
    }
  }
  return areLeft ? taken : undefined
}

/** The oldest of them, as many as are more than what is kept. */
function tooMuch(files: readonly ReplacedFile[]): ReadonlySet<ReplacedFile> {
  const over = new Set<ReplacedFile>()
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  // Names begin with the time of the operation.
  for (const file of files.toSorted((a, b) => (a.operation < b.operation ? -1 : 1))) {
    if (bytes <= KEPT_BYTES) break
    over.add(file)
    bytes -= file.size
  }
  return over
}

async function saveOf(kb: View, source: string, file: ReplacedFile): Promise<Save | undefined> {
  const operation = await writingOf(kb).history.find(file.operation)
  const change = operation?.changes.find(
    (each) => each.source === source && (file.isOf(each.path) || file.isOf(each.from ?? each.path)),
  )
  if (!operation || change?.before === undefined) return undefined
  const { path, before: digest } = change
  const versions = operation.state === 'done' && (await versionsOf(kb, operation, change))
  const before = versions ? versions.before : undefined
  return { source, path, before, digest, size: 0, file, seenAt: undefined, looksMs: [] }
}
