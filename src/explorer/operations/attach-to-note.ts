/** A file that somebody drops on a note, in the words of the page. */
import type { View } from '../../core/operations/view/view.ts'
import { attachFile, type FileToAttach } from '../../core/operations/writing/attach-file.ts'
import type { WriteOptions } from '../../core/operations/writing/change-files.ts'
import type { Attached } from '../wire/wire.ts'

export async function attachToNote(
  kb: View,
  file: FileToAttach,
  options: WriteOptions,
): Promise<Attached> {
  const attached = await attachFile(kb, file, options)
  const { written, line, operation, warnings } = attached
  return {
    file: attached.file,
    written,
    ...(line !== undefined && { line }),
    ...(operation !== undefined && { operation }),
    warnings: warnings.map(({ message }) => message),
  }
}
