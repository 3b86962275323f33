/** Goes on with whatever file now stands at the path of the index. */
import { statSync } from 'node:fs'
import { type KnowledgeError, unavailable } from '../../domain/error.ts'
import { Slices } from '../../kit/slices.ts'
import type { Stamps, Store } from '../store.ts'
import { isUnusable, markDamaged } from './open-database.ts'

/** Calls that everyone makes again and again: there a file that was replaced is noticed. */
const LOOKING: ReadonlySet<string> = new Set(['stamps', 'acquireLease'])
/** A call that is under way may still need the file it began with. */
const KEEP_OLD_MS = 30_000

/**
 * Calls are answered at once and never wait for anything, so that an operation of many calls would
 * keep everybody else waiting until it is over. Those that take long let others in between.
 */
const turns = new Slices()

/**
 * The store in whatever file now stands at the path. The index may be deleted or set aside by
 * anyone at any time; whoever serves goes on with the new one. Damage deep inside the file shows
 * when that part is read, long after it was opened: the file is set aside at the next look, and
 * whoever indexes finds an empty one.
 */
export function followingFile(opened: Store, file: string, reopen: () => Store): Store {
  let current = opened
  let inode = inodeOf(file)
  let replaced = 0
  let seen = 0
  let damaged = false
  const follow = (): void => {
    if (!damaged && inodeOf(file) === inode) return
    const old = current
    current = reopen()
    damaged = false
    inode = inodeOf(file)
    replaced++
    seen = 0
    setTimeout(() => void old.close(), KEEP_OLD_MS).unref()
  }
  const told = (stamps: Stamps): Stamps => {
    // Brought back from an earlier time, in the same file: numbers are given out a second time.
    if (stamps.generation < seen) replaced++
    seen = stamps.generation
    return { ...stamps, epoch: `${stamps.epoch}.${replaced}` }
  }
  const notice = (): void => {
    // Somebody else may have noticed first, and the file at the path be a new one.
    if (inodeOf(file) !== inode) return
    markDamaged(file)
    damaged = true
  }
  const noticed = (why: string): KnowledgeError => {
    notice()
    return unavailable(
      `The index file is damaged (${why}).`,
      'Ask again in a moment: the file is set aside, and the index is rebuilt from your files.',
    )
  }
  const call = async (name: string, values: unknown[]): Promise<unknown> => {
    try {
      if (turns.over) await turns.pause()
      if (LOOKING.has(name)) follow()
      const method = Reflect.get(current, name) as (...given: unknown[]) => Promise<unknown>
      const result = await method.apply(current, values)
      if (name === 'stamps') return told(result as Stamps)
      if (name === 'check' && (result as readonly string[]).length > 0) notice()
      return result
    } catch (error) {
      throw isUnusable(error) ? noticed((error as Error).message) : error
    }
  }
  const methods = Object.keys(opened).map(
    (name) => [name, (...values: unknown[]) => call(name, values)] as const,
  )
  return Object.fromEntries(methods) as unknown as Store
}

/** Which file stands at the path; undefined when there is none. */
function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}
