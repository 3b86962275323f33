/**
 * Files that were replaced, kept in the `.cairn` of the folder under a name that tells the
 * operation, the path and the file that took the place. They are hard links or the files
 * themselves, so a program that goes on writing to one writes to what is kept.
 */
import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
} from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { BoundedMap } from '../../kit/bounded-map.ts'
import type { ReplacedFile } from '../../domain/source.ts'
import { HeldFolder } from './held-folder.ts'
import { isNotedAside } from './nameless-files.ts'
import { resolveInside } from './paths.ts'
import { codeOf, isGone } from './reasons.ts'

const NAME = /^(\d{8}T\d{6}-[0-9a-f]+)\.([0-9a-f]{24})\.(\d+)\.(\d+)(?:\.plain)?$/

/** Says that the file which took the place has nothing but bytes, mode and owner. */
const PLAIN = '.plain'

/** The end of the name of a file that nothing took the place of. */
const REMOVED = '.0.0'
const SHELLS_AT_MOST = 1_000

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export class ReplacedFiles {
  readonly #root: string
  readonly #folder: string
  readonly #shells: string

  constructor(root: string) {
    this.#root = root
    this.#folder = join(root, '.cairn', 'replaced')
    this.#shells = join(root, '.cairn', 'removed')
  }

  /** Where to keep what the file with these stats replaces; undefined where nothing can be kept. */
  placeFor(
    operation: string,
    path: string,
    next: BigIntStats | undefined,
    isPlain = false,
  ): string | undefined {
    const place = `${operation}.${keyOf(path)}.${next?.ino ?? 0}.${next?.mtimeNs ?? 0}`
    const name = isPlain ? `${place}${PLAIN}` : place
    if (!NAME.test(name)) return undefined
    try {
      // `.cairn` is made by whoever takes the lock of this folder; without one, nothing is kept.
      mkdirSync(this.#folder, { mode: 0o700 })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return undefined
    }
    return join(this.#folder, name)
  }

  /** Whether this very file was put there by a program that keeps what it replaces: by Cairn. */
  putThere(path: string, { ino, mtimeNs }: BigIntStats): boolean {
    const end = `.${keyOf(path)}.${ino}.${mtimeNs}`
    return this.#names().some((name) => name.endsWith(end) || name.endsWith(end + PLAIN))
  }

  /** The same, and known to have nothing that would have to be copied to its successor. */
  isPlain(path: string, { ino, mtimeNs }: BigIntStats, names: readonly string[]): boolean {
    const end = `.${keyOf(path)}.${ino}.${mtimeNs}${PLAIN}`
    return names.some((name) => name.endsWith(end))
  }

  /** What is kept now, to ask about many files at once. */
  names(): readonly string[] {
    return this.#names()
  }

  list(): ReplacedFile[] {
    return this.#names().flatMap((name) => this.find(join(this.#folder, name)) ?? [])
  }

  find(place: string): ReplacedFile | undefined {
    const match = NAME.exec(basename(place))
    const look = () => {
      // A link that somebody laid there is not what was kept, and what it leads to not ours.
      const stats = lstatSync(place, { throwIfNoEntry: false })
      return stats?.isFile() ? stats : undefined
    }
    const found = look()
    if (!match || !found) return undefined
    const [, operation = '', key] = match
    return {
      operation,
      size: found.size,
      touchedAt() {
        const stats = look()
        return stats && Math.max(stats.mtimeMs, stats.ctimeMs)
      },
      isOf: (path) => keyOf(path) === key,
      load: () => readKept(place),
      putBack: (path) => void putBack(this.#root, place, path),
      release: () => this.#release(place),
    }
  }

  /**
   * What is left of a file that an operation removed: who may do what with it, and whatever else
   * the file system keeps beside the bytes. Undefined where nothing is left.
   */
  shellOf(operation: string, path: string): string | undefined {
    const name = `${operation}.${keyOf(path)}`
    return [join(this.#shells, name), join(this.#folder, `${name}${REMOVED}`)].find((place) =>
      statSync(place, { throwIfNoEntry: false }),
    )
  }

  /** The bytes of a removed file are in the history; the rest of it stays, as an empty file. */
  #release(place: string): void {
    if (isNotedAside(this.#root, place)) return
    if (!place.endsWith(REMOVED)) return removeKept(place)
    try {
      mkdirSync(this.#shells, { recursive: true, mode: 0o700 })
      truncateSync(place)
      renameSync(place, join(this.#shells, basename(place).slice(0, -REMOVED.length)))
      const oldest = readdirSync(this.#shells).toSorted().slice(0, -SHELLS_AT_MOST)
      for (const name of oldest) removeKept(join(this.#shells, name))
    } catch {
      removeKept(place)
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
    } catch {
      return []
    }
  }
}

/** Gives a kept file the name it had below the root. False when something else has that now. */
export function putBack(root: string, kept: string, path: string): boolean {
  const { real } = resolveInside(root, path, { forWriting: true })
  const folder = new HeldFolder(dirname(real))
  try {
    return giveName(kept, folder.at(basename(real)))
  } finally {
    folder.close()
  }
}

/** Whether what has the name now is what was to take it. */
export function hasSuccessor(root: string, kept: string, path: string): boolean {
  const { real } = resolveInside(root, path, { forWriting: true })
  const now = statSync(real, { bigint: true, throwIfNoEntry: false })
  return now !== undefined && NAME.exec(basename(kept))?.[3] === String(now.ino)
}

/** Whether a file of this name is kept for this path. */
export function isNameFor(name: string, path: string): boolean {
  return NAME.exec(name)?.[2] === keyOf(path)
}

const keys = new BoundedMap<string, string>(10_000)

/** Short enough for a file name, and as good as unique. Every kept file is held against every path. */
function keyOf(path: string): string {
  let key = keys.get(path)
  if (key === undefined) keys.set(path, (key = hash('sha256', path, 'hex').slice(0, 24)))
  return key
}

/** The bytes of a kept file; undefined when it is gone. */
export function readKept(place: string): Uint8Array | undefined {
  return readRegular(place)?.bytes
}

/** An ordinary file and its stats, from one look; undefined where there is none. */
export function readRegular(place: string): { stats: BigIntStats; bytes: Uint8Array } | undefined {
  let descriptor: number
  try {
    descriptor = openSync(place, READ_FLAGS)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true })
    return stats.isFile() ? { stats, bytes: readFileSync(descriptor) } : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** A name that goes is asked for again where a disk fails now and then. */
const REMOVALS = 5

export function removeKept(place: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      unlinkSync(place)
      return
    } catch (error) {
      if (isGone(error)) return
      if (attempt === REMOVALS) throw error
    }
  }
}

/**
 * Gives a kept file its name again. False when something else has taken the name. Done twice it is
 * done once: a call may fail and have taken effect all the same.
 */
export function giveName(kept: string, target: string): boolean {
  try {
    linkSync(kept, target)
  } catch (error) {
    if (!isOneFile(kept, target)) {
      if (codeOf(error) === 'EEXIST') return false
      if (!CANNOT_LINK.has(codeOf(error))) throw error
      if (statSync(target, { throwIfNoEntry: false })) return false
      renameSync(kept, target)
      return true
    }
  }
  try {
    removeKept(kept)
  } catch {
    // A second name of a file that has its own; it goes with the others that are kept.
  }
  return true
}

function isOneFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((place) =>
    lstatSync(place, { bigint: true, throwIfNoEntry: false }),
  )
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino
}

/** A file system without hard links, or a file that one may not have a second name for. */
export const CANNOT_LINK: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
])
