/**
 * "Excluded files" of an Obsidian vault, as lines of an ignore file. Obsidian hides what begins with
 * such a path from its own search; whoever set that does not want an agent to find it either.
 */
import { join } from 'node:path'
import { readIgnoreFile } from './rules.ts'

export const OBSIDIAN_FOLDER = '.obsidian'
/** Where the vault keeps them, below its folder. */
export const OBSIDIAN_EXCLUDES = `${OBSIDIAN_FOLDER}/app.json`

/** Undefined where a folder is no vault, or has nothing excluded. */
export function obsidianExcludes(folder: string): string | undefined {
  const lines = excludedIn(folder).flatMap(linesFor)
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** Patterns of letters that are left to Obsidian: see `linesFor`. */
export function obsidianPatterns(folder: string): string[] {
  return excludedIn(folder).filter((filter) => linesFor(filter).length === 0)
}

function excludedIn(folder: string): string[] {
  const text = readIgnoreFile(join(folder, OBSIDIAN_EXCLUDES))
  if (text === undefined) return []
  try {
    const filters = (JSON.parse(text) as { readonly userIgnoreFilters?: unknown } | null)
      ?.userIgnoreFilters
    if (!Array.isArray(filters)) return []
    return filters.filter((filter) => typeof filter === 'string' && filter.trim() !== '')
  } catch {
    return []
  }
}

/**
 * `Templates/` is a folder, `Old` everything that begins so, `/draft/` everything with these letters
 * in its path. Other patterns between slashes are programs of their own: one that a stranger wrote
 * could keep a scan busy for ever, so they are reported and not run.
 */
function linesFor(filter: string): string[] {
  const letters = /^\/(.+)\/$/.exec(filter)?.[1]
  if (letters !== undefined) {
    return /^[\p{L}\p{N} _-]+$/u.test(letters) ? [`*${escaped(letters)}*`] : []
  }
  const path = escaped(filter.replace(/^\.?\/+/, ''))
  if (path === '') return []
  return filter.endsWith('/') ? [`/${path}`] : [`/${path}*`]
}

/** What an ignore file would read as more than letters. */
function escaped(text: string): string {
  return text
    .replace(/[\\*?[\]!#]/g, '\\$&')
    .replace(/\s$/, '\\$&')
    .replace(/[\r\n]/g, '')
}
