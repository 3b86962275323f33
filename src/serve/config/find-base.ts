/** Which base is meant where one stands? The nearest above, like git; else the one set up last. */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONFIG_FILE } from './settings.ts'
import { readUserFile, writeUserFile } from './user-folder.ts'
import type { Surrounding } from './user-folder.ts'

export type FoundBase =
  | { readonly kind: 'file'; readonly folder: string }
  /** A folder that has an index and no `cairn.yaml`. */
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'registered'; readonly file: string }

export function findBase(around: Surrounding): FoundBase | undefined {
  return findAbove(around.cwd) ?? lastRegistered(around)
}

function findAbove(cwd: string): FoundBase | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (isOurs(join(folder, CONFIG_FILE), 'file')) return { kind: 'file', folder }
    if (isOurs(join(folder, '.cairn'), 'folder')) return { kind: 'folder', folder }
    if (dirname(folder) === folder) return undefined
  }
}

/** What another user has put into a shared folder above does not count. */
function isOurs(path: string, kind: 'file' | 'folder'): boolean {
  try {
    const stats = statSync(path)
    const mine = process.getuid?.() ?? stats.uid
    const isKind = kind === 'file' ? stats.isFile() : stats.isDirectory()
    return isKind && (stats.uid === mine || stats.uid === 0)
  } catch {
    return false
  }
}

function lastRegistered(around: Surrounding): FoundBase | undefined {
  const [file] = registeredBases(around).filter((path) => isOurs(path, 'file'))
  return file === undefined ? undefined : { kind: 'registered', file }
}

const REGISTRY = 'bases.json'
/** More than anybody has; the oldest are forgotten. */
const KEPT = 50

/** Configuration files that `cairn init` has written or met, the last one first. */
export function registeredBases(around: Surrounding): readonly string[] {
  const content = readUserFile(around, REGISTRY) as { readonly bases?: unknown } | undefined
  const bases = content?.bases
  return Array.isArray(bases) ? bases.filter((path) => typeof path === 'string') : []
}

export function registerBase(around: Surrounding, file: string): void {
  const others = registeredBases(around).filter((path) => path !== file)
  writeUserFile(around, REGISTRY, { bases: [file, ...others].slice(0, KEPT) })
}

/** Tells whether it was known. */
export function forgetBase(around: Surrounding, file: string): boolean {
  const all = registeredBases(around)
  const rest = all.filter((path) => path !== file && dirname(path) !== file)
  if (rest.length === all.length) return false
  writeUserFile(around, REGISTRY, { bases: rest })
  return true
}
