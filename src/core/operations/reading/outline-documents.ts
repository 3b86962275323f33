/** The headings of documents with the lines they stand in: what there is to read, before reading it. */
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import type { View } from '../view/view.ts'
import { parseLive, readDocuments } from './read-document.ts'

export interface Outline {
  readonly id: string
  readonly title: string
  readonly lines: number
  readonly headings: readonly {
    readonly level: number
    readonly text: string
    readonly line: number
  }[]
}

export async function outlineDocuments(
  kb: View,
  records: readonly DocumentRecord[],
): Promise<readonly Outline[]> {
  const outlines: Outline[] = []
  const docs = records.map(({ no }) => no)
  for (const live of await readDocuments(kb, docs)) {
    const { headings } = await parseLive(kb, live)
    outlines.push({
      id: documentId(live.record),
      title: live.record.title,
      lines: live.text.split('\n').length,
      headings: headings.map(({ level, text, line }) => ({ level, text, line })),
    })
  }
  return outlines
}
