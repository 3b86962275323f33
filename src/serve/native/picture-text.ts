/** A picture in the words of `fetch` and `search`: what it is, and who shows it with which words. */
import type { Picture } from '../../core/operations/reading/describe-picture.ts'
import type { FoundPicture } from '../../core/operations/searching/search-pictures.ts'
import type { ShownPicture } from '../door/surface.ts'
import { rowsText } from './lean-text.ts'
import { compact, instant } from './present.ts'

/** Formats that models see, and how large one may be: more is refused by some of them. */
const SEEN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const MOST_BYTES = 2 * 1024 * 1024

/** Undefined for what no model sees, and for what only has the name of a picture: nobody masks bytes. */
export function seenPicture({ file, measure }: Picture): ShownPicture | undefined {
  if (!file || !measure || !SEEN.has(measure.type) || file.size > MOST_BYTES) return undefined
  return { data: Buffer.from(file.bytes).toString('base64'), mimeType: measure.type }
}

export function presentPicture(picture: Picture, isWanted: boolean) {
  const { id, name, url, source, path, file, measure, shown, notes } = picture
  return compact({
    id,
    title: name,
    text: pictureText(picture, isWanted),
    url,
    metadata: compact({
      source,
      path,
      type: 'image',
      mime_type: measure?.type,
      width: measure?.width,
      height: measure?.height,
      size: file?.size,
      modified: file && instant(file.modifiedAt),
      shown_in: notes,
    }),
    digest: file?.digest,
    shown_in: shown.map((each) => compact({ ...each })),
  })
}

export function pictureText(picture: Picture, isWanted: boolean): string {
  const { id, shown, notes } = picture
  const lines = [`${id}: ${describe(picture)}`, '']
  if (notes === 0) lines.push('No note shows it.')
  else lines.push(`Shown in ${notes} ${notes === 1 ? 'note' : 'notes'}:`)
  for (const { id: note, title, line, alt, caption, around } of shown) {
    lines.push('', `${note}:${line} ${title}`)
    if (alt !== undefined) lines.push(`Alternative text: ${alt}`)
    if (caption !== undefined) lines.push(`Caption: ${caption}`)
    if (around !== undefined) lines.push(`Beside it: ${around}`)
  }
  if (notes > shown.length) lines.push('', `And ${notes - shown.length} more.`)
  const isSeen = seenPicture(picture) !== undefined
  if (isWanted && !isSeen)
    lines.push('', 'It is no picture that can be shown, or larger than 2 MiB.')
  if (!isWanted && isSeen) lines.push('', `See it: fetch(id="${id}", include=["picture"]).`)
  return `${lines.join('\n')}\n`
}

function describe({ file, measure }: Picture): string {
  if (!file) return 'a picture that cannot be read as a whole.'
  if (!measure)
    return `a file of ${sizeText(file.size)} that is no picture, whatever its name says.`
  const { type, width, height } = measure
  const pixels = width === undefined || height === undefined ? '' : `, ${width} × ${height}`
  return `${type}${pixels}, ${sizeText(file.size)}.`
}

function sizeText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}

export function presentFoundPicture({
  id,
  name,
  url,
  alt,
  caption,
  around,
  shownIn,
  score,
}: FoundPicture) {
  return compact({
    id,
    title: alt ?? caption ?? name,
    url,
    snippet: [caption, around].filter((part) => part !== undefined).join('\n') || undefined,
    shown_in: shownIn && `${shownIn.id}:${shownIn.line}`,
    score: Number(score.toPrecision(4)),
  })
}

export function foundPicturesText(found: readonly FoundPicture[]): string {
  return rowsText(found.map(presentFoundPicture)) || 'No picture was found.'
}
