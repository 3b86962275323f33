/** What may the holder of a token do and see? Said in data, and turned into a caller. */
import { BoundedMap } from '../domain/bounded-map.ts'
import type { Caller, Permission } from '../domain/caller.ts'
import { documentId } from '../domain/document.ts'
import { foldName } from '../domain/fold-name.ts'
import type { Place } from '../domain/document.ts'

export interface Grant {
  readonly may: readonly Permission[]
  /** Sources and folders that are seen, such as `docs` or `notes/public`; all unless there are some. */
  readonly see: readonly string[]
  /** What is not seen of that. */
  readonly hide: readonly string[]
}

export function callerFor(principal: string, grant: Grant): Caller {
  const sees = seesOf(grant)
  return { principal, may: grant.may, ...(sees && { sees }) }
}

/** One function for one set of rules: views are kept by it. */
const known = new BoundedMap<string, (place: Place) => boolean>(1_000)

function seesOf({ see, hide }: Grant): ((place: Place) => boolean) | undefined {
  if (see.length === 0 && hide.length === 0) return undefined
  const key = JSON.stringify([see, hide])
  const sees = known.get(key) ?? whatIsSeen(see.map(folded), hide.map(folded))
  known.set(key, sees)
  return sees
}

function whatIsSeen(see: readonly string[], hide: readonly string[]): (place: Place) => boolean {
  return (place) => {
    const id = folded(documentId(place))
    const isIn = (folder: string): boolean => id === folder || id.startsWith(`${folder}/`)
    return (see.length === 0 || see.some(isIn)) && !hide.some(isIn)
  }
}

/** Without regard to case: on some disks `Secret` and `secret` are one folder. */
function folded(text: string): string {
  return foldName(text).replace(/^\/+/, '')
}
