/**
 * Work queue of documents that have no vectors, filled again when it is empty. A store goes through
 * all its documents to tell which these are: asked for each batch, 146,000 notes would take hours.
 */
import type { DocNo } from '../domain/document.ts'
import type { VectorStore } from '../store/vector-store.ts'

/** In path order; ends when there are none but those that are in `left`, which grows meanwhile. */
export async function* documentsWithoutVectors(
  store: Pick<VectorStore, 'withoutVectors'>,
  embedder: string,
  atOnce: number,
  left: ReadonlySet<DocNo>,
): AsyncGenerator<readonly DocNo[]> {
  for (;;) {
    const missing = await store.withoutVectors(embedder)
    const wanted = missing.filter((doc) => !left.has(doc))
    if (wanted.length === 0) return
    for (let from = 0; from < wanted.length; from += atOnce) {
      yield wanted.slice(from, from + atOnce)
    }
  }
}
