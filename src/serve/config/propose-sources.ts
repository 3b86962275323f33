/** How is a folder read that nobody has described? As a whole, without the copies that tools keep. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'

export interface Proposal {
  /** In a person's words: `Obsidian vault`. */
  readonly what: string
  /** Absolute. */
  readonly path: string
  readonly exclude: readonly string[]
}

/** A quick look: this many folders and no more. */
const FOLDERS_SEEN = 2_000
const DEPTH = 8

const NOTE = /\.(md|markdown|mdx|txt)$/i
/** Folders of tools, which hold nothing of a person's. */
const PASSED_OVER = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__'])

/** The folder and all that is below it, and the memory of an agent that lies in it. */
export function proposeSources(root: string): readonly Proposal[] {
  const exclude = [
    ...copiesAt(root, ''),
    ...foldersIn(root).flatMap((name) => [
      ...copiesAt(join(root, name), `${literal(name)}/`),
      ...foldersIn(join(root, name)).flatMap((inner) =>
        copiesAt(join(root, name, inner), `${literal(name)}/${literal(inner)}/`),
      ),
    ]),
  ]
  return [{ what: kindOf(root) ?? 'Folder', path: root, exclude }, ...memoryIn(root)]
}

export interface CountedFolder {
  readonly path: string
  readonly notes: number
}

/** Which folders in this one have notes, as far as a quick look counts; the largest first. */
export function foldersOfNotes(root: string): readonly CountedFolder[] {
  const look = { left: FOLDERS_SEEN }
  return foldersIn(root)
    .map((name) => join(root, name))
    .map((path) => ({ path, notes: countNotes(path, look) }))
    .filter(({ notes }) => notes > 0)
    .toSorted((a, b) => b.notes - a.notes)
}

/** Vaults that Obsidian knows of, the last one opened first. */
export function knownVaults(home: string, configFolder: string): readonly string[] {
  const places = [
    join(configFolder, 'obsidian', 'obsidian.json'),
    join(home, 'Library', 'Application Support', 'obsidian', 'obsidian.json'),
  ]
  return places.flatMap(vaultsNamedIn).filter((path) => existsSync(path))
}

function vaultsNamedIn(file: string): string[] {
  const vaults = readJson(file)?.['vaults']
  if (typeof vaults !== 'object' || vaults === null) return []
  return (Object.values(vaults) as { path?: unknown; ts?: unknown }[])
    .toSorted((a, b) => Number(b.ts ?? 0) - Number(a.ts ?? 0))
    .flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
}

function kindOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.obsidian'))) return 'Obsidian vault'
  if (isLogseq(folder)) return 'Logseq graph'
  const extensions = join(folder, '.vscode', 'extensions.json')
  const recommends = existsSync(extensions) && /foam\.foam-vscode/.test(readText(extensions))
  return existsSync(join(folder, '.foam')) || recommends ? 'Foam workspace' : undefined
}

/** What a tool keeps twice: Logseq its pages and journals, Docusaurus the pages of older versions. */
function copiesAt(folder: string, prefix: string): readonly string[] {
  const copies = [
    ...(isLogseq(folder) ? ['logseq', 'whiteboards'] : []),
    ...(isDocusaurus(folder) ? ['versioned_docs'] : []),
  ]
  return copies.map((name) => `${prefix}${name}/**`)
}

function isLogseq(folder: string): boolean {
  return existsSync(join(folder, 'logseq', 'config.edn'))
}

function isDocusaurus(folder: string): boolean {
  const ends = ['js', 'ts', 'mjs', 'cjs']
  return ends.some((end) => existsSync(join(folder, `docusaurus.config.${end}`)))
}

/** A name as a glob that means nothing else. */
function literal(name: string): string {
  return name.replace(/[\\*?[\]{}()!+@|]/g, '\\$&')
}

/** The file of a memory server says on its first line what it is. */
function memoryIn(root: string): Proposal[] {
  return entriesOf(root)
    .filter((entry) => entry.isFile() && /\.jsonl?$/i.test(entry.name))
    .map(({ name }) => join(root, name))
    .filter((path) => /^\s*\{\s*"type"\s*:\s*"(entity|relation)"/.test(readText(path, 200)))
    .map((path) => ({ what: 'Memory of an agent', path, exclude: [] }))
}

function countNotes(path: string, look: { left: number }): number {
  let notes = 0
  const open = [{ folder: path, depth: 0 }]
  for (; open.length > 0 && look.left > 0; look.left--) {
    const { folder, depth } = open.pop()!
    notes += entriesOf(folder).filter((entry) => entry.isFile() && NOTE.test(entry.name)).length
    if (depth < DEPTH) {
      for (const name of foldersIn(folder)) {
        open.push({ folder: join(folder, name), depth: depth + 1 })
      }
    }
  }
  return notes
}

/** Names. */
function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter(
      (each) => each.isDirectory() && !each.name.startsWith('.') && !PASSED_OVER.has(each.name),
    )
    .map(({ name }) => name)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
  } catch {
    return []
  }
}

function readJson(file: string): Record<string, unknown> | undefined {
  return orElse(() => JSON.parse(readText(file)) as Record<string, unknown>, undefined)
}

function readText(file: string, most = 1_000_000): string {
  return orElse(() => readFileSync(file, 'utf8').slice(0, most), '')
}
