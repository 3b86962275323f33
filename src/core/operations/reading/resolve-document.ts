/**
 * Which document does this id mean? The canonical id is `<source>/<path>`, or `entity:<id>`; a path
 * without source or extension, a title, an alias or a `kb://` URI is accepted wherever it means one
 * document only. Where a note and an entity share a name, the note is meant.
 */
import { foldName } from '../../kit/fold-name.ts'
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import {
  ENTITY_SCHEME,
  entityIdOf,
  entityPath,
  isEntityPath,
} from '../../domain/entity-document.ts'
import { KnowledgeError, invalid, quoted } from '../../domain/error.ts'
import { lastSegment } from '../../kit/paths.ts'
import { orElse } from '../../kit/or-else.ts'
import { nearest } from '../../kit/nearest.ts'
import { nameKey } from '../../indexing/link-names.ts'
import type { View } from '../view/view.ts'

const ID_LIMIT = 2_000
const SUGGESTIONS = 5

/** A folder's name means the note that stands for it. */
const FOLDER_NOTES = ['index.md', '_index.md', 'readme.md']

/** Throws `not_found` with suggestions, or `invalid` when several documents could be meant. */
export async function resolveDocument(kb: View, text: string): Promise<DocumentRecord> {
  const id = parseId(text)
  const entity = await findEntity(kb, id)
  if (entity) return entity
  const byPath = await findByPath(kb, id)
  if (byPath) return byPath
  const byName = await findByName(kb, id)
  if (byName) return byName
  throw documentNotFound(text, await similarDocuments(kb, id))
}

/** Like `resolveDocument`, for callers that list what is missing instead of failing. */
export async function findDocument(kb: View, text: string): Promise<DocumentRecord | undefined> {
  try {
    return await resolveDocument(kb, text)
  } catch (error) {
    if (error instanceof KnowledgeError && error.code === 'not_found') return undefined
    throw error
  }
}

export interface Address {
  readonly record: DocumentRecord
  /** What stands behind `#`: a heading, or a block as `^name`. */
  readonly part: string | undefined
}

/** `Note#Heading` and `Note#^block` too. A name that has the sign itself is a name first. */
export async function resolveAddress(kb: View, text: string): Promise<Address> {
  const hash = text.indexOf('#')
  const part = hash < 0 ? '' : text.slice(hash + 1).trim()
  if (part === '' || text.startsWith(ENTITY_SCHEME)) {
    return { record: await resolveDocument(kb, text), part: undefined }
  }
  const isUri = text.startsWith('kb://')
  const whole = isUri ? undefined : await findDocument(kb, text)
  if (whole) return { record: whole, part: undefined }
  const record = await resolveDocument(kb, text.slice(0, hash))
  return { record, part: isUri ? decodeLoosely(part) : part }
}

/** Reads an id from the outside: decodes a URI once and refuses what cannot be a path. */
export function parseId(text: string): string {
  if (text.length > ID_LIMIT) {
    throw invalid(
      `The id is ${text.length} characters long; an id has at most ${ID_LIMIT}.`,
      'Pass an id as search or list returned it, such as "notes/guides/setup.md".',
    )
  }
  // The id of an entity is a name and no path: it may hold anything.
  if (text.startsWith(ENTITY_SCHEME)) return text
  if (text.startsWith(ENTITY_URI)) return ENTITY_SCHEME + decodeUri(text).slice('entities/'.length)
  const id = text.startsWith('kb://') ? decodeUri(text) : text.trim().replaceAll('\\', '/')
  if (id === '') throw invalid('The id is empty.', 'Pass an id as search or list returned it.')
  if (id.includes('\0') || `/${decodeLoosely(id)}/`.includes('/../')) {
    throw invalid(
      `${quoted(text)} is not an id: ids never contain ".." or control characters.`,
      'Pass an id as search or list returned it, such as "notes/guides/setup.md".',
    )
  }
  return id.replace(/^\/+/, '')
}

function decodeUri(uri: string): string {
  const path = uri.slice('kb://'.length).replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    throw invalid(
      `${quoted(uri)} is not a valid URI: its percent-encoding is broken.`,
      'Pass the URI as it was returned.',
    )
  }
}

/** `%2e%2e` is refused as well as `..`: no file of ours is called that. */
function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('\\', '/')
  } catch {
    return text
  }
}

const ENTITY_URI = 'kb://entities/'

/** Of several graphs with the same id the first; `<source>/entity:<id>` means one of another. */
async function findEntity(kb: View, id: string): Promise<DocumentRecord | undefined> {
  const at = id.indexOf(ENTITY_SCHEME)
  if (at < 0) return undefined
  const path = entityPath(id.slice(at + ENTITY_SCHEME.length))
  for (const [name, { graph }] of kb.sources) {
    if (!graph || (at > 0 && id.slice(0, at) !== `${name}/`)) continue
    const found = await kb.store.findByPath(name, path)
    if (found) return found
    const wanted = id.slice(at + ENTITY_SCHEME.length)
    const survivor = orElse(() => graph().survivorOf(wanted), wanted)
    const merged = survivor !== wanted && (await kb.store.findByPath(name, entityPath(survivor)))
    if (merged) return merged
  }
  return undefined
}

async function findByPath(kb: View, id: string): Promise<DocumentRecord | undefined> {
  const slash = id.indexOf('/')
  if (slash > 0) {
    const exact = await kb.store.findByPath(id.slice(0, slash), id.slice(slash + 1))
    if (exact) return exact
  }
  for (const name of kb.sources.keys()) {
    const exact = await kb.store.findByPath(name, id)
    if (exact && kb.sources.size === 1) return exact
  }
  const found: DocumentRecord[] = []
  for (const candidate of [id, `${id}.md`, ...FOLDER_NOTES.map((note) => `${id}/${note}`)]) {
    if (found.length > 0) break
    for (const document of await kb.store.findByPathFolded(candidate)) found.push(document)
    if (slash <= 0) continue
    const source = candidate.slice(0, slash).toLowerCase()
    const path = candidate.slice(slash + 1)
    for (const document of await kb.store.findByPathFolded(path)) {
      if (document.source.toLowerCase() === source) found.push(document)
    }
  }
  return onlyOne(id, found)
}

async function findByName(kb: View, id: string): Promise<DocumentRecord | undefined> {
  const wanted = foldName(id)
  const named = await kb.store.named([nameKey(lastSegment(wanted).replace(/\.md$/, ''))])
  const inFolder = named.filter(({ source, path }) => {
    if (isEntityPath(path)) {
      return !wanted.includes('/') || entityIdOf(path).toLowerCase() === wanted
    }
    if (wanted.startsWith(ENTITY_SCHEME)) return false
    const full = `${source}/${path}`.toLowerCase()
    return !wanted.includes('/') || full === wanted || full === `${wanted}.md`
  })
  const rules: ((each: (typeof named)[number]) => boolean)[] = [
    (each) => each.title.toLowerCase() === wanted,
    (each) => each.aliases.some((alias) => alias.toLowerCase() === wanted),
    (each) =>
      lastSegment(each.path)
        .toLowerCase()
        .replace(/\.\w+$/, '') === wanted,
    () => true,
  ]
  for (const rule of rules) {
    const all = inFolder.filter(rule)
    if (all.length === 0) continue
    const notes = all.filter(({ path }) => !isEntityPath(path))
    const matches = notes.length > 0 ? notes : all
    const records = await kb.store.documents(matches.map(({ no }) => no))
    return onlyOne(
      id,
      records.filter((record) => record !== undefined),
    )
  }
  return undefined
}

function onlyOne(id: string, found: readonly DocumentRecord[]): DocumentRecord | undefined {
  const distinct = [...new Map(found.map((document) => [document.no, document])).values()]
  if (distinct.length <= 1) return distinct[0]
  const exact = distinct.filter(({ path }) => path === id || path === `${id}.md`)
  if (exact.length === 1) return exact[0]
  const ids = distinct.map(documentId).toSorted(compareIds)
  throw invalid(
    `${quoted(id)} could mean ${ids.length} documents: ${ids.slice(0, SUGGESTIONS).join(', ')}${ids.length > SUGGESTIONS ? ', …' : ''}.`,
    'Pass one of these ids in full.',
  )
}

async function similarDocuments(kb: View, id: string): Promise<string[]> {
  const key = nameKey(lastSegment(id).replace(/\.\w+$/, ''))
  const prefixed = await kb.store.namesLike(key.slice(0, Math.max(3, key.length - 2)), SUGGESTIONS)
  const lexical = await (await kb.index.look()).lexical()
  const words = id.replaceAll(/[/._-]+/g, ' ').slice(0, 200)
  const { hits } = await lexical.search(words, { limit: SUGGESTIONS, filter: await kb.documents() })
  const begun = new Set(prefixed.map(({ no }) => no))
  const nos = [...new Set([...begun, ...hits.map(({ doc }) => doc)])]
  const records = await kb.store.documents(nos.slice(0, SUGGESTIONS))
  return records
    .filter((record) => record !== undefined)
    .filter((record) => begun.has(record.no) || isCalledLike(record, words))
    .map(documentId)
}

/** Texts have the words of every name; whoever misspells one means a title or a file. */
function isCalledLike({ title, path }: DocumentRecord, words: string): boolean {
  const own = `${title} ${path}`.split(/[^\p{L}\p{N}]+/u)
  return words.split(/\s+/).some((word) => word.length > 2 && nearest(word, own) !== undefined)
}

export function documentNotFound(id: string, similar: readonly string[]): KnowledgeError {
  const hint =
    similar.length > 0
      ? `Did you mean ${similar.join(', ')}? Otherwise find the document with search or list.`
      : 'Find the document with search or list, and pass the id they return.'
  return new KnowledgeError('not_found', `There is no document ${quoted(id)}.`, hint, similar)
}
