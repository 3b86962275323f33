/** What in a folder is worth serving? Looks for vaults, documentation and memory files. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Proposal {
  /** In a person's words: `Obsidian vault`. */
  readonly what: string
  /** Absolute. */
  readonly path: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Documents in it, as far as a quick look counts. */
  readonly documents: number
}

type Found = Pick<Proposal, 'what' | 'path'> & Partial<Proposal>

/** A quick look: this many folders and no more. */
const FOLDERS_SEEN = 2_000
const DEPTH = 8

const NOTE = /\.(md|markdown|mdx|txt)$/i
/** Folders of tools, which hold nothing of a person's. */
const PASSED_OVER = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__'])

export function proposeSources(root: string): readonly Proposal[] {
  const all = vaultAt(root) ?? [...notesIn(root), ...memoryIn(root)]
  return all
    .map((each) => ({ include: [], exclude: [], documents: countNotes(each.path), ...each }))
    .filter(({ documents }) => documents > 0)
}

/** Documentation in the folder, or vaults and sites below, or else the folder as it is. */
function notesIn(root: string): Found[] {
  const here = documentationIn(root)
  if (here.length > 0) return here
  const below = [...vaultsBelow(root), ...sitesBelow(root)]
  return below.length > 0 ? below : [{ what: 'Folder of notes', path: root }]
}

/** Vaults that Obsidian knows of, the last one opened first. */
export function knownVaults(home: string, configFolder: string): readonly Proposal[] {
  const places = [
    join(configFolder, 'obsidian', 'obsidian.json'),
    join(home, 'Library', 'Application Support', 'obsidian', 'obsidian.json'),
  ]
  return places
    .flatMap(vaultsNamedIn)
    .flatMap((path) => (existsSync(path) ? proposeSources(path) : []))
}

function vaultsNamedIn(file: string): string[] {
  const vaults = readJson(file)?.['vaults']
  if (typeof vaults !== 'object' || vaults === null) return []
  return (Object.values(vaults) as { path?: unknown; ts?: unknown }[])
    .toSorted((a, b) => Number(b.ts ?? 0) - Number(a.ts ?? 0))
    .flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
}

function vaultAt(folder: string): Found[] | undefined {
  if (existsSync(join(folder, '.obsidian'))) {
    return [{ what: 'Obsidian vault', path: folder }]
  }
  if (existsSync(join(folder, 'logseq', 'config.edn'))) {
    // Beside pages and journals, Logseq keeps copies of both.
    return [{ what: 'Logseq graph', path: folder, exclude: ['logseq/**', 'whiteboards/**'] }]
  }
  const extensions = join(folder, '.vscode', 'extensions.json')
  const recommends = existsSync(extensions) && /foam\.foam-vscode/.test(readText(extensions))
  if (existsSync(join(folder, '.foam')) || recommends) {
    return [{ what: 'Foam workspace', path: folder }]
  }
  return undefined
}

function documentationIn(root: string): Found[] {
  const found: Found[] = []
  if (
    ['js', 'ts', 'mjs', 'cjs'].some((end) => existsSync(join(root, `docusaurus.config.${end}`)))
  ) {
    const parts = ['docs', 'blog'].filter((name) => isFolder(join(root, name)))
    found.push(...parts.map((name) => ({ what: 'Docusaurus', path: join(root, name) })))
  }
  for (const name of ['mkdocs.yml', 'mkdocs.yaml']) {
    if (!existsSync(join(root, name))) continue
    const folder = /^docs_dir:\s*['"]?([^'"#\n]+)/m.exec(readText(join(root, name)))?.[1]
    found.push({ what: 'MkDocs', path: resolve(root, folder?.trim() ?? 'docs') })
  }
  for (const name of ['docs', 'doc', 'documentation']) {
    if (isFolder(join(root, name))) found.push({ what: 'Documentation', path: join(root, name) })
  }
  const paths = new Set<string>()
  return found.filter(({ path }) => isFolder(path) && !paths.has(path) && paths.add(path))
}

/** The file of a memory server says on its first line what it is. */
function memoryIn(root: string): Found[] {
  return entriesOf(root)
    .filter((entry) => entry.isFile() && /\.jsonl?$/i.test(entry.name))
    .map(({ name }) => join(root, name))
    .filter((path) => /^\s*\{\s*"type"\s*:\s*"(entity|relation)"/.test(readText(path, 200)))
    .map((path) => ({ what: 'Memory of an agent', path, documents: 1 }))
}

function vaultsBelow(root: string): Found[] {
  return foldersIn(root).flatMap((folder) => {
    const here = vaultAt(folder)
    return here ?? foldersIn(folder).flatMap((inner) => vaultAt(inner) ?? [])
  })
}

/** Sites that say so themselves; a folder named `docs` in every project would be too much. */
function sitesBelow(root: string): Found[] {
  return foldersIn(root).flatMap((folder) =>
    documentationIn(folder).filter(({ what }) => what !== 'Documentation'),
  )
}

function countNotes(path: string): number {
  if (!isFolder(path)) return existsSync(path) ? 1 : 0
  let documents = 0
  const open = [{ folder: path, depth: 0 }]
  for (let seen = 0; open.length > 0 && seen < FOLDERS_SEEN; seen++) {
    const { folder, depth } = open.pop()!
    documents += entriesOf(folder).filter((entry) => entry.isFile() && NOTE.test(entry.name)).length
    if (depth < DEPTH) {
      for (const inner of foldersIn(folder)) open.push({ folder: inner, depth: depth + 1 })
    }
  }
  return documents
}

function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter(
      (each) => each.isDirectory() && !each.name.startsWith('.') && !PASSED_OVER.has(each.name),
    )
    .map(({ name }) => join(folder, name))
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function readJson(file: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readText(file)) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function readText(file: string, most = 1_000_000): string {
  try {
    return readFileSync(file, 'utf8').slice(0, most)
  } catch {
    return ''
  }
}
