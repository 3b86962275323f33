/**
 * Documents that a link might mean, found by path. Few are looked through one by one. Where tens of
 * thousands have one name (`index.md`, `README.md`), every link to one of them would look through
 * all of them: those are put in order once.
 */
import { foldName } from '../kit/fold-name.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import { isNotePath, withoutNoteExtension } from '../kit/paths.ts'
import type { NamedDocument } from '../store/store.ts'

type Found = NamedDocument | undefined

/** Of several that fit, the first is found. */
export interface CandidateLookup {
  readonly hasEntities: boolean
  atPath(path: string): Found
  atFoldedPath(folded: string): Found
  /** With or without the ending of a note. */
  atFile(folded: string): Found
  /** A note whose path begins so, up to a dot. */
  noteBefore(start: string): Found
  inSource(wanted: string): Found
  /** The one with the longest page name that ends the address. */
  atPage(url: string): Found
  /** Notes whose address may end with this part. */
  endingWith(part: string): readonly NamedDocument[]
}

/** From so many on they are put in order. */
export const MANY_CANDIDATES = 64

const lookups = new WeakMap<readonly NamedDocument[], CandidateLookup>()

export function lookupIn(candidates: readonly NamedDocument[]): CandidateLookup {
  if (candidates.length < MANY_CANDIDATES) return new FewCandidates(candidates)
  let known = lookups.get(candidates)
  if (!known) lookups.set(candidates, (known = new ManyCandidates(candidates)))
  return known
}

interface Sides {
  readonly near: readonly NamedDocument[]
  readonly far: readonly NamedDocument[]
}

const divided = new WeakMap<readonly NamedDocument[], Map<string, Sides>>()

/** Those of a source, and all others. */
export function sidesOf(candidates: readonly NamedDocument[], source: string): Sides {
  if (candidates.length < MANY_CANDIDATES) return divide(candidates, source)
  let known = divided.get(candidates)
  if (!known) divided.set(candidates, (known = new Map()))
  let sides = known.get(source)
  if (!sides) known.set(source, (sides = divide(candidates, source)))
  return sides
}

function divide(candidates: readonly NamedDocument[], source: string): Sides {
  const near = candidates.filter((each) => each.source === source)
  if (near.length === candidates.length) return { near: candidates, far: [] }
  return { near, far: candidates.filter((each) => each.source !== source) }
}

export class FewCandidates implements CandidateLookup {
  readonly #all: readonly NamedDocument[]

  constructor(candidates: readonly NamedDocument[]) {
    this.#all = candidates
  }

  get hasEntities(): boolean {
    return this.#all.some(({ path }) => isEntityPath(path))
  }

  atPath(path: string): Found {
    return this.#all.find((each) => each.path === path)
  }

  atFoldedPath(folded: string): Found {
    return this.#all.find(({ foldedPath }) => foldedPath === folded)
  }

  atFile(folded: string): Found {
    return this.#all.find(
      ({ foldedPath }) =>
        foldedPath.startsWith(folded) &&
        (foldedPath === folded || withoutNoteExtension(foldedPath) === folded),
    )
  }

  noteBefore(start: string): Found {
    const beginning = `${start}.`
    return this.#all.find(
      ({ foldedPath }) => foldedPath.startsWith(beginning) && isNotePath(foldedPath),
    )
  }

  inSource(wanted: string): Found {
    return this.#all.find((each) => sourcePath(each) === wanted)
  }

  atPage(url: string): Found {
    let best: NamedDocument | undefined
    for (const each of this.#all) {
      const page = each.pageName
      if (page === undefined || !url.endsWith(page)) continue
      if (url.length > page.length && url[url.length - page.length - 1] !== '/') continue
      if (page.length > (best?.pageName?.length ?? -1)) best = each
    }
    return best
  }

  endingWith(part: string): readonly NamedDocument[] {
    return this.#all.filter(({ foldedPath }) => endOfPage(foldedPath) === part)
  }
}

export class ManyCandidates implements CandidateLookup {
  readonly hasEntities: boolean
  readonly #all: readonly NamedDocument[]
  /** Each is made when it is first asked for. */
  readonly #orders = new Map<KeysOf, ReadonlyMap<string, NamedDocument>>()
  #ends: ReadonlyMap<string | undefined, readonly NamedDocument[]> | undefined

  constructor(candidates: readonly NamedDocument[]) {
    this.#all = candidates
    this.hasEntities = candidates.some(({ path }) => isEntityPath(path))
  }

  atPath(path: string): Found {
    return this.#by(pathOf).get(path)
  }

  atFoldedPath(folded: string): Found {
    return this.#by(foldedPathOf).get(folded)
  }

  atFile(folded: string): Found {
    return this.#by(filesOf).get(folded)
  }

  noteBefore(start: string): Found {
    return this.#by(startsOf).get(start)
  }

  inSource(wanted: string): Found {
    return this.#by(sourcePathOf).get(wanted)
  }

  atPage(url: string): Found {
    const pages = this.#by(pageOf)
    for (let start = 0; ;) {
      const found = pages.get(url.slice(start))
      if (found) return found
      const slash = url.indexOf('/', start)
      if (slash < 0) return undefined
      start = slash + 1
    }
  }

  endingWith(part: string): readonly NamedDocument[] {
    this.#ends ??= Map.groupBy(this.#all, ({ foldedPath }) => endOfPage(foldedPath))
    return this.#ends.get(part) ?? []
  }

  #by(keysOf: KeysOf): ReadonlyMap<string, NamedDocument> {
    const known = this.#orders.get(keysOf)
    if (known) return known
    const order = new Map<string, NamedDocument>()
    for (const each of this.#all) {
      for (const key of keysOf(each)) if (!order.has(key)) order.set(key, each)
    }
    this.#orders.set(keysOf, order)
    return order
  }
}

type KeysOf = (each: NamedDocument) => readonly string[]

const pathOf: KeysOf = ({ path }) => [path]
const foldedPathOf: KeysOf = ({ foldedPath }) => [foldedPath]
const filesOf: KeysOf = ({ foldedPath }) => [foldedPath, withoutNoteExtension(foldedPath)]
const sourcePathOf: KeysOf = (each) => [sourcePath(each)]
const pageOf: KeysOf = ({ pageName }) => (pageName === undefined ? [] : [pageName])
const startsOf: KeysOf = ({ foldedPath }) => {
  if (!isNotePath(foldedPath)) return []
  const starts: string[] = []
  for (let dot = foldedPath.indexOf('.'); dot >= 0; dot = foldedPath.indexOf('.', dot + 1)) {
    starts.push(foldedPath.slice(0, dot))
  }
  return starts
}

function sourcePath({ source, foldedPath }: NamedDocument): string {
  return `${foldName(source)}/${foldedPath}`
}

/** The folders and the name of a page; a note that stands for its folder has the folder's name. */
export function pageParts(path: string): string[] {
  const parts = withoutNoteExtension(path).split('/').map(plainPart)
  return /^(?:index|_index|readme)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts
}

/** `02-setup` is `setup` on the site: the number is for the order. */
export function plainPart(part: string): string {
  return part.replace(/^\d+[-_.]\s*(?=\p{L})/u, '')
}

function endOfPage(foldedPath: string): string | undefined {
  return isNotePath(foldedPath) ? pageParts(foldedPath).at(-1) : undefined
}
