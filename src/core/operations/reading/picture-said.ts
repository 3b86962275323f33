/** What a note says of a picture that it shows: alternative text, caption, the words around it. */
import type { Link } from '../../domain/text.ts'
import { cutText } from '../../kit/cut-text.ts'
import { withoutMarkup } from '../../parsing/unseen-markup.ts'

export interface PictureSaid {
  readonly alt?: string
  readonly caption?: string
  /** The paragraph it stands in, or the one above. */
  readonly around?: string
}

const LONGEST = 300
/** A paragraph is looked for so far around. */
const REACH = 4_000

export function pictureSaid(text: string, link: Link): PictureSaid {
  const alt = altOf(link.label ?? '')
  const [, title] =
    /\s["'(]([^"'()]{1,300})["')]\s*\)$/.exec(text.slice(link.start, link.end)) ?? []
  const { before, own, after } = paragraphsAround(text, link)
  const inLine = plainly(own)
  const below = plainly(after)
  const isCaption =
    /^(?:\*|_(?=\S)|<(?:em|figcaption)|(?:fig(?:ure|\.)?|abb(?:ildung|\.)?|image|picture|photo)\b)/i.test(
      after.trim(),
    )
  const caption = title ?? (inLine === '' && isCaption ? below : undefined)
  const around = inLine || plainly(before) || (isCaption ? '' : below)
  return {
    ...(alt !== '' && { alt }),
    ...(caption && { caption }),
    ...(around !== '' && { around }),
  }
}

/** `A pot|300x200`: how large it is shown says nothing of it, nor does the name of its file. */
function altOf(label: string): string {
  const parts = label.split('|').map((part) => part.trim())
  const said = parts.filter((part) => part !== '' && !/^\d{1,5}(?:x\d{1,5})?$/.test(part))
  return cutText(said.join(' '), LONGEST)
}

function paragraphsAround(text: string, { start, end }: Link) {
  const from = Math.max(0, start - REACH)
  const to = Math.min(text.length, end + REACH)
  const above = text.slice(from, start).split(/\n[ \t]*\r?\n/)
  const below = text.slice(end, to).split(/\n[ \t]*\r?\n/)
  const before = above.slice(0, -1).findLast((part) => part.trim() !== '') ?? ''
  return {
    before: /^\s*#{1,6}\s[^\n]*$/.test(before) ? '' : before,
    own: `${above.at(-1) ?? ''} ${below[0] ?? ''}`,
    after: below.slice(1).find((part) => part.trim() !== '') ?? '',
  }
}

const SHOWN =
  /!\[\[[^\]\n]{0,1000}\]\]|!\[[^\]\n]{0,1000}\]\([^()\n]{0,1000}\)|^[ \t]*(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+|<a id="[^"\n]*"><\/a>/gm

function plainly(paragraph: string): string {
  const words = withoutMarkup(paragraph.replaceAll(SHOWN, ' ')).text
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return cutText(line.replace(/^[*_]+(.*?)[*_]+$/, '$1'), LONGEST)
}
