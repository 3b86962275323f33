/** Texts of documents as they were indexed, for whoever turns them into vectors. */
import { isPart, isSameText } from '../domain/document.ts'
import type { DocNo, DocumentRecord } from '../domain/document.ts'
import type { Source } from '../domain/source.ts'
import type { EmbeddableDocument } from '../models/embedder.ts'
import type { Store } from '../store/store.ts'
import { redactedText } from './redact-file.ts'

export interface ReadParts {
  readonly store: Store
  readonly sources: ReadonlyMap<string, Source>
}

export interface ReadDocument extends EmbeddableDocument {
  readonly record: DocumentRecord
}

/**
 * The documents whose files are still what was indexed. One of which only the beginning was read is
 * none: what is made of it would be kept for all of it, as both are of the same bytes.
 */
export async function readDocuments(
  { store, sources }: ReadParts,
  nos: readonly DocNo[],
): Promise<ReadDocument[]> {
  const found = (await store.documents(nos)).filter((record) => record !== undefined)
  const records = found.filter((record) => !isPart(record))
  const read: ReadDocument[] = []
  for (const [name, group] of Map.groupBy(records, ({ source }) => source)) {
    const contents = await sources.get(name)?.read(group.map(({ path }) => path))
    const passages = await store.chunksOf(group.map(({ no }) => no))
    for (const [place, content] of (contents ?? []).entries()) {
      const record = group[place]!
      if (content.kind !== 'text' || !isSameText(content, record)) continue
      const chunks = passages[place] ?? []
      const text = redactedText(content, record)
      read.push({
        record,
        title: [record.title, ...record.aliases].join('\n'),
        passages: chunks.map(({ start, end, headingPath }) => ({
          text: text.slice(start, end),
          headingPath,
        })),
      })
    }
  }
  return read
}
