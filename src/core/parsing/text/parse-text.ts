/** A plain text file as a document: passages by paragraph, and nothing else to find. */
import type { Parser } from '../../domain/text.ts'
import { chunkDocument } from '../chunk.ts'
import { lineStartsOf } from '../lines.ts'

export const parsePlainText: Parser = (text) => {
  const bodyStart = text.startsWith('\uFEFF') ? 1 : 0
  const lineStarts = lineStartsOf(text)
  const chunks = chunkDocument({ text, bodyStart, headings: [], codeBlocks: [], lineStarts })
  return {
    document: {
      title: undefined,
      frontMatterTitle: undefined,
      aliases: [],
      tags: [],
      inlineTags: [],
      description: undefined,
      properties: {},
      bodyStart,
      headings: [],
      links: [],
      codeBlocks: [],
      chunks,
    },
    warnings: [],
  }
}
