/** Which files a backup is made of: those of the sources, and those of the state folder. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import type { InDatabase, Source } from '../../core/domain/source.ts'
import { CATALOGUE_PATHS } from '../../core/operations/repository/catalogue.ts'
import { listFiles } from '../../core/sources/jsonl/list-files.ts'
import type { SourceConfig } from '../../serve/config/config.ts'
import type { ArchivedSource } from '../archives/manifest.ts'

export interface FoundFile {
  /** In the archive. */
  readonly path: string
  /** On this machine. */
  readonly place: string
  readonly modifiedAt: number
  readonly mode: number
  /** Another one means that it may have changed. */
  readonly stamp: string
  /** For what is in no file here; undefined when it is gone. */
  readonly read?: () => Promise<Uint8Array | undefined>
}

/** What is not a document and decides how documents are read. */
const SETTINGS = ['cairn.yaml', 'cairn.yml', '.cairnignore', '.gitignore', ...CATALOGUE_PATHS]

export async function sourceFiles(source: Source): Promise<FoundFile[]> {
  const below = `sources/${source.name}`
  if (source.inDatabase) return databaseFiles(below, source.inDatabase)
  if (isFile(source.root)) {
    return [fileAt(`${below}/${basename(source.root)}`, source.root)].flatMap((each) => each ?? [])
  }
  const { files } = await source.scan()
  const graph = source.graph ? listFiles(source.root).files.map(({ role }) => role.file) : []
  const paths = [...files.map(({ path }) => path).filter((path) => !isEntityPath(path)), ...graph]
  return [...new Set([...paths, ...SETTINGS])].flatMap((path) => {
    const found = fileAt(`${below}/${path}`, join(source.root, ...path.split('/')))
    return found ?? []
  })
}

/** Documents in the database become files. */
async function databaseFiles(below: string, { contents, shelf }: InDatabase): Promise<FoundFile[]> {
  const entries = await contents().list(shelf)
  return entries.map(({ path, digest, modifiedAt }) => ({
    path: `${below}/${path}`,
    place: '',
    modifiedAt,
    mode: 0o644,
    stamp: digest,
    read: async () => (await contents().read(shelf, [path]))[0]?.bytes,
  }))
}

/** What was in a database comes back as a folder, from which it can be imported. */
export function archivedSource({ path, ...source }: SourceConfig): ArchivedSource {
  const { name, kind, include, exclude, hidden } = source
  const rules = {
    ...(kind !== undefined && kind !== 'notes' && kind !== 'database' && { kind }),
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
    ...(hidden && { hidden }),
  }
  return {
    name,
    ...(isFile(path) && { file: basename(path) }),
    ...(Object.keys(rules).length > 0 && { rules }),
  }
}

/**
 * What of the state folder is worth keeping. Not other backups, locks, the index (a copy of it is in
 * the backup), the claim on the folder (it names this machine's) and the key that signs (a new one is
 * made); nor what somebody else keeps in a folder that was named for the state.
 */
const KEPT = ['audit', 'feedback', 'history', 'recipes', 'reports', 'scheduler']
const KEPT_FILES = ['map.bin', 'tokens.json']
const PASSING = /\.(?:lock|tmp|partial|\d+)$/

export const STATE_FOLDERS: readonly string[] = KEPT

/** The copy of the index in a backup. */
export const INDEX_COPY = 'index.db'

/** Whether a backup may hold this besides the files of its sources. */
export function isStatePath(path: string): boolean {
  const [top = '', ...below] = path.split('/')
  if (below.length === 0) return top === INDEX_COPY || KEPT_FILES.includes(top)
  return KEPT.includes(top)
}

export function stateFiles(state: string): FoundFile[] {
  const found: FoundFile[] = []
  const take = (path: string): void => {
    const file = PASSING.test(path) && !/\.log\.\d+$/.test(path) ? undefined : fileIn(path)
    if (file) found.push(file)
  }
  const fileIn = (path: string) => fileAt(path, join(state, ...path.split('/')))
  const walk = (folder: string, depth: number): void => {
    for (const entry of entriesIn(join(state, folder))) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory() && depth < DEEPEST) walk(path, depth + 1)
      else if (entry.isFile()) take(path)
    }
  }
  for (const folder of KEPT) walk(folder, 0)
  for (const path of KEPT_FILES) take(path)
  return found
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

const DEEPEST = 16

function fileAt(path: string, place: string): FoundFile | undefined {
  const stats = statSync(place, { throwIfNoEntry: false, bigint: true })
  if (!stats?.isFile()) return undefined
  return {
    path,
    place,
    modifiedAt: Number(stats.mtimeNs) / 1e6,
    mode: Number(stats.mode & 0o777n),
    stamp: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
