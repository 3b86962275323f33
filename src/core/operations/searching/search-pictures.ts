/**
 * Which pictures answer a question? A picture has no words but its name: it is found by those of the
 * notes that show it, its alternative text first, then what stands around it.
 */
import type { DocNo, Place } from '../../domain/document.ts'
import { compareIds, documentId } from '../../domain/document.ts'
import { pictureType } from '../../domain/picture.ts'
import { foldName } from '../../kit/fold-name.ts'
import { lastSegment } from '../../kit/paths.ts'
import { findMatches } from '../../search/find-matches.ts'
import { docSet } from '../../search/doc-set.ts'
import type { DocSet } from '../../search/contract.ts'
import { PICTURE_LINKS, listPictures, pictureResolver } from '../reading/find-picture.ts'
import { pictureSaid } from '../reading/picture-said.ts'
import type { PictureSaid } from '../reading/picture-said.ts'
import { parseLive } from '../reading/read-document.ts'
import { parseSelection, selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'
import { documentUrl } from '../reading/document-url.ts'
import type { View } from '../view/view.ts'
import { findPassages } from './find-passages.ts'
import type { Asked, FoundPassage } from './find-passages.ts'

export interface FoundPicture extends PictureSaid {
  readonly id: string
  readonly name: string
  readonly url: string
  /** The note that shows it where it was found, and the line; undefined where only its name matched. */
  readonly shownIn:
    { readonly id: string; readonly title: string; readonly line: number } | undefined
  /** From 0 to 1, about. */
  readonly score: number
}

/** Notes that are looked through for pictures. */
const NOTES = 40
const DEFAULT_LIMIT = 10

/** What the name of a picture, its own words and those around it are worth; the note has the rest. */
const WEIGHTS = { own: 0.5, name: 0.25, around: 0.15, passage: 0.1 }

export async function searchPictures(
  kb: View,
  query: string,
  { limit = DEFAULT_LIMIT, ...selection }: Selection & { readonly limit?: number },
): Promise<readonly FoundPicture[]> {
  const pictures = (await listPictures(kb)).filter(pathFilter(kb, selection))
  if (pictures.length === 0) return []
  const { path: _, ...ofNotes } = selection
  const showing = await notesWithPictures(kb, ofNotes)
  const found = await findPassages(kb, query, {
    selection: {},
    among: showing,
    limit: Math.min(NOTES, Math.max(1, showing.size)),
  })
  const meant = pictureResolver(pictures)
  const best = new Map<string, FoundPicture>()
  const keep = (each: FoundPicture): void => {
    const known = best.get(each.id)
    if (!known || each.score > known.score) best.set(each.id, each)
  }
  for (const passage of found.passages) {
    for await (const each of picturesIn(kb, query, passage, found.ranking, meant)) keep(each)
  }
  for (const place of pictures) {
    const score = WEIGHTS.name * nameShare(query, place.path)
    if (score > 0) keep({ ...namedPicture(kb, place), shownIn: undefined, score })
  }
  const all = [...best.values()].filter(({ score }) => score > WEIGHTS.passage)
  return all.toSorted((a, b) => b.score - a.score || compareIds(a.id, b.id)).slice(0, limit)
}

async function* picturesIn(
  kb: View,
  query: string,
  { live, hit, chunk }: FoundPassage,
  asked: Asked,
  meant: ReturnType<typeof pictureResolver>,
): AsyncGenerator<FoundPicture> {
  const { record, text } = live
  for (const link of (await parseLive(kb, live)).links) {
    if (!PICTURE_LINKS.includes(link.kind) || pictureType(link.target) === undefined) continue
    const path = meant(link, record)
    if (path === undefined) continue
    const said = pictureSaid(text, link)
    const own = [said.alt, said.caption].filter((part) => part !== undefined).join('. ')
    const isNear = chunk !== undefined && link.start >= chunk.start && link.start < chunk.end
    const name = nameShare(query, path)
    yield {
      ...namedPicture(kb, { source: record.source, path }),
      ...said,
      shownIn: { id: await kb.nameOf(record), title: kb.titleOf(record), line: link.line },
      score:
        WEIGHTS.own * Math.max(share(own, asked), own === '' ? name : 0) +
        WEIGHTS.name * name +
        WEIGHTS.around * share(said.around ?? '', asked) +
        WEIGHTS.passage * (isNear ? 1 : 0.3) * Math.min(1, hit.score),
    }
  }
}

function namedPicture(kb: View, place: Place) {
  return { id: documentId(place), name: lastSegment(place.path), url: documentUrl(kb, place) }
}

/**
 * How many of the question's words the name of a file has; nobody may have written them anywhere
 * else, so the index does not know them. `IronPot_small-2.png` has iron, pot, small and 2.
 */
function nameShare(query: string, path: string): number {
  const wanted = wordsIn(query)
  const named = wordsIn(path.replace(/\.\w+$/, '').replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
  if (wanted.length === 0) return 0
  return wanted.filter((word) => named.some((each) => isLike(word, each))).length / wanted.length
}

function wordsIn(text: string): readonly string[] {
  return foldName(text.slice(0, 1_000)).match(/\p{L}+|\p{N}+/gu) ?? []
}

/** A word and its plural begin alike. */
function isLike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return (
    short === long || (short.length > 2 && long.startsWith(short) && long.length - short.length < 3)
  )
}

/** How many of the question's words a text has. */
function share(text: string, { words, languages }: Asked): number {
  if (text === '' || words.length === 0) return 0
  const met = new Set(findMatches(text, words, languages).map(({ word }) => word))
  return met.size / words.length
}

function pathFilter(kb: View, selection: Selection): (place: Place) => boolean {
  const { filter, matches = () => true } = parseSelection(kb, selection)
  const { sources, pathPrefix = '' } = filter
  const prefix = pathPrefix.toLowerCase()
  return ({ source, path }) =>
    (sources?.includes(source) ?? true) && path.toLowerCase().startsWith(prefix) && matches(path)
}

async function notesWithPictures(kb: View, selection: Selection): Promise<DocSet> {
  const chosen = await selectDocuments(kb, selection)
  const nos = new Set<DocNo>()
  for (const { from, target } of await kb.store.linkTargets(PICTURE_LINKS)) {
    if (pictureType(target) !== undefined && (chosen?.has(from) ?? true)) nos.add(from)
  }
  return docSet(Uint32Array.from(nos))
}
