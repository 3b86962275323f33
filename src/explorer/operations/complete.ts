/** What may be meant by somebody who has begun to write a link, a tag or a property. */
import type { DocumentRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import type { PropertyValue } from '../../core/domain/text.ts'
import { folderOf, isNotePath, lastSegment, withoutNoteExtension } from '../../core/kit/paths.ts'
import { linkKey } from '../../core/indexing/link-names.ts'
import { resolveLink } from '../../core/indexing/resolve-link.ts'
import { listBlocks } from '../../core/parsing/find-block.ts'
import { getLive, parseLive } from '../../core/operations/reading/read-document.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { LinkOffer, PlaceOffers, Vocabulary } from '../wire/wire.ts'
import { findNames } from './find-titles.ts'
import { showBeginning } from './show-beginning.ts'

const OFFERED = 12

/** Notes that `[[text` may become; those that changed last where nothing was typed yet. */
export async function completeLink(
  kb: View,
  id: string,
  text: string,
): Promise<readonly LinkOffer[]> {
  const from = await resolveDocument(kb, id)
  const found = text.trim() === '' ? await newest(kb) : await named(kb, text)
  const offers: LinkOffer[] = []
  for (const { record, as } of found.slice(0, OFFERED)) {
    const { title } = record
    offers.push({ id: documentId(record), title, as, target: await targetOf(kb, from, record) })
  }
  return offers
}

interface Found {
  readonly record: DocumentRecord
  readonly as?: string | undefined
}

async function newest(kb: View): Promise<readonly Found[]> {
  const { recent } = await showBeginning(kb)
  return recent.filter(({ path }) => !isEntityPath(path)).map((record) => ({ record }))
}

async function named(kb: View, text: string): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const { id, as } of await findNames(kb, text))
    found.push({ record: await resolveDocument(kb, id), as })
  return found
}

/**
 * The shortest name that means this note from there: the one of its file, which every other program
 * knows too, then its path, then its id.
 */
async function targetOf(kb: View, from: DocumentRecord, to: DocumentRecord): Promise<string> {
  const path = isNotePath(to.path) ? withoutNoteExtension(to.path) : to.path
  const spellings = isEntityPath(to.path) ? [to.title] : [lastSegment(path), path]
  for (const target of spellings) {
    if (/[[\]|#^]/.test(target)) continue
    const key = linkKey({ kind: 'wiki', target })
    const candidates = key === undefined ? [] : await kb.store.named([key])
    const link = { kind: 'wiki' as const, target }
    if (resolveLink(link, from, candidates) === to.no) return target
  }
  return documentId(to)
}

const PLACES = 2_000

/** Places in the note that a link means, as far as it is written: for `[[name#` and `[[name#^`. */
export async function completePlace(kb: View, id: string, name: string): Promise<PlaceOffers> {
  const from = await resolveDocument(kb, id)
  const key = linkKey({ kind: 'wiki', target: name })
  const candidates = key === undefined ? [] : await kb.store.named([key])
  const to = resolveLink({ kind: 'wiki', target: name }, from, candidates)
  const [record] = to === undefined ? [] : await kb.store.documents([to])
  if (!record || isEntityPath(record.path)) return { headings: [], blocks: [] }
  const live = await getLive(kb, record)
  const { headings } = await parseLive(kb, live)
  return {
    headings: headings.slice(0, PLACES).map(({ level, text }) => ({ level, text })),
    blocks: listBlocks(live.text.split('\n'), PLACES),
  }
}

const TAGS = 5_000
/** So many notes are looked at for what properties they have: those beside this one, and the newest. */
const LOOKED_AT = 400
const KEYS = 100
const VALUES = 50
const LONGEST_VALUE = 80

/** Loaded once by an editor: tags, and properties with what others say in them. */
export async function listVocabulary(kb: View, id: string): Promise<Vocabulary> {
  const { source, path } = await resolveDocument(kb, id)
  const folder = folderOf(path)
  const pathPrefix = folder === '' ? undefined : `${folder}/`
  const beside = { kind: 'document', sources: [source], ...(pathPrefix && { pathPrefix }) } as const
  const page = { offset: 0, limit: LOOKED_AT }
  const { documents: near } = await kb.store.list(beside, 'updated', page)
  const { documents: recent } = await kb.store.list({ kind: 'document' }, 'updated', page)
  const values = new Map<string, Map<string, number>>()
  const seen = new Set<number>()
  for (const { no, properties } of [...near, ...recent]) {
    if (seen.has(no)) continue
    seen.add(no)
    for (const [key, value] of Object.entries(properties)) {
      const counts = values.get(key) ?? new Map<string, number>()
      values.set(key, counts)
      for (const each of textsOf(value)) counts.set(each, (counts.get(each) ?? 0) + 1)
    }
  }
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0)
  return {
    tags: (await kb.store.tags(TAGS)).map(({ tag }) => tag),
    properties: [...values]
      .toSorted(([, a], [, b]) => total(b) - total(a))
      .slice(0, KEYS)
      .map(([key, counts]) => ({
        key,
        values: [...counts]
          .toSorted(([, a], [, b]) => b - a)
          .slice(0, VALUES)
          .map(([value]) => value),
      })),
  }
}

function textsOf(value: PropertyValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: PropertyValue) => textsOf(each))
  if (value === null || typeof value === 'object') return []
  const text = String(value)
  return text === '' || text.length > LONGEST_VALUE || text.includes('\n') ? [] : [text]
}
