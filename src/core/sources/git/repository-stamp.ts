/** Tells cheaply whether another commit is checked out, or a file beside the documents changed. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findRepository } from './find-repository.ts'
import { headPlaces } from './read-head.ts'

/** The same text as long as nothing changed; times of files are enough to tell. */
export function repositoryStamp(root: string, files: readonly string[]): string {
  const repository = findRepository(root)
  const heads = repository === undefined ? [] : headPlaces(repository)
  return [...files.map((file) => join(root, file)), ...heads].map(timeOf).join(' ')
}

function timeOf(place: string): string {
  try {
    const { mtimeMs, size } = statSync(place)
    return `${mtimeMs}:${size}`
  } catch {
    return '-'
  }
}

/** The first of the files that is there; larger ones than this are no catalogue. */
const MOST_BYTES = 4 * 1024 * 1024

export function readFirst(root: string, files: readonly string[]): string | undefined {
  for (const file of files) {
    const place = join(root, file)
    try {
      const stats = statSync(place)
      if (stats.isFile() && stats.size <= MOST_BYTES) return readFileSync(place, 'utf8')
    } catch {
      // Not this one.
    }
  }
  return undefined
}
