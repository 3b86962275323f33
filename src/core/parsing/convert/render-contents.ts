/** What was found in a file as Markdown, with its metadata as front matter. */
import { anchorLine } from '../../domain/conversion.ts'
import type { FileContents, MetadataValue } from '../../domain/conversion.ts'
import { cutText } from '../../kit/cut-text.ts'

/** Letters of the longest text that is made of a file: more than any book has. */
export const LONGEST_CONVERTED = 8 * 1024 * 1024

const LONGEST_VALUE = 500
const MOST_VALUES = 30

export function renderContents(kind: string, { title, metadata, blocks }: FileContents): string {
  const properties = [['type', kind] as const, ['title', title] as const]
  const head = [...properties, ...Object.entries(metadata ?? {}).slice(0, MOST_VALUES)]
    .flatMap(([key, value]) => (isSaid(value) ? [`${key}: ${valueText(value)}`] : []))
    .join('\n')
  const parts = [`---\n${head}\n---\n`]
  let room = LONGEST_CONVERTED
  for (const [index, { anchor, text }] of blocks.entries()) {
    const body = tidy(text)
    const part = anchor === undefined ? body : `${anchorLine(anchor)}\n\n${body}`
    if (part === '') continue
    if (part.length > room) {
      const fits = part.lastIndexOf('\n', room)
      if (fits > 0) parts.push(`${part.slice(0, fits)}\n`)
      const more = blocks.length - index - 1
      parts.push(`(The file goes on${more > 0 ? `: ${more} more parts were not read` : ''}.)\n`)
      break
    }
    room -= part.length
    parts.push(`${part}\n`)
  }
  return `${parts.join('\n').trimEnd()}\n`.toWellFormed()
}

/** Whether a text is what this file made, and not that of a file which is read as it is. */
export function isRendered(text: string): boolean {
  return RENDERED.test(text)
}

const RENDERED =
  /^---\ntype: "(?:pdf|html|docx|odt|pptx|odp|xlsx|ods|epub|notebook|canvas|mail|subtitles|table|org|asciidoc)"\n/

function isSaid(value: MetadataValue | undefined): value is MetadataValue {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** JSON is YAML, whatever is in it. */
function valueText(value: MetadataValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(line(value))
  return `[${value
    .slice(0, MOST_VALUES)
    .map((each) => JSON.stringify(line(each)))
    .join(', ')}]`
}

function line(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), LONGEST_VALUE)
}

/**
 * Without what no text should hold, and never more than one blank line. Where a run begins is said:
 * a search from every blank of a long one takes as long as the square of it.
 */
function tidy(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

// oxlint-disable-next-line no-control-regex -- what a file holds may be anything
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
