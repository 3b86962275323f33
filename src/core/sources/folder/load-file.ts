/** A file as it is now, and whether somebody may be in the middle of saving it. */
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import type { FileAttributes, FileBytes, FilePart } from '../../domain/source.ts'
import { digestOf, identityOf, isYounger, stampOf, statsOf } from './file-version.ts'
import { HeldFolder, READ_FLAGS } from './held-folder.ts'
import { resolveInside } from './paths.ts'
import { largestFile } from './read.ts'
import { isGone, NOT_REGULAR, reasonOf, tooLarge, unavailable } from './reasons.ts'
import type { ReplacedFiles } from './replaced-files.ts'
import type { Tree } from './scan.ts'

export interface Work {
  readonly tree: Tree
  readonly replaced: ReplacedFiles
  /** Which file this process put at a path last. */
  readonly own: Map<string, string>
  /** The same of files that have nothing but bytes, mode and owner, as of when that was known. */
  readonly plain: Map<string, string>
}

export function load(work: Work, path: string): FileBytes | undefined {
  const { tree } = work
  const { real, entry, stats } = resolveInside(tree.root, path, { forWriting: true })
  if (!stats) return undefined
  // Looked at before it is opened: opening a FIFO or a device may do anything.
  if (!stats.isFile()) throw notAFile(path)
  let folder: HeldFolder | undefined
  let descriptor: number | undefined
  try {
    folder = new HeldFolder(dirname(real))
    descriptor = openSync(folder.at(basename(real)), READ_FLAGS)
    const now = fstatSync(descriptor, { bigint: true })
    if (!now.isFile()) throw notAFile(path)
    requireSize(tree, path, Number(now.size))
    const bytes = readFileSync(descriptor)
    return {
      path,
      size: bytes.length,
      modifiedAt: Number(now.mtimeNs) / 1e6,
      ...attributesOf(now),
      bytes,
      digest: digestOf(bytes),
      ...(entry !== real && { link: readlinkSync(entry) }),
      ...agesOf(work, path, now),
    }
  } catch (error) {
    if (isGone(error)) return undefined
    if (error instanceof KnowledgeError) throw error
    throw unavailable(`${quoted(path)} cannot be read: ${reasonOf(error)}`, [], error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
    folder?.close()
  }
}

/** Apart from `load`, which every write passes: here nobody asks who is saving it just now. */
export function loadPart(
  { root }: Tree,
  path: string,
  from: number,
  length: number,
): FilePart | undefined {
  const { real, stats } = resolveInside(root, path, { forWriting: true })
  if (!stats?.isFile()) return undefined
  const folder = new HeldFolder(dirname(real))
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder.at(basename(real)), READ_FLAGS)
    const now = fstatSync(descriptor, { bigint: true })
    if (!now.isFile()) return undefined
    const size = Number(now.size)
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - from)))
    const count = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, from)
    return { bytes: bytes.subarray(0, count), size, stamp: stampOf(now) }
  } catch (error) {
    if (isGone(error)) return undefined
    throw unavailable(`${quoted(path)} cannot be read: ${reasonOf(error)}`, [], error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
    folder.close()
  }
}

/** A disk that is busy may take this long between two steps of a writer. */
const STIRRED_MS = 2_000

export function stirred(tree: Tree, path: string): boolean {
  try {
    const { real } = resolveInside(tree.root, path, { forWriting: true })
    const folder = statsOf(dirname(real))
    return folder !== undefined && isYounger(folder, STIRRED_MS)
  } catch {
    return false
  }
}

function attributesOf({ mode, uid, gid }: BigIntStats): FileAttributes {
  return { mode: Number(mode) & 0o7777, uid: Number(uid), gid: Number(gid) }
}

/** Editors save in several steps, with less than this between them. */
const REST_MS = 100
/** Unless they, or their disk, stand still. */
const FRESH_MS = 60_000

function agesOf(
  { own, replaced }: Work,
  path: string,
  stats: BigIntStats,
): Pick<FileBytes, 'unrested' | 'isFresh'> {
  const unrested = isYounger(stats, REST_MS)
  const isFresh = Math.abs(Date.now() - Number(stats.mtimeNs) / 1e6) < FRESH_MS
  if ((!unrested && !isFresh) || own.get(path) === identityOf(stats)) return { unrested: false }
  // Looking for who put it there takes long where much is kept; the difference is a minute more.
  return unrested && replaced.putThere(path, stats) ? { unrested: false } : { unrested, isFresh }
}

/** Throws for what would be larger than files may be. */
export function requireSize(
  tree: Pick<Tree, 'maxFileBytes' | 'conversion'>,
  path: string,
  size: number,
): void {
  if (size <= tree.maxFileBytes) return
  const limit = largestFile(tree, path)
  if (size <= limit) return
  throw invalid(
    `${quoted(path)} would be ${tooLarge(size, limit)}.`,
    'Split the document, or raise the limit with --max-file-bytes.',
  )
}

function notAFile(path: string): KnowledgeError {
  return invalid(
    `${quoted(path)} is ${NOT_REGULAR}.`,
    'Only ordinary files are written. Choose another path.',
  )
}
