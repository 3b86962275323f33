/**
 * Which document does a link mean? Wiki links follow the order of the roux contract: exact path,
 * file name, title, variants of the name. Markdown links are paths, as a site would follow them.
 * An entity is meant where no note has the name.
 */
import { foldName } from '../kit/fold-name.ts'
import type { DocNo } from '../domain/document.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import type { Link } from '../domain/text.ts'
import type { NamedDocument, ResolveLink } from '../store/store.ts'
import {
  folderOf,
  isNotePath,
  joinPath,
  lastSegment,
  withoutNoteExtension,
  withoutEndSlashes,
} from '../kit/paths.ts'
import { lookupIn, pageParts, plainPart, sidesOf } from './candidate-lookup.ts'
import { namespacePath, nameKey, normalizeTarget, pathPart } from './link-names.ts'
import { importedFile, mentionedFile } from './resolve-code.ts'
import { entityNamed, relatedEntity } from './resolve-entity.ts'

export const resolveLink: ResolveLink = (link, from, candidates) => {
  if (candidates.length === 0) return undefined
  if (link.kind === 'describes') return entityNamed(link.target, candidates)
  if (link.kind === 'import' || link.kind === 'exercises') {
    return importedFile(link.target, from, candidates)
  }
  if (link.kind === 'mention') return mentionedFile(link.target, from, candidates)
  const wiki = link.kind === 'wiki' || link.kind === 'embed' || link.kind === 'typed'
  const find = wiki ? wikiTarget : markdownTarget
  // Most bases have no entities, and nothing is to be copied for them.
  if (!lookupIn(candidates).hasEntities && link.kind !== 'relation') {
    return noteTarget(find, pathPart(link), from, candidates)
  }
  const notes = candidates.filter((each) => !isEntity(each))
  if (link.kind === 'relation') {
    return relatedEntity(link.target, from.source, candidates) ?? relatedNote(link, from, notes)
  }
  const note = noteTarget(find, pathPart(link), from, notes)
  return note ?? (wiki ? entityNamed(pathPart(link), candidates) : undefined)
}

type Find = typeof wikiTarget

function noteTarget(
  find: Find,
  target: string,
  from: { readonly source: string; readonly path: string },
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const { near, far } = sidesOf(candidates, from.source)
  const found = find(target, from.path, near)
  if (found !== undefined || far.length === 0) return found
  return crossSource(target, far) ?? find(target, '', far)
}

function isEntity({ path }: NamedDocument): boolean {
  return isEntityPath(path)
}

/** A relation cannot be rewritten when its note moves, so the name of the file is enough. */
function relatedNote(
  link: Pick<Link, 'kind' | 'target'>,
  from: { readonly source: string },
  notes: readonly NamedDocument[],
): DocNo | undefined {
  const place = { source: from.source, path: '' }
  const target = pathPart(link)
  return (
    crossSource(target, notes) ??
    noteTarget(wikiTarget, target, place, notes) ??
    noteTarget(wikiTarget, lastSegment(target), place, notes)
  )
}

/** `handbook/guides/setup.md` names a document of the source `handbook` from anywhere. */
function crossSource(target: string, candidates: readonly NamedDocument[]): DocNo | undefined {
  const wanted = normalizeTarget(target.replace(/^\/+/, ''))
  return lookupIn(candidates).inSource(wanted)?.no
}

function wikiTarget(
  written: string,
  from: string,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const target = written.replaceAll('\\', '/')
  const relative = /^\.\.?\//.test(target)
  const path = relative ? joinPath(folderOf(from), target) : target.replace(/^\/+/, '')
  if (path === undefined) return undefined
  const wanted = normalizeTarget(path)
  const exact = lookupIn(candidates).atFoldedPath(wanted)
  if (exact) return exact.no
  const plain = withoutEndSlashes(foldName(path))
  // A path that is no document is taken literally; it never matches the end of a longer path.
  if (relative || path.includes('/')) {
    return (
      folderNote(plain, candidates) ??
      first(candidates, (each) => namespacePath(lastSegment(each.foldedPath)) === wanted)
    )
  }
  const rules: ((each: NamedDocument) => boolean)[] = [
    (each) => lastSegment(each.foldedPath) === wanted,
    (each) => foldName(each.title) === plain,
    (each) => lastSegment(each.foldedPath) === normalizeTarget(plain.replaceAll(' ', '-')),
    (each) => lastSegment(each.foldedPath) === normalizeTarget(plain.replaceAll('-', ' ')),
    (each) => isAlias(each.aliases, plain),
    (each) => nameKey(each.title) === nameKey(plain),
    () => true,
  ]
  for (const rule of rules) {
    const found = first(candidates, rule)
    if (found !== undefined) return found
  }
  return undefined
}

function markdownTarget(
  target: string,
  from: string,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const fromRoot = target.startsWith('/')
  const base = fromRoot ? '' : folderOf(from)
  const path = joinPath(base, target.replace(/^\/+/, ''))
  const direct = path === undefined ? undefined : fileAt(path, candidates)
  if (direct !== undefined) return direct
  if (fromRoot) {
    const url = withoutEndSlashes(foldName(target).replace(/^\/+/, ''))
    // The root itself is no page of any name.
    if (url === '') return undefined
    return pageAt(url, candidates) ?? sitePage(url, foldName(from), candidates)
  }
  // A site shows `guide/setup.md` at `guide/setup/`, and writers link from there.
  const asFolder = isNotePath(target) ? undefined : joinPath(withoutNoteExtension(from), target)
  const page = asFolder === undefined ? undefined : fileAt(asFolder, candidates)
  if (page !== undefined) return page
  // Vaults whose editor writes paths from the root without the leading slash.
  const rooted = joinPath('', target)
  return rooted === undefined ? undefined : fileAt(rooted, candidates)
}

/** Whether a Markdown link is the way from one file to another, as every program would follow it. */
export function isRelativeWay(
  link: Pick<Link, 'kind' | 'target'>,
  from: string,
  to: NamedDocument,
): boolean {
  const target = pathPart(link)
  if (link.kind === 'wiki' || link.kind === 'embed' || target.startsWith('/')) return false
  const path = joinPath(folderOf(from), target)
  return path !== undefined && fileAt(path, [to]) !== undefined
}

function fileAt(path: string, candidates: readonly NamedDocument[]): DocNo | undefined {
  const lookup = lookupIn(candidates)
  const exact = lookup.atPath(path)
  if (exact) return exact.no
  const plain = withoutEndSlashes(foldName(path))
  return lookup.atFile(plain)?.no ?? folderNote(plain, candidates)
}

/** `guides` stands for `guides/index.md`, `guides/_index.md` or `guides/README.md`. */
function folderNote(folder: string, candidates: readonly NamedDocument[]): DocNo | undefined {
  const prefix = folder === '' ? '' : `${folder}/`
  const lookup = lookupIn(candidates)
  for (const name of ['index', '_index', 'readme']) {
    const found = lookup.noteBefore(`${prefix}${name}`)
    if (found) return found.no
  }
  return undefined
}

/**
 * Sites put their pages below a prefix (`/en-US/docs/Web/CSS`) that no folder knows; the page's
 * own front matter does (`slug: Web/CSS`). The longest such name that ends the link is meant.
 */
function pageAt(url: string, candidates: readonly NamedDocument[]): DocNo | undefined {
  return lookupIn(candidates).atPage(url)?.no
}

/**
 * A site's generator puts a prefix before its pages that no folder has (`/docs/…` for `docs/` as the
 * root), or leaves out folders that are there (`content/en/`). So the file is meant whose way ends
 * like the address, or whose whole way the address ends with; of several the one nearest to where
 * the link stands.
 */
function sitePage(
  url: string,
  from: string,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const wanted = url.split('/').map(plainPart)
  let best: { readonly no: DocNo; readonly shared: number; readonly near: number } | undefined
  for (const each of lookupIn(candidates).endingWith(wanted.at(-1)!)) {
    const parts = pageParts(each.foldedPath)
    const shared = sharedEnd(wanted, parts)
    if (shared === 0 || (shared < wanted.length && shared < parts.length)) continue
    const near = sharedStart(from, each.foldedPath)
    if (!best || shared > best.shared || (shared === best.shared && near > best.near)) {
      best = { no: each.no, shared, near }
    }
  }
  return best?.no
}

function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++
  return count
}

function sharedStart(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

const MANY_ALIASES = 8
const foldedLists = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Thousands of aliases are folded once, not once for every link that might mean one of them. */
function isAlias(aliases: readonly string[], plain: string): boolean {
  if (aliases.length < MANY_ALIASES) return aliases.some((alias) => foldName(alias) === plain)
  let folded = foldedLists.get(aliases)
  if (!folded) foldedLists.set(aliases, (folded = new Set(aliases.map(foldName))))
  return folded.has(plain)
}

/** Candidates come in path order, so the first match is the alphabetically first document. */
function first(
  candidates: readonly NamedDocument[],
  rule: (each: NamedDocument) => boolean,
): DocNo | undefined {
  return candidates.find(rule)?.no
}
