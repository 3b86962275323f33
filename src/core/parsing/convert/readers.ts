/** The readers of files by kind; each is loaded with the first file of its kind. */
import type { FileKind, FileReader } from '../../domain/conversion.ts'

export const FILE_READERS = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  html: async () => (await import('./html.ts')).readHtml,
} satisfies Record<FileKind, () => Promise<FileReader>>
