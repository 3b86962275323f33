/**
 * A folder held open while files in it are read or changed. A path is looked at first and used
 * afterwards; who can write to the tree could put a symbolic link there in between. What is done
 * through an open folder is done in that folder, whatever its path has come to mean.
 */
import {
  closeSync,
  constants,
  existsSync,
  fsync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import { isInside } from './paths.ts'
import { codeOf } from './reasons.ts'

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * O_NOFOLLOW: the place was resolved already, so a link there now was put there since.
 * O_NONBLOCK: opening a FIFO put there since returns instead of waiting for a writer.
 * Both are missing on Windows, where neither exists in folders.
 */
export const READ_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Linux names what is open, and takes such a name as the beginning of a path. */
export const NAMES_DESCRIPTORS = process.platform === 'linux' && existsSync('/proc/self/fd')

const flushDescriptor = promisify(fsync)

export class HeldFolder {
  readonly #place: string
  readonly #descriptor: number | undefined

  /** `place` is absolute and real, as `resolveInside` found it. Throws when it is not there. */
  constructor(place: string) {
    this.#place = place
    // Windows does not let folders be opened.
    this.#descriptor = process.platform === 'win32' ? undefined : openSync(place, FOLDER_FLAGS)
    const now =
      this.#descriptor !== undefined && NAMES_DESCRIPTORS
        ? readlinkSync(`/proc/self/fd/${this.#descriptor}`)
        : realpathSync.native(place)
    if (now === place) return
    this.close()
    throw swapped(place)
  }

  /** A path to something in this folder, for as long as it is held. */
  at(name: string): string {
    return this.#descriptor !== undefined && NAMES_DESCRIPTORS
      ? `/proc/self/fd/${this.#descriptor}/${name}`
      : join(this.#place, name)
  }

  /** The same for another process. */
  forOthers(name: string): string {
    return this.at(name).replace(/^\/proc\/self\//, `/proc/${process.pid}/`)
  }

  /** A rename is on disk when its folder is. Windows flushes by itself. */
  async flush(): Promise<void> {
    if (this.#descriptor === undefined) return
    try {
      await flushDescriptor(this.#descriptor)
    } catch (error) {
      // Some network drives cannot flush a folder; they have no more to promise.
      if (!CANNOT_FLUSH.has(codeOf(error))) throw error
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }
}

const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF'])

/** Whether an open file lies below the root. True where the system does not tell. */
export function isOpenInside(root: string, descriptor: number): boolean {
  if (!NAMES_DESCRIPTORS) return true
  return isInside(root, readlinkSync(`/proc/self/fd/${descriptor}`))
}

/** Whether an open file certainly is the one at this place, with no link on the way. */
export function isOpenAt(place: string, descriptor: number): boolean {
  return NAMES_DESCRIPTORS && readlinkSync(`/proc/self/fd/${descriptor}`) === place
}

/** Whether nobody wrote to a file between two looks at it. */
export function sameState(a: Stats, b: Stats): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
}

function swapped(place: string): KnowledgeError {
  return new KnowledgeError(
    'forbidden',
    `The folder ${quoted(place)} was replaced by a symbolic link while it was used.`,
    'Nothing was read or changed there. Look at who else writes to this folder.',
  )
}
