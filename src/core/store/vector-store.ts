/**
 * Vectors of passages, and what their embedder learned. Whoever learns by a lease is refused once
 * another has it.
 */
import type { DocNo } from '../domain/document.ts'
import type { Among } from './document-store.ts'
import type { Lease } from './lease-store.ts'
import type { Stamps } from './store.ts'

export interface VectorStore {
  /** The embedder whose vectors serve, once there is one; as of a look, where one is given. */
  servingEmbedder(at?: Stamps): Promise<string | undefined>
  /** Makes an embedder the serving one and forgets the vectors and models of all others. */
  serveEmbedder(embedder: string | undefined, lease?: Lease): Promise<void>
  putModel(embedder: string, data: Uint8Array, lease?: Lease): Promise<void>
  model(embedder: string): Promise<Uint8Array | undefined>
  /** Keeps vectors of documents that still have the digest they were made from. */
  putVectors(
    embedder: string,
    rows: readonly { readonly doc: DocNo; readonly digest: string; readonly data: Uint8Array }[],
    lease?: Lease,
  ): Promise<void>
  /** Documents the embedder has no vectors of yet, in path order: the first few, or all. */
  withoutVectors(embedder: string, limit?: number): Promise<readonly DocNo[]>
  /**
   * Shows every document's vectors that were put after a stamp, one after the other: together they
   * may be large. Returns the stamp to ask with next time.
   */
  vectorsSince(
    embedder: string,
    stamp: number,
    visit: (doc: DocNo, data: Uint8Array) => void,
  ): Promise<number>
  /** Documents that have vectors; of these only, where some are given. */
  vectorDocs(embedder: string, among?: Among): Promise<Uint32Array>
}
