/**
 * Which files make up the graph below a root, in path order, and no link that leads out of it? A
 * file is a graph by itself.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compareIds } from '../../domain/document.ts'
import { KnowledgeError, quoted, unavailable } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import { isInside, resolveInside } from '../folder/paths.ts'
import { isGone, reasonOf } from '../folder/reasons.ts'
import type { FileRole } from './parse-line.ts'

export const ENTITIES = 'knowledge/entities'
export const RELATIONS = 'knowledge/relations'

const EXTENSION = '.jsonl'
/** Deeper than anybody files; a bound for what a broken file system may show. */
const MAX_DEPTH = 32

export interface ListedFile {
  readonly role: FileRole
  /** Where it really is, links resolved. */
  readonly place: string
}

export interface FileList {
  readonly files: readonly ListedFile[]
  readonly warnings: readonly Warning[]
}

/** Throws `unavailable` when the root itself is gone: an empty answer would empty the graph. */
export function listFiles(root: string): FileList {
  const stats = statSync(root, { throwIfNoEntry: false })
  if (stats?.isFile()) {
    const role: FileRole = { kind: 'entities', file: basename(root), category: '' }
    return { files: [{ role, place: root }], warnings: [] }
  }
  if (!stats?.isDirectory()) throw rootGone(root)
  const found: Found = { root, files: [], warnings: [], linked: new Set() }
  for (const [kind, folder] of [
    ['entities', ENTITIES],
    ['relations', RELATIONS],
  ] as const) {
    try {
      const { real, stats } = resolveInside(root, folder)
      if (stats?.isDirectory()) walk(found, { kind, top: folder, topReal: real }, folder, real, 0)
    } catch (error) {
      if (!(error instanceof KnowledgeError)) throw error
      leaveOut(found, folder, error.message)
    }
  }
  found.files.sort((a, b) => compareIds(a.role.file, b.role.file))
  return found
}

/** The month a file of relations is for: `2026-02.jsonl` and `2026/02.jsonl` → `2026-02`. */
export function shardOf(file: string): string | undefined {
  const match = /(?:^|\/)(\d{4})[-/](0[1-9]|1[0-2])\.jsonl$/.exec(file)
  return match && file.startsWith(RELATIONS) ? `${match[1]}-${match[2]}` : undefined
}

/** `knowledge/entities/tech_stack/ai.jsonl` → `tech_stack`. */
export function categoryOf(file: string): string {
  const [first = ''] = file.slice(ENTITIES.length + 1).split('/')
  return first.endsWith(EXTENSION) ? first.slice(0, -EXTENSION.length) : first
}

interface Found {
  readonly root: string
  readonly files: ListedFile[]
  readonly warnings: Warning[]
  /** Real places reached by a link. */
  readonly linked: Set<string>
}

interface Top {
  readonly kind: FileRole['kind']
  readonly top: string
  readonly topReal: string
}

function walk(found: Found, top: Top, folder: string, place: string, depth: number): void {
  let entries
  try {
    entries = readdirSync(place, { withFileTypes: true })
  } catch (error) {
    if (isGone(error)) return
    const message = `${folder}: cannot be read: ${reasonOf(error)}`
    found.warnings.push({ kind: 'failed_file', message, ref: folder })
    return
  }
  for (const entry of entries) {
    const { name } = entry
    // Hidden names belong to editors and systems: backups, locks, resource forks.
    if (name.startsWith('.')) continue
    const path = `${folder}/${name}`
    if (entry.isSymbolicLink()) followLink(found, top, path, join(place, name), depth)
    else if (entry.isDirectory()) enter(found, top, path, join(place, name), depth)
    else if (entry.isFile()) offer(found, top, path, join(place, name))
  }
}

function enter(found: Found, top: Top, path: string, place: string, depth: number): void {
  if (depth < MAX_DEPTH) walk(found, top, path, place, depth + 1)
  else leaveOut(found, path, 'too deep')
}

function offer(found: Found, { kind }: Top, file: string, place: string): void {
  if (!file.endsWith(EXTENSION)) return
  const category = kind === 'entities' ? categoryOf(file) : ''
  found.files.push({ role: { kind, file, category }, place })
}

/** A second way to what is read anyway is not taken: its relations would count twice. */
function followLink(found: Found, top: Top, path: string, link: string, depth: number): void {
  let real: string
  try {
    real = realpathSync.native(link)
  } catch (error) {
    leaveOut(found, path, `a link that leads nowhere (${reasonOf(error)})`)
    return
  }
  if (!isInside(found.root, real)) {
    leaveOut(found, path, 'a link that leads out of the folder')
    return
  }
  const stats = statSync(real, { throwIfNoEntry: false })
  if (isInside(top.topReal, real) || isInside(real, top.topReal) || found.linked.has(real)) return
  found.linked.add(real)
  if (stats?.isDirectory()) enter(found, top, path, real, depth)
  else if (stats?.isFile()) offer(found, top, path, real)
}

function leaveOut({ warnings }: Found, path: string, reason: string): void {
  warnings.push({ kind: 'skipped_file', message: `${path}: ${reason}`, ref: path })
}

function rootGone(root: string): KnowledgeError {
  return unavailable(`${quoted(root)} is gone.`, 'Bring it back, or start again with another root.')
}
