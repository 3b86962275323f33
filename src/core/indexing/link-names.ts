/**
 * What may a document be called in a link? Every document has a few keys and every link has one;
 * a link can only mean a document that shares its key. So when a document appears, vanishes or is
 * renamed, exactly the links with one of its keys have to be looked at again.
 */
import { ENTITY_SCHEME, entityIdOf, isEntityPath } from '../domain/entity-document.ts'
import { isNotePath, lastSegment, withoutNoteExtension, withoutEndSlashes } from '../kit/paths.ts'
import { codeLanguageOf, FOLDER_MODULES } from '../domain/code.ts'
import type { CodeSymbol } from '../domain/code.ts'
import { isFoundLink } from '../domain/text.ts'
import { slugOf } from '../parsing/names.ts'
import type { Link, Properties } from '../domain/text.ts'

/** A dot, one to four letters or digits, at least one of them a letter: `doc.txt`, not `v.2024`. */
const ANY_EXTENSION = /\.(?=[a-z0-9]{0,3}[a-z])[a-z0-9]{1,4}$/i

/** Files of editors beside notes, with longer names than that. */
const DRAWING = /\.(?:canvas|excalidraw|drawio|tldraw)$/i

/** What other programs write as `id:` into front matter. */
const OWN_ID = /^[\w.:-]{6,64}$/

/** Files that stand for their folder. */
const FOLDER_NOTE = /^(?:index|_index|readme)$/i

/** What may be known of a document by name. */
export interface Nameable {
  readonly path: string
  readonly title: string
  readonly aliases: readonly string[]
  readonly properties: Properties
  readonly symbols?: readonly CodeSymbol[]
}

export function documentNames(document: Nameable): string[] {
  const names = isEntityPath(document.path)
    ? entityNames(document)
    : codeLanguageOf(document.path)
      ? codeNames(document)
      : noteNames(document)
  return [...new Set(names.map(nameKey).filter((key) => key !== ''))]
}

/** The last is for ids with a slash in them: a link is found by what stands behind it. */
function entityNames({ path, title, aliases }: Nameable): string[] {
  const id = entityIdOf(path)
  const key = linkKey({ kind: 'relation', target: id })
  return [id, title, ...aliases, `${ENTITY_SCHEME}${id}`, ...(key === undefined ? [] : [key])]
}

/** More names than this are data, not an interface. */
const MOST_SYMBOL_NAMES = 1_000

/** A source file is known by its name, with and without extension, and by what it defines. */
function codeNames({ path, title, symbols = [] }: Nameable): string[] {
  const file = lastSegment(path)
  const stem = file.replace(/\.[^.]*$/, '')
  const folder = lastSegment(path.slice(0, -file.length - 1))
  // A package of Go is its folder, and so is a file that stands for one.
  const standsForFolder = FOLDER_MODULES.has(stem) || codeLanguageOf(path) === 'go'
  const outer = symbols.filter(({ name, qualifiedName }) => name === qualifiedName)
  const inner = symbols.filter(({ name, qualifiedName }) => name !== qualifiedName)
  const all = [...outer, ...inner].flatMap(({ name, qualifiedName }) => [name, qualifiedName])
  const defined = [...new Set(all)].slice(0, MOST_SYMBOL_NAMES)
  return [file, stem, title, ...(standsForFolder ? [folder] : []), ...defined]
}

/** The texts behind a note's keys: file name, title, aliases, names for a site. */
export function noteNames(document: Nameable): string[] {
  const file = lastSegment(document.path)
  const base = withoutNoteExtension(file)
  const names = [base]
  if (base === file) names.push(file.replace(ANY_EXTENSION, ''))
  // Sites put pages in order by a number that is no part of their address.
  const unnumbered = base.replace(/^\d{1,3}[-_.]\s*(?=\p{L})/u, '')
  if (unnumbered !== base) names.push(unnumbered)
  // Logseq writes the page "Projects/Alpha" into Projects___Alpha.md, and once into %2F.
  const inner = lastSegment(namespacePath(base))
  if (inner !== base) names.push(inner)
  if (FOLDER_NOTE.test(base)) names.push(lastSegment(document.path.slice(0, -file.length - 1)))
  names.push(document.title, ...document.aliases)
  for (const key of ['slug', 'permalink', 'url']) {
    const value = document.properties[key]
    if (typeof value === 'string') names.push(lastSegment(withoutEndSlashes(value)))
  }
  // An id that a note gives itself outlives every rename. Short ones are numbers of something.
  const { id } = document.properties
  if (typeof id === 'string' && OWN_ID.test(id)) names.push(id)
  return names
}

/** The name of a page that a file name spells without slashes. */
export function namespacePath(name: string): string {
  return name.replace(/___|%2f/gi, '/')
}

/** The key of a link's target, or undefined when it points into its own document. */
export function linkKey(link: Pick<Link, 'kind' | 'target'>): string | undefined {
  const name = withoutEndSlashes(pathPart(link).replaceAll('\\', '/'))
  if (name === '') return link.target.startsWith('/') ? 'index' : undefined
  // `../` and `.` say which folder, and only the folder's own note can be meant.
  const last = lastSegment(name)
  if (link.kind === 'mention') return nameKey(last.replace(/\(\)$/, ''))
  if (link.kind === 'import' || link.kind === 'exercises') return importKey(last)
  if (last === '.' || last === '..') return 'index'
  return nameKey(withoutNoteExtension(last))
}

function importKey(last: string): string {
  if (last === '.' || last === '..') return 'index'
  return nameKey(codeLanguageOf(last) ? last.replace(/\.[^.]*$/, '') : last)
}

/** Pictures, PDFs and other files that are no documents, and links that nobody wrote. */
export function isAttachment(link: Pick<Link, 'kind' | 'target'>): boolean {
  if (link.kind === 'image' || isFoundLink(link.kind)) return true
  if (link.kind === 'relation') return false
  const file = lastSegment(pathPart(link))
  return (ANY_EXTENSION.test(file) || DRAWING.test(file)) && !isNotePath(file)
}

/** A Markdown target is a URL path: a query belongs to the server, not to the file. */
export function pathPart(link: Pick<Link, 'kind' | 'target'>): string {
  const isUrl = link.kind === 'markdown' || link.kind === 'image'
  return (isUrl ? link.target.replace(/\?.*$/s, '') : link.target).trim()
}

/** Normalises like roux: lower case, forward slashes, `.md` unless there is an extension. */
export function normalizeTarget(target: string): string {
  const path = target.trim().toLowerCase().replaceAll('\\', '/')
  return ANY_EXTENSION.test(path) ? path : `${path}.md`
}

/** Longer names are cut: a key only has to bring candidates together. */
const KEY_LIMIT = 200

export function nameKey(name: string): string {
  const key = slugOf(name) || name.trim().toLowerCase()
  return key.slice(0, KEY_LIMIT)
}
