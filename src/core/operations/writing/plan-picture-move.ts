/** Gives a picture another path; links of notes that show it follow where they would lose it. */
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocumentRecord, Place } from '../../domain/document.ts'
import { parseInSlices } from '../../domain/format.ts'
import type { Link } from '../../domain/text.ts'
import { encodeTarget, placeOfTarget } from '../../editing/link-places.ts'
import { decodeEditable, encodeEditable } from '../../editing/text-file.ts'
import { pathPart } from '../../indexing/link-names.ts'
import { relativePath } from '../../indexing/retarget-link.ts'
import { lastSegment } from '../../kit/paths.ts'
import { orElse } from '../../kit/or-else.ts'
import { notesThatShow } from '../reading/describe-picture.ts'
import { PICTURE_LINKS, listPictures, pictureResolver } from '../reading/find-picture.ts'
import type { View } from '../view/view.ts'
import type { FileEdit } from './carry-out.ts'
import type { BrokenLink, Plan } from './change-files.ts'

export async function planPictureMove(kb: View, moved: FileEdit, from: Place): Promise<Plan> {
  const { source, path } = moved
  const pictures = await listPictures(kb, [source].values())
  const before = pictureResolver(pictures)
  const others = pictures.filter((each) => each.path !== from.path)
  const after = pictureResolver(
    [...others, { source, path }].toSorted((a, b) => compareIds(a.path, b.path)),
  )
  const edits: FileEdit[] = []
  const brokenLinks: BrokenLink[] = []
  let linksRewritten = 0
  for (const record of await notesThatShow(kb, from, before)) {
    const lost = (link: Link): boolean =>
      PICTURE_LINKS.includes(link.kind) &&
      before(link, record) === from.path &&
      (after(link, record) !== path || lastSegment(pathPart(link)) !== lastSegment(path))
    const { edit, rewritten, broken } = await rewriteLinks(kb, record, lost, (link) =>
      spelled(link, record.path, from.path, path, others),
    )
    if (edit) edits.push(edit)
    linksRewritten += rewritten
    brokenLinks.push(...broken)
  }
  return { edits: [moved, ...edits], linksRewritten, brokenLinks }
}

async function rewriteLinks(
  kb: View,
  record: DocumentRecord,
  isLost: (link: Link) => boolean,
  spell: (link: Link) => string,
) {
  const id = documentId(record)
  const broken: BrokenLink[] = []
  const { writer, converts } = kb.sources.get(record.source) ?? {}
  const isEdited = kb.formatOf(record.path).edits.sections && kb.writes?.(record) !== false
  const file = isEdited && !converts?.(record.path) ? await writer?.load(record.path) : undefined
  const old = file && orElse(() => decodeEditable(file.bytes, id), undefined)
  if (!file || !old) {
    const links = (await kb.store.linksFrom(record.no)) as readonly Pick<Link, 'kind' | 'target'>[]
    for (const link of links) if (isLost(link as Link)) broken.push({ id, target: link.target })
    return { edit: undefined, rewritten: 0, broken }
  }
  const format = kb.formatOf(record.path)
  const { links } = (await parseInSlices(format, old.text, record.path)).document
  let text = ''
  let at = 0
  let rewritten = 0
  for (const link of links.filter(isLost).toSorted((a, b) => a.start - b.start)) {
    const place = placeOfTarget(old.text, link)
    if (!place || place.start < at) {
      broken.push({ id, target: link.target })
      continue
    }
    const raw = old.text.slice(place.start, place.end)
    text += old.text.slice(at, place.start) + encodeTarget(spell(link), place.form, raw)
    at = place.end
    rewritten++
  }
  if (rewritten === 0) return { edit: undefined, rewritten, broken }
  const bytes = encodeEditable(text + old.text.slice(at), old)
  const { source, path } = record
  return { edit: { source, path, before: file, after: bytes }, rewritten, broken }
}

/** In the manner of its author: a name stays a name where it means one picture alone. */
function spelled(
  link: Link,
  note: string,
  from: string,
  to: string,
  others: readonly Place[],
): string {
  const target = pathPart(link)
  const isWiki = link.kind === 'wiki' || link.kind === 'embed'
  if (!isWiki) {
    if (target.startsWith('/')) return `/${to}`
    return target === from ? to : relativePath(note, to, target.startsWith('./'))
  }
  if (/^\.\.?\//.test(target)) return relativePath(note, to, true)
  const name = lastSegment(to)
  const isAlone = others.every(({ path }) => lastSegment(path) !== name)
  return !target.includes('/') && isAlone ? name : to
}
