/** A picture as a thing of the base: what it is, and which notes show it with which words. */
import { documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord, Place } from '../../domain/document.ts'
import { pictureType } from '../../domain/picture.ts'
import type { FileBytes } from '../../domain/source.ts'
import type { Link } from '../../domain/text.ts'
import { foldName } from '../../kit/fold-name.ts'
import { lastSegment } from '../../kit/paths.ts'
import { measurePicture } from '../../parsing/measure-picture.ts'
import type { PictureMeasure } from '../../parsing/measure-picture.ts'
import type { View } from '../view/view.ts'
import { documentUrl } from './document-url.ts'
import { PICTURE_LINKS, findPicture, listPictures, pictureResolver } from './find-picture.ts'
import { pictureSaid } from './picture-said.ts'
import type { PictureSaid } from './picture-said.ts'
import { parseLive, readDocuments } from './read-document.ts'

export interface Picture extends Place {
  readonly id: string
  readonly name: string
  readonly url: string
  /** Undefined where the file cannot be read as a whole. */
  readonly file: FileBytes | undefined
  /** Undefined where it is no picture, whatever its name says. */
  readonly measure: PictureMeasure | undefined
  /** The first notes that show it, in path order. */
  readonly shown: readonly Showing[]
  /** How many notes show it. */
  readonly notes: number
}

export interface Showing extends PictureSaid {
  readonly id: string
  readonly title: string
  readonly line: number
}

const SHOWN_AT_MOST = 20

/** Undefined where no picture is meant. Throws `invalid` where several are. */
export async function describePicture(kb: View, id: string): Promise<Picture | undefined> {
  const place = await findPicture(kb, id)
  if (!place) return undefined
  const file = await loadPicture(kb, place)
  const { shown, notes } = await showingsOf(kb, place)
  return {
    ...place,
    id: documentId(place),
    name: lastSegment(place.path),
    url: documentUrl(kb, place),
    file,
    measure: file && measurePicture(file.bytes),
    shown,
    notes,
  }
}

/** Undefined for one that is larger than files may be, or gone. */
export async function loadPicture(
  kb: View,
  { source, path }: Place,
): Promise<FileBytes | undefined> {
  return kb.sources
    .get(source)
    ?.writer?.load(path)
    .catch(() => undefined)
}

async function showingsOf(kb: View, place: Place): Promise<Pick<Picture, 'shown' | 'notes'>> {
  const meant = pictureResolver(await listPictures(kb, [place.source].values()))
  const found = await notesThatShow(kb, place, meant)
  const first = found.slice(0, SHOWN_AT_MOST).map(({ no }) => no)
  const shown: Showing[] = []
  for (const live of await readDocuments(kb, first)) {
    const { links } = await parseLive(kb, live)
    const isShown = (link: Link): boolean =>
      PICTURE_LINKS.includes(link.kind) && meant(link, live.record) === place.path
    const link = links.find(isShown)
    if (!link) continue
    const { record } = live
    const named = { id: await kb.nameOf(record), title: kb.titleOf(record), line: link.line }
    shown.push({ ...named, ...pictureSaid(live.text, link) })
  }
  return { shown, notes: found.length }
}

/** In path order; looked up by the name of the file, which every link to it has. */
export async function notesThatShow(
  kb: View,
  place: Place,
  known?: ReturnType<typeof pictureResolver>,
): Promise<readonly DocumentRecord[]> {
  const meant = known ?? pictureResolver(await listPictures(kb, [place.source].values()))
  const name = foldName(lastSegment(place.path))
  const targets = new Map<DocNo, Pick<Link, 'kind' | 'target'>[]>()
  for (const { from, target } of await kb.store.linkTargets(PICTURE_LINKS)) {
    if (pictureType(target) === undefined || foldName(lastSegment(target)) !== name) continue
    const link = { kind: 'image', target } as const
    const others = targets.get(from)
    if (others) others.push(link)
    else targets.set(from, [link])
  }
  const among = (await kb.store.pathOrder()).filter((doc) => targets.has(doc))
  const records = await kb.store.documents([...among])
  return records.flatMap((record) => {
    const links = (record && targets.get(record.no)) ?? []
    const shows =
      record?.source === place.source && links.some((link) => meant(link, record) === place.path)
    return shows ? [record] : []
  })
}
