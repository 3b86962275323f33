/** Which folders, under which names? Reads `path` and `name=path`, and refuses what would collide. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'

/**
 * What a folder is read for: its files (`notes`), the entities in its `knowledge/` (`graph`), or
 * both. Where nobody says, a folder that has such entities is read for both. `database`: no folder
 * at all, but documents in the database that `store` names.
 */
export const SOURCE_KINDS = ['notes', 'graph', 'both', 'database'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** A source as it was asked for: the name may still be missing. */
export interface SourceRequest {
  readonly name?: string
  readonly path: string
  readonly kind?: SourceKind
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly hidden: boolean
}

export interface SourceConfig extends SourceRequest {
  /** First part of every id: `<name>/<path>`. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** Leave out what ignore files name; yes unless a surface wants every file, or all but ours. */
  readonly heedsIgnoreFiles?: boolean | 'own'
  /** Read notes that are not UTF-8 as well, with U+FFFD in place of what cannot be read. */
  readonly readsAnyNote?: boolean
  /** Whether it holds a program, whose settings and other texts are read too; else its files tell. */
  readonly isProgram?: boolean
}

/** One path segment that needs no quoting in ids, globs and shells, in any script. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{0,63}$/u

/** Stands before the name of documents in the database, where others have the path of a folder. */
const SHELF = 'db:'

export function isShelf(path: string): boolean {
  return path.startsWith(SHELF)
}

export function shelfOf(path: string): string {
  return path.slice(SHELF.length)
}

/** `kb://entities/…` and `kb://reports/…` mean something else. */
const RESERVED_NAMES = ['entities', 'reports']

/**
 * Splits `name=path`. A folder whose own name has an equals sign is written with a slash before
 * it (`./a=b`): what stands left of the sign is then no name.
 */
export function parseSourceArgument(text: string): { name?: string; path: string } {
  if (isShelf(text)) return { name: shelfOf(text), path: text }
  const sign = text.indexOf('=')
  if (sign > 0 && NAME.test(text.slice(0, sign))) {
    return { name: text.slice(0, sign), path: text.slice(sign + 1) }
  }
  return { path: text }
}

/** Absolute form of a path; `~` is ours to expand because shells leave `name=~/x` alone. */
export function resolvePath(path: string, folder: string, home: string): string {
  if (path === '~') return home
  if (isShelf(path)) return path
  if (path.startsWith('~/') || path.startsWith(`~${sep}`)) return join(home, path.slice(2))
  return resolve(folder, path)
}

/** Names every source, and checks that each is readable and a folder of its own. */
export function resolveSources(asked: readonly SourceRequest[]): SourceConfig[] {
  const requests = asked.map(resolveKind)
  for (const request of requests) checkPlace(request)
  checkShelves(requests.filter(({ kind }) => kind === 'database'))
  checkApart(requests.filter(({ kind }) => kind !== 'graph' && kind !== 'database'))
  checkApart(requests.filter(({ kind }) => kind === 'graph'))
  const graphs = new Set(requests.filter(({ kind }) => kind === 'graph').map(({ path }) => path))
  return nameSources(
    requests.map((request) => {
      const found = !request.kind && !graphs.has(request.path) && hasGraph(request.path)
      return found ? { ...request, kind: 'both' } : request
    }),
  )
}

function resolveKind(request: SourceRequest): SourceRequest {
  if (isShelf(request.path)) return { ...request, kind: 'database' }
  return isMemoryFile(request) ? { ...request, kind: GRAPH } : request
}

const GRAPH: SourceKind = 'graph'

/** What the reference memory server keeps is one file, and nothing but a graph. */
function isMemoryFile({ path, kind }: SourceRequest): boolean {
  return kind === undefined && /\.jsonl?$/i.test(path) && isFile(path)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Where the index goes when nobody says: into the source, or beside it. */
export function defaultState({ path }: Pick<SourceConfig, 'path'>): string {
  return join(isFile(path) ? dirname(path) : path, '.cairn')
}

function hasGraph(folder: string): boolean {
  return ['entities', 'relations'].some((part) =>
    statSync(join(folder, 'knowledge', part), { throwIfNoEntry: false })?.isDirectory(),
  )
}

/** Names given by hand come first, so that a folder's default name never takes one of them. */
function nameSources(requests: readonly SourceRequest[]): SourceConfig[] {
  const taken = new Set(RESERVED_NAMES)
  for (const { name, path } of requests) {
    if (name === undefined) continue
    if (!NAME.test(name)) throw badSourceName(name)
    if (RESERVED_NAMES.includes(name.toLowerCase())) throw reservedSourceName(name)
    // Ids are looked up without regard to case, so `Notes` and `notes` would be one.
    if (taken.has(name.toLowerCase())) throw duplicateSourceName(name, path)
    taken.add(name.toLowerCase())
  }
  return requests.map((request) => ({
    ...request,
    name: request.name ?? freeName(request.path, taken),
  }))
}

function freeName(path: string, taken: Set<string>): string {
  const slug = slugOf(basename(path))
  let name = slug
  for (let count = 2; taken.has(name); count++) name = `${slug}-${count}`
  taken.add(name)
  return name
}

/** `My Notes (old)` becomes `my-notes-old`; letters of every script stay. */
export function slugOf(folder: string): string {
  const words = folder
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu)
  return (words?.join('-') ?? '').slice(0, 60) || 'notes'
}

/** What is kept under which name in the database, each once. */
function checkShelves(requests: readonly SourceRequest[]): void {
  const taken = new Set<string>()
  for (const { path, include, exclude, hidden } of requests) {
    const shelf = shelfOf(path)
    if (!NAME.test(shelf)) throw badSourceName(shelf)
    if (taken.has(shelf)) throw duplicateFolder(path)
    taken.add(shelf)
    if (include.length + exclude.length > 0 || hidden) {
      throw invalid(
        `The source ${quoted(path)} is no folder, so there are no files to include or exclude.`,
        'Leave out include, exclude and hidden.',
      )
    }
  }
}

function checkPlace({ path, kind }: SourceRequest): void {
  if (kind === 'database') {
    if (isShelf(path)) return
    throw invalid(
      `${quoted(path)} is a folder, and a source of kind database has none.`,
      'Write {kind: database, name: notes}, or db:notes.',
    )
  }
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw missingFolder(path)
  if (!stats.isDirectory() && !(kind === GRAPH && stats.isFile())) throw notAFolder(path)
  try {
    accessSync(path, stats.isFile() ? constants.R_OK : constants.R_OK | constants.X_OK)
  } catch {
    throw unreadableFolder(path)
  }
}

/**
 * A folder inside another source would give its documents two ids, two entries in every result and
 * ambiguous links, so it is an error. It is allowed once the outer source excludes it by name.
 */
function checkApart(requests: readonly SourceRequest[]): void {
  const roots = requests.map((request) => ({ request, real: realpathSync.native(request.path) }))
  for (const [index, outer] of roots.entries()) {
    for (const [other, inner] of roots.entries()) {
      if (index === other) continue
      const below = relative(outer.real, inner.real)
      if (below === '') throw duplicateFolder(inner.request.path)
      if (below.split(sep)[0] === '..' || isAbsolute(below)) continue
      const folder = below.split(sep).join('/')
      if (!excludes(outer.request, folder)) {
        throw nestedFolder(outer.request.path, inner.request.path, folder)
      }
    }
  }
}

function excludes(source: SourceRequest, folder: string): boolean {
  return source.exclude.some(
    (pattern) => pattern.replace(/^\.?\//, '').replace(/\/(\*\*)?$/, '') === folder,
  )
}

function badSourceName(name: string): KnowledgeError {
  return invalid(
    `${quoted(name)} cannot be the name of a source.`,
    'Use letters, digits, dots, hyphens and underscores, at most 64, beginning with a letter or digit.',
  )
}

function reservedSourceName(name: string): KnowledgeError {
  return invalid(
    `The source name ${quoted(name)} is reserved.`,
    `Choose another name, such as ${name}-notes.`,
  )
}

function duplicateSourceName(name: string, path: string): KnowledgeError {
  return invalid(
    `Two sources are named ${quoted(name)}.`,
    `Give ${quoted(path)} another name with name=path.`,
  )
}

function missingFolder(path: string): KnowledgeError {
  return invalid(
    `There is no folder ${quoted(path)}.`,
    'Check the spelling, or create the folder first.',
  )
}

function notAFolder(path: string): KnowledgeError {
  return invalid(
    `${quoted(path)} is a file, not a folder.`,
    'Serve the folder it is in; "include" in cairn.yaml can narrow that folder to one file.',
  )
}

function unreadableFolder(path: string): KnowledgeError {
  return invalid(`The folder ${quoted(path)} cannot be read.`, 'Check its permissions.')
}

function duplicateFolder(path: string): KnowledgeError {
  return invalid(`The folder ${quoted(path)} is given twice.`, 'Name each folder once.')
}

function nestedFolder(outer: string, inner: string, folder: string): KnowledgeError {
  return invalid(
    `The folder ${quoted(inner)} lies inside the source ${quoted(outer)}, so its documents would count twice.`,
    `Leave one of them out, or add "${folder}/**" to "exclude" of the outer source in cairn.yaml.`,
  )
}
