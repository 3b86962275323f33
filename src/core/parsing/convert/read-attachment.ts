/** What is attached to a mail, read by the table of formats; a mail in a mail is part of its text. */
import { FILE_ENDINGS, Unreadable } from '../../domain/conversion.ts'
import type { FileContents, FileKind } from '../../domain/conversion.ts'
import { decodeText } from '../../domain/format.ts'
import { extensionOf, isNotePath } from '../../kit/paths.ts'
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
    return { blocks: [{ text: ending === 'txt' ? plain(text) : text }] }
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

const KINDS = new Map(
  (Object.keys(FILE_ENDINGS) as FileKind[]).flatMap((kind) =>
    FILE_ENDINGS[kind].map((ending): [string, FileKind] => [ending, kind]),
  ),
)

/** Its headings below that of the attachment, or what comes next would stand under one of them. */
export function under(level: number, text: string): string {
  let fence: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const [mark] = /^(?:`{3,}|~{3,})/.exec(line) ?? []
      if (fence === undefined) fence = mark
      else if (mark?.startsWith(fence)) fence = undefined
      if (fence !== undefined) return line
      return line.replace(/^#{1,6}(?= )/, (marks) => '#'.repeat(Math.min(6, marks.length + level)))
    })
    .join('\n')
}
