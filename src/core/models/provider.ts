/** An embedder that comes ready made: behind an address or in a folder. Nothing is learned. */
import type { Embedder } from './embedder.ts'

export interface EmbeddingProvider {
  /** Whether an embedder of this id is the one that is wanted; asks nobody. */
  made(embedder: string): boolean
  /** Throws KnowledgeError when it is not to be had now. */
  open(signal: AbortSignal | undefined): Promise<OpenedEmbedder>
}

export interface OpenedEmbedder {
  readonly embedder: Embedder
  /**
   * How to open it again, kept beside its vectors: they serve on while those of another embedder
   * are made, and by then the settings name the other one. Never holds a key.
   */
  readonly record: Uint8Array
}
