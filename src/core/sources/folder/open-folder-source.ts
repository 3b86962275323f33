/** A folder of documents on this machine as a source of knowledge. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Conversion } from '../../domain/conversion.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { decodeText } from '../../domain/format.ts'
import { eachInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { Source } from '../../domain/source.ts'
import { areAsRead } from './as-read.ts'
import { besideNotes } from './beside-notes.ts'
import { birthTimes } from './births.ts'
import { presentFiles } from './present-files.ts'
import { openReadElsewhere } from './read-elsewhere.ts'
import { readFiles } from './read.ts'
import { codeOf, reasonOf } from './reasons.ts'
import { compileRules, type RuleOptions } from './rules.ts'
import { scanPaths, type Tree } from './scan.ts'
import { scanWatched, watchTree, type WatchOptions } from './watch.ts'
import { folderWriter } from './write.ts'

export interface FolderOptions extends RuleOptions {
  readonly name: string
  /** Where the folder is; relative to the working directory when not absolute. */
  readonly root: string
  /** How bytes become text; UTF-8 or marked UTF-16 unless a format says otherwise. */
  readonly decode?: (path: string, bytes: Buffer) => string | undefined
  /** What makes text of files that are none. */
  readonly conversion?: Conversion | undefined
  /** Larger files are skipped, and reported. */
  readonly maxFileBytes?: number
  /** Leave out what ignore files name. Default: yes. */
  readonly heedsIgnoreFiles?: boolean | 'own'
  readonly watching?: WatchOptions
  /** Whether the folder is that of a program, whose notes speak of its code. */
  readonly holdsCode?: boolean
}

export const DEFAULT_MAX_FILE_BYTES = 10 * 1024 * 1024

/** Opens a folder. Throws when it is not there, not a folder or not readable; holds nothing open. */
export function openFolderSource(options: FolderOptions): Source {
  const tree: Tree = {
    name: options.name,
    root: realFolder(options.root),
    rules: compileRules(options),
    decode: options.decode ?? ((_path, bytes) => decodeText(bytes)),
    conversion: options.conversion,
    maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    heedsIgnoreFiles: options.heedsIgnoreFiles ?? true,
    ignoresCase: process.platform === 'darwin' || process.platform === 'win32',
  }
  const elsewhere = openReadElsewhere(tree)
  return {
    name: tree.name,
    root: tree.root,
    ...(options.holdsCode && { holdsCode: true }),
    ...(options.conversion && { converts: options.conversion.converts }),
    scan: (onFound) => scanWatched(tree, onFound),
    rescan: (paths) => scanPaths(tree, paths),
    async read(paths, indexed, isFirst) {
      const ahead = indexed ? undefined : await elsewhere.read(paths)
      const contents = await readFiles(tree, paths, { indexed, isFirst, ahead: ahead?.files })
      ahead?.release()
      return contents
    },
    areAsRead: (files, readAt) => areAsRead(tree.root, files, readAt),
    bornAt: (paths) => birthTimes(tree, paths),
    watch: (onChange, recent) => watchTree(tree, onChange, options.watching, recent),
    writer: folderWriter(tree),
    beside: besideNotes(tree),
    privateAmong: (paths) => chosen(paths, (path) => tree.rules.leavesOut(path)),
    presentAmong: (paths) => presentFiles(tree.root, paths),
  }
}

async function chosen(
  paths: readonly string[],
  isChosen: (path: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = []
  const looking = eachInSteps(paths, (path) => {
    if (isChosen(path)) found.push(path)
  })
  await stepsInSlices(looking)
  return found
}

function realFolder(root: string): string {
  if (root === '') throw invalid('The folder has no path.', 'Say which folder to serve.')
  const absolute = resolve(root)
  let real: string
  try {
    real = realpathSync.native(absolute)
    if (!statSync(real).isDirectory()) throw notAFolder(root)
    accessSync(real, constants.R_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    if (codeOf(error) === 'ENOENT') throw folderNotFound(root, absolute)
    if (codeOf(error) === 'ENOTDIR') throw notAFolder(root)
    throw folderUnreadable(root, error)
  }
  return real
}

function folderNotFound(root: string, absolute: string): KnowledgeError {
  const where = root === absolute ? '' : ` It was looked for at ${absolute}.`
  const hint = root.startsWith('~')
    ? 'The shell did not expand "~"; write the full path.'
    : 'Check the spelling, or create the folder first.'
  return new KnowledgeError('not_found', `There is no folder ${quoted(root)}.${where}`, hint)
}

function notAFolder(root: string): KnowledgeError {
  return invalid(`${quoted(root)} is not a folder.`, 'Give the folder that contains the file.')
}

function folderUnreadable(root: string, error: unknown): KnowledgeError {
  return invalid(
    `The folder ${quoted(root)} cannot be read: ${reasonOf(error)}.`,
    'Give the user who runs Cairn permission to list and read it.',
  )
}
