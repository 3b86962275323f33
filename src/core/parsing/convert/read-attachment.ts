/** What is attached to a mail, read by the table of formats; a mail in a mail is part of its text. */
import { FILE_ENDINGS, Unreadable } from '../../domain/conversion.ts'
import type { FileContents, FileKind } from '../../domain/conversion.ts'
import { decodeText } from '../../domain/format.ts'
import { extensionOf, isNotePath } from '../../kit/paths.ts'
import { findFrontMatter } from '../markdown/front-matter.ts'
import { plain } from './plain.ts'
import { FILE_READERS } from './readers.ts'

/** Undefined for what is not read; a text says why something cannot be. */
export async function readAttachment(
  name: string,
  bytes: Uint8Array,
): Promise<FileContents | string | undefined> {
  const ending = extensionOf(name)
  if (ending === 'txt' || isNotePath(name)) {
    const text = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (text === undefined) return 'not text'
    return { blocks: [{ text: ending === 'txt' ? plain(text) : withoutMetadata(text) }] }
  }
  const kind = KINDS.get(ending)
  if (kind === undefined || kind === 'mail') return undefined
  try {
    const read = await FILE_READERS[kind]()
    return await read(bytes, name)
  } catch (error) {
    return error instanceof Unreadable ? error.message : 'damaged'
  }
}

/** Within a mail it would be an underlined heading. */
function withoutMetadata(text: string): string {
  const block = findFrontMatter(text)
  return (typeof block === 'string' ? text : text.slice(block.bodyStart)).replaceAll(/\r\n?/g, '\n')
}

const KINDS = new Map(
  (Object.keys(FILE_ENDINGS) as FileKind[]).flatMap((kind) =>
    FILE_ENDINGS[kind].map((ending): [string, FileKind] => [ending, kind]),
  ),
)

/**
 * Its headings below that of the attachment, and its code at an end: or what comes next would stand
 * under one of them, or be code.
 */
export function under(level: number, text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const { mark, rest = '' } = FENCE.exec(line)?.groups ?? {}
    const underline = UNDERLINE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && rest.trim() === '') fence = undefined
      lines.push(line)
    } else if (mark !== undefined && !(mark.startsWith('`') && rest.includes('`'))) {
      // Behind backquotes there are none: those would be code within a line.
      fence = mark
      lines.push(line)
    } else if (underline !== undefined && isAlone(lines)) {
      lines.push(heading(level + (underline === '=' ? 1 : 2), lines.pop()!.trim()))
    } else {
      const [, marks, words = ''] = /^ {0,3}(#{1,6}) ([^]*)$/.exec(line) ?? []
      lines.push(marks === undefined ? line : heading(level + marks.length, words))
    }
  }
  if (fence !== undefined) lines.push(fence)
  return lines.join('\n')
}

const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})(?<rest>[^]*)$/
const UNDERLINE = /^ {0,3}(=|-)\1*[ \t]*$/

function heading(level: number, words: string): string {
  return `${'#'.repeat(Math.min(6, level))} ${words}`
}

/** Whether the last line is a paragraph of its own, with nothing in it that begins something else. */
function isAlone(lines: readonly string[]): boolean {
  const [before = '', last = ''] = [lines.at(-2), lines.at(-1)]
  return before.trim() === '' && /^ {0,3}[^\s#>|<`~*+\d-]/.test(last)
}
