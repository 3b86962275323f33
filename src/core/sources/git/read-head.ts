/** Reference lookup without git: which commit is checked out, and what changes when another is. */
import { join } from 'node:path'
import { readSmall } from './find-repository.ts'
import type { FoundRepository } from './find-repository.ts'

/** Repositories of large teams list a hundred thousand branches and tags. */
const MOST_PACKED = 32 * 1024 * 1024

/** Undefined before the first commit, and where references are not kept in files. */
export function readHead(repository: FoundRepository): string | undefined {
  const text = headText(repository)
  const ref = refIn(text)
  if (ref === undefined) return hashIn(text)
  const loose = readSmall(join(repository.common, ref))
  if (loose !== undefined) return hashIn(loose)
  const packed = `\n${readSmall(join(repository.common, 'packed-refs'), MOST_PACKED) ?? ''}`
  const end = packed.indexOf(` ${ref}\n`)
  return end < 0 ? undefined : hashIn(packed.slice(packed.lastIndexOf('\n', end) + 1, end))
}

/** The files of which one changes when another commit is checked out. */
export function headPlaces(repository: FoundRepository): readonly string[] {
  const ref = refIn(headText(repository))
  return [
    join(repository.folder, 'HEAD'),
    ...(ref === undefined ? [] : [ref, 'packed-refs'].map((file) => join(repository.common, file))),
  ]
}

const headText = ({ folder }: FoundRepository): string => readSmall(join(folder, 'HEAD')) ?? ''

/** A branch, by a name that leads nowhere else. */
function refIn(text: string): string | undefined {
  const ref = /^ref: (refs\/[^\0-\x20\x7f\\:?*[^~]+)\n?$/.exec(text)?.[1]
  return ref?.split('/').some((part) => part === '' || part.startsWith('.')) ? undefined : ref
}

function hashIn(text: string): string | undefined {
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(text)?.[1]
}
