/**
 * Pictures of the base. They are no documents: nothing of them is in the index, and which there are
 * is seen by looking at the folders when somebody asks.
 */
import { compareIds, documentId } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { invalid, quoted } from '../../domain/error.ts'
import { pictureType } from '../../domain/picture.ts'
import type { Link, LinkKind } from '../../domain/text.ts'
import { foldName } from '../../kit/fold-name.ts'
import { folderOf, joinPath, lastSegment } from '../../kit/paths.ts'
import { pathPart } from '../../indexing/link-names.ts'
import type { View } from '../view/view.ts'
import { parseId } from './resolve-document.ts'

/** Links by which a note shows a picture, or leads to it. */
export const PICTURE_LINKS: readonly LinkKind[] = ['embed', 'image', 'wiki', 'markdown']

const NAMED_AT_MOST = 5

/** Every picture that this caller sees, in the order of ids. */
export async function listPictures(kb: View, among = kb.sources.keys()): Promise<readonly Place[]> {
  const found: Place[] = []
  for (const source of among) {
    // What a folder out of reach holds is not known.
    const scan = await kb.sources
      .get(source)
      ?.scan()
      .catch(() => undefined)
    for (const path of scan?.leftOut?.pictures ?? []) {
      if (kb.sees({ source, path })) found.push({ source, path })
    }
  }
  return found.toSorted((a, b) => compareIds(documentId(a), documentId(b)))
}

/**
 * The picture that an id, a path, the end of a path or a name means; undefined where there is none.
 * Throws `invalid` where it means several.
 */
export async function findPicture(kb: View, text: string): Promise<Place | undefined> {
  const id = parseId(text)
  if (pictureType(id) === undefined) return undefined
  for (const place of placesOf(kb, id)) {
    if (await isThere(kb, place)) return place
  }
  const wanted = foldName(id)
  const all = (await listPictures(kb)).filter((place) => endsWith(documentId(place), wanted))
  if (all.length < 2) return all[0]
  const named = all.slice(0, NAMED_AT_MOST).map(documentId).join(', ')
  throw invalid(
    `${quoted(id)} could mean ${all.length} pictures: ${named}${all.length > NAMED_AT_MOST ? ', …' : ''}.`,
    'Pass one of these ids in full.',
  )
}

function placesOf({ sources }: View, id: string): readonly Place[] {
  const slash = id.indexOf('/')
  const head = id.slice(0, Math.max(0, slash))
  const own = sources.has(head) ? [{ source: head, path: id.slice(slash + 1) }] : []
  return [...own, ...[...sources.keys()].map((source) => ({ source, path: id }))]
}

/** The same work whether something is there and hidden, or not there. */
async function isThere(kb: View, { source, path }: Place): Promise<boolean> {
  const scan = await kb.sources
    .get(source)
    ?.rescan([path])
    .catch(() => undefined)
  return (scan?.leftOut?.pictures ?? []).includes(path) && kb.sees({ source, path })
}

function endsWith(id: string, wanted: string): boolean {
  const folded = foldName(id)
  return folded === wanted || folded.endsWith(`/${wanted}`)
}

/** Which picture of its source a link means, as programs that show notes look for it. */
export function pictureResolver(
  pictures: readonly Place[],
): (link: Pick<Link, 'kind' | 'target'>, from: Place) => string | undefined {
  const byName = Map.groupBy(pictures, ({ source, path }) => nameIn(source, path))
  return (link, from) => {
    const target = pathPart(link).replaceAll('\\', '/')
    const named = byName.get(nameIn(from.source, target))
    if (!named) return undefined
    const ways = [joinPath(folderOf(from.path), target), joinPath('', target.replace(/^\/+/, ''))]
    for (const way of ways) {
      const found =
        named.find(({ path }) => path === way) ??
        named.find(({ path }) => way !== undefined && foldName(path) === foldName(way))
      if (found) return found.path
    }
    // A name alone, or the end of a path: the nearest to the note.
    const end = foldName(target.replace(/^(?:\.{0,2}\/)+/, ''))
    return named
      .filter(({ path }) => endsWith(path, end))
      .map(({ path }) => path)
      .toSorted((a, b) => distance(a, from.path) - distance(b, from.path) || compareIds(a, b))[0]
  }
}

const nameIn = (source: string, path: string): string => `${source}/${foldName(lastSegment(path))}`

/** How many folders one has to leave and enter from one file to the other. */
function distance(a: string, b: string): number {
  const [one, other] = [folderOf(a).split('/'), folderOf(b).split('/')]
  let shared = 0
  while (shared < Math.min(one.length, other.length) && one[shared] === other[shared]) shared++
  return one.length + other.length - 2 * shared
}
