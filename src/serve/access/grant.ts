/** What may the holder of a token do and see? Said in data, and turned into a caller. */
import { BoundedMap } from '../../core/kit/bounded-map.ts'
import type { Caller, Permission } from '../../core/domain/caller.ts'
import type { Place } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { foldName } from '../../core/kit/fold-name.ts'

export interface Grant {
  readonly may: readonly Permission[]
  /** Sources and folders that are seen, such as `docs` or `notes/public`; all unless there are some. */
  readonly see: readonly string[]
  /** What is not seen of that. */
  readonly hide: readonly string[]
  /** Where it may write, of what it sees; everywhere unless there are some. */
  readonly write?: readonly string[]
}

export function callerFor(principal: string, { may, see, hide, write = [] }: Grant): Caller {
  const key = JSON.stringify([see, hide, write])
  const reach = known.get(key) ?? reachOf(see.map(folded), hide.map(folded), write.map(folded))
  known.set(key, reach)
  return { principal, may, ...reach }
}

type Reach = Pick<Caller, 'sees' | 'knows' | 'writes'>

/** One set of functions for one set of rules: views are kept by them. */
const known = new BoundedMap<string, Reach>(1_000)

function reachOf(see: readonly string[], hide: readonly string[], write: readonly string[]): Reach {
  const narrowed = see.length > 0 || hide.length > 0
  return {
    ...(narrowed && { sees: visibleUnder(see, hide), knows: whatIsKnown(see, hide) }),
    ...(write.length > 0 && { writes: isAmong(write) }),
  }
}

/** Whether a place is one of these sources, or in one of these folders. */
export function isAmong(folders: readonly string[]): (place: Place) => boolean {
  const all = folders.map(folded)
  return (place) => all.some((folder) => isIn(idOf(place), folder))
}

function visibleUnder(see: readonly string[], hide: readonly string[]): (place: Place) => boolean {
  return (place) => {
    const id = idOf(place)
    // The lines of a graph stand in files that no rule can take apart: all of it is seen, or none.
    if (isEntityPath(place.path)) return isWhole(folded(place.source), see, hide)
    return (
      (see.length === 0 || see.some((each) => isIn(id, each))) &&
      !hide.some((each) => isIn(id, each))
    )
  }
}

function isWhole(source: string, see: readonly string[], hide: readonly string[]): boolean {
  const files = `${source}/knowledge`
  const touched = hide.some(
    (each) => isIn(files, each) || isIn(each, files) || each.startsWith(`${source}/entity:`),
  )
  return (see.length === 0 || see.includes(source)) && !touched
}

function whatIsKnown(see: readonly string[], hide: readonly string[]): (source: string) => boolean {
  return (source) => {
    const name = folded(source)
    return (see.length === 0 || see.some((each) => isIn(each, name))) && !hide.includes(name)
  }
}

function isIn(id: string, folder: string): boolean {
  return id === folder || id.startsWith(`${folder}/`)
}

/** Entities are added to files below `knowledge`. */
function idOf({ source, path }: Place): string {
  return folded(`${source}/${isEntityPath(path) ? 'knowledge/entities' : path}`)
}

/** Without regard to case: on some disks `Secret` and `secret` are one folder. */
export function folded(text: string): string {
  return foldName(text).replace(/^\/+/, '').replace(/\/+$/, '')
}
