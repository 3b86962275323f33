/** The readers of files by kind; each is loaded with the first file of its kind. */
import type { FileKind, FileReader } from '../../domain/conversion.ts'

export const FILE_READERS = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  odt: openDocument,
  odp: openDocument,
  ods: openDocument,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  epub: async () => (await import('./epub.ts')).readEpub,
  notebook: async () => (await import('./notebook.ts')).readNotebook,
  canvas: async () => (await import('./canvas.ts')).readCanvas,
  mail: async () => (await import('./mail.ts')).readMail,
  subtitles: async () => (await import('./subtitles.ts')).readSubtitles,
  table: async () => (await import('./separated.ts')).readSeparated,
  org: async () => (await import('./markup.ts')).readOrg,
  asciidoc: async () => (await import('./markup.ts')).readAsciidoc,
  html: async () => (await import('./html.ts')).readHtml,
} satisfies Record<FileKind, () => Promise<FileReader>>

async function openDocument(): Promise<FileReader> {
  return (await import('./odt.ts')).readOdt
}
