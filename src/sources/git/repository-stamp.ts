/** Tells cheaply whether another commit is checked out, or a file beside the documents changed. */
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** The same text as long as nothing changed; times of files are enough to tell. */
export function repositoryStamp(root: string, files: readonly string[]): string {
  const git = gitFolder(root)
  const places = [
    ...files.map((file) => join(root, file)),
    ...(git === undefined ? [] : ['HEAD', 'logs/HEAD'].map((file) => join(git, file))),
  ]
  return places.map(timeOf).join(' ')
}

function timeOf(place: string): string {
  try {
    const { mtimeMs, size } = statSync(place)
    return `${mtimeMs}:${size}`
  } catch {
    return '-'
  }
}

/** In a linked work tree `.git` is a file that says where the folder is. */
function gitFolder(root: string): string | undefined {
  const place = join(root, '.git')
  try {
    if (statSync(place).isDirectory()) return place
    const named = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8'))?.[1]
    if (named === undefined) return undefined
    return isAbsolute(named) ? named : join(root, named)
  } catch {
    return undefined
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
