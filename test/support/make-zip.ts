/** A zip archive of a few files, packed as programs pack them. */
import { zip } from '../../scripts/release/zip.ts'

export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  return zip(
    Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) })),
  )
}
