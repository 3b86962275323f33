/** What people read of a file, made in this thread. */
import type { FileKind } from '../../src/core/domain/conversion.ts'
import { FILE_READERS } from '../../src/core/parsing/convert/readers.ts'
import { renderContents } from '../../src/core/parsing/convert/render-contents.ts'

export async function readFileText(
  kind: FileKind,
  content: string | Uint8Array,
  path = `a.${kind}`,
): Promise<string> {
  const read = await FILE_READERS[kind]()
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return renderContents(kind, await read(bytes, path))
}

/** The same without the metadata. */
export async function readFileBody(...file: Parameters<typeof readFileText>): Promise<string> {
  return (await readFileText(...file)).replace(/^---\n[^]*?\n---\n/, '').trim()
}
