/** The text of files: read whole, checked, hashed, and never from outside the root. */
import { hash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { relative, sep } from 'node:path'
import { MAX_CONVERTED_BYTES } from '../../domain/conversion.ts'
import type { Conversion } from '../../domain/conversion.ts'
import { asPart, isPart } from '../../domain/document.ts'
import type { FileContent, FileEntry, IndexedFile, IndexedFiles } from '../../domain/source.ts'
import { fileStamp, wasAtRest } from './file-version.ts'
import { isOpenAt, isOpenInside, READ_FLAGS, sameState } from './held-folder.ts'
import { isInside, pathProblem } from './paths.ts'
import type { FileRead } from './read-elsewhere.ts'
import { isGone, NOT_REGULAR, NOT_TEXT, reasonOf, tooLarge } from './reasons.ts'
import { splitPath } from '../../kit/paths.ts'
import type { Tree } from './scan.ts'
import { Slices } from '../../kit/slices.ts'

/** Reads files in the order given. One bad file is one bad answer, never an exception. */
export async function readFiles(
  tree: Tree,
  paths: readonly string[],
  {
    indexed,
    isFirst,
    ahead,
  }: {
    readonly indexed?: IndexedFiles | undefined
    readonly isFirst?: ((path: string) => boolean) | undefined
    /** What was read of each already. */
    readonly ahead?: readonly (FileRead | undefined)[] | undefined
  } = {},
): Promise<FileContent[]> {
  const slices = new Slices()
  const reader = new Reader(tree, indexed)
  const contents: FileContent[] = []
  for (const [at, path] of paths.entries()) {
    const read = ahead?.[at]
    const content = read ? noteOf(tree, path, read) : reader.read(path)
    contents.push(
      content.kind === 'bytes'
        ? // Whoever shows what is known of its beginning needs no more.
          await converted(tree, content, isFirst?.(path) ?? isPart(indexed?.(path) ?? {}))
        : content,
    )
    if (slices.over) await slices.pause()
  }
  return contents
}

/** A file that becomes text elsewhere. */
type RawContent = FileEntry & {
  readonly kind: 'bytes'
  readonly bytes: Uint8Array
  readonly digest: string
}

async function converted(
  { conversion }: Tree,
  { bytes, digest, ...file }: RawContent,
  isFirst: boolean,
): Promise<FileContent> {
  const made = await conversion!.convert(file.path, bytes, digest, isFirst)
  if (made.kind === 'text') {
    const stamp = made.isPart ? asPart(file.stamp!) : file.stamp!
    return { ...file, stamp, kind: 'text', text: made.text, digest }
  }
  return made.isPassing
    ? { kind: 'failed', path: file.path, reason: made.reason, isPassing: true }
    : { ...file, kind: 'skipped', reason: made.reason }
}

/** A file that is being written is read again this often before its last state is taken as is. */
const MAX_ATTEMPTS = 3

const LEADS_OUT = 'it leads out of what this source offers'

/** Reading does not pause while a file is in it. A larger file gets a buffer of its own. */
const sharedBuffer = Buffer.allocUnsafeSlow(256 * 1024)

class Reader {
  readonly #tree: Tree
  readonly #indexed: IndexedFiles | undefined
  /** Where folders really are, for the paths of one call. Undefined: not inside the root. */
  readonly #folders = new Map<string, string | undefined>()
  #buffer = sharedBuffer
  /** What makes the text of the file that is just read; undefined for a note. */
  #conversion: Conversion | undefined

  constructor(tree: Tree, indexed: IndexedFiles | undefined) {
    this.#tree = tree
    this.#indexed = indexed
  }

  read(path: string): FileContent | RawContent {
    try {
      // What is in the index was looked at when it came there, and is read from its place alone.
      const isKnown = this.#indexed?.(path) !== undefined
      if (!isKnown && pathProblem(path)) return misspelt(path)
      const straight = this.#readStraight(path)
      if (straight) return straight
      if (isKnown && pathProblem(path)) return misspelt(path)
      const found = this.#find(path)
      if (!found) return failed(path, LEADS_OUT)
      // Looked at before it is opened: opening a FIFO waits, opening a device may do anything.
      if (!found.stats.isFile()) return skipped(path, found.stats, NOT_REGULAR)
      return (
        // A folder on the way may have been swapped for a link since it was looked at.
        this.#readStable(path, found.place, (descriptor) =>
          isOpenInside(this.#tree.root, descriptor),
        ) ?? failed(path, LEADS_OUT)
      )
    } catch (error) {
      return isGone(error) ? { kind: 'gone', path } : failed(path, reasonOf(error))
    }
  }

  /**
   * Reads what stands where its path says, as nearly all files do: the system names the place of
   * what was opened, so nobody has to look at every folder on the way. Undefined for all others.
   */
  #readStraight(path: string): FileContent | RawContent | undefined {
    const place = `${this.#tree.root}/${path}`
    // Looked at before it is opened: opening a FIFO waits, opening a device may do anything.
    if (!lstatSync(place).isFile()) return undefined
    return this.#readStable(path, place, (descriptor) => isOpenAt(place, descriptor))
  }

  /** Where a file really is; undefined when that is not for us to read. */
  #find(path: string): { readonly place: string; readonly stats: Stats } | undefined {
    const { folder, name } = splitPath(path)
    const parent = this.#folder(folder)
    if (parent === undefined) return undefined
    const place = `${parent}/${name}`
    const stats = lstatSync(place)
    if (!stats.isSymbolicLink()) return { place, stats }
    const target = this.#follow(place, 'file')
    return target === undefined ? undefined : { place: target, stats: lstatSync(target) }
  }

  /** Where a folder really is; undefined when that is not for us to read. */
  #folder(path: string): string | undefined {
    if (path === '') return this.#tree.root
    if (this.#folders.has(path)) return this.#folders.get(path)
    const { folder, name } = splitPath(path)
    const parent = this.#folder(folder)
    let place = parent === undefined ? undefined : `${parent}/${name}`
    if (place !== undefined && lstatSync(place).isSymbolicLink()) {
      place = this.#follow(place, 'folder')
    }
    this.#folders.set(path, place)
    return place
  }

  #follow(link: string, kind: 'file' | 'folder'): string | undefined {
    const { root, rules } = this.#tree
    const place = realpathSync.native(link)
    if (!isInside(root, place)) return undefined
    const real = relative(root, place).split(sep).join('/')
    return real === '' || rules.admitsTarget(real, kind) ? place : undefined
  }

  /** Undefined where what was opened is not what was meant. */
  #readStable(
    path: string,
    place: string,
    isMeant: (descriptor: number) => boolean,
  ): FileContent | RawContent | undefined {
    const descriptor = openSync(place, READ_FLAGS)
    try {
      if (!isMeant(descriptor)) return undefined
      const { conversion } = this.#tree
      const isMade = conversion && !path.endsWith('.md') && conversion.converts(path)
      this.#conversion = isMade ? conversion : undefined
      for (let attempt = 1; ; attempt++) {
        const before = fstatSync(descriptor)
        if (!before.isFile()) return skipped(path, before, NOT_REGULAR)
        const made = this.#conversion && this.#madeBefore(this.#conversion, path, before)
        if (made) return made
        const size = this.#readAll(path, descriptor, before.size)
        const after = fstatSync(descriptor)
        // A file that never rests is reported with the older state, so the next scan sees a change.
        if (sameState(before, after) || attempt === MAX_ATTEMPTS) {
          return this.#content(path, before, size)
        }
      }
    } finally {
      closeSync(descriptor)
    }
  }

  /** Reads to the end of the file, or one byte beyond the limit. Returns how many bytes there are. */
  #readAll(path: string, descriptor: number, expected: number): number {
    const { maxFileBytes } = this.#tree
    const limit = (this.#conversion ? largestFile(this.#tree, path) : maxFileBytes) + 1
    let size = 0
    for (;;) {
      const wanted = Math.min(Math.max(expected, size) + 1, limit)
      if (wanted > this.#buffer.length) this.#grow(wanted, size)
      const space = Math.min(this.#buffer.length, limit) - size
      const count = space === 0 ? 0 : readSync(descriptor, this.#buffer, size, space, size)
      if (count === 0) return size
      size += count
      // A short read of exactly what was expected is the end: spares a call for every file.
      if (size === expected && count < space) return size
    }
  }

  #grow(wanted: number, used: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, used)
    this.#buffer = larger
  }

  /** The text that was made of a file which nobody has touched since: its bytes are not read. */
  #madeBefore(conversion: Conversion, path: string, stats: Stats): FileContent | undefined {
    const known = this.#indexed?.(path)
    const whole = entry(path, stats, conversion.maker(path))
    // Shown as it was found, until the rest is found too.
    const isBeginning = known !== undefined && isPart(known)
    const file = isBeginning ? { ...whole, stamp: asPart(whole.stamp!) } : whole
    const digest = digestOf(known, stats, file.stamp)
    const text = digest === undefined ? undefined : conversion.known(path, digest, isBeginning)
    if (digest === undefined || text === undefined) return undefined
    return { ...file, kind: 'text', text, digest }
  }

  #content(path: string, stats: Stats, size: number): FileContent | RawContent {
    const limit = this.#conversion ? largestFile(this.#tree, path) : this.#tree.maxFileBytes
    if (size > limit) return skipped(path, stats, tooLarge(Math.max(stats.size, size), limit))
    const bytes = this.#buffer.subarray(0, size)
    if (this.#conversion) {
      const digest = hash('sha256', bytes, 'hex')
      const file = entry(path, stats, this.#conversion.maker(path))
      return { ...file, kind: 'bytes', bytes: new Uint8Array(bytes), digest }
    }
    const digest = digestOf(this.#indexed?.(path), stats) ?? hash('sha256', bytes, 'hex')
    return noteOf(this.#tree, path, { bytes, stats, digest })
  }
}

function noteOf({ decode }: Tree, path: string, { bytes, stats, digest }: FileRead): FileContent {
  const text = decode(path, bytes)
  if (text === undefined) return skipped(path, stats, NOT_TEXT)
  return { ...entry(path, stats), kind: 'text', text, digest }
}

/** Of files that become text elsewhere pictures and fonts are the most. */
export function largestFile(
  { maxFileBytes, conversion }: Pick<Tree, 'maxFileBytes' | 'conversion'>,
  path: string,
): number {
  return conversion?.converts(path) ? Math.max(maxFileBytes, MAX_CONVERTED_BYTES) : maxFileBytes
}

/** The digest of a file that nobody can have touched since it was indexed. */
function digestOf(
  known: IndexedFile | undefined,
  stats: Stats,
  stamp = fileStamp(stats),
): string | undefined {
  const isSame =
    known?.stamp !== undefined &&
    known.checkedAt !== undefined &&
    stats.size === known.size &&
    stats.mtimeMs === known.modifiedAt &&
    stamp === known.stamp &&
    wasAtRest(stats, known.checkedAt)
  return isSame ? known.digest : undefined
}

function entry(path: string, stats: FileRead['stats'], maker?: string): FileEntry {
  const stamp = fileStamp(stats, maker)
  return { path, size: stats.size, modifiedAt: stats.mtimeMs, stamp }
}

function skipped(path: string, stats: FileRead['stats'], reason: string): FileContent {
  return { ...entry(path, stats), kind: 'skipped', reason }
}

function failed(path: string, reason: string): FileContent {
  return { kind: 'failed', path, reason }
}

function misspelt(path: string): FileContent {
  return failed(path, `its path ${pathProblem(path)}`)
}
