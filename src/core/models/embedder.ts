/**
 * Who embeds text? Something that turns passages and questions into vectors, so that those about
 * the same thing point the same way. Implementations live in the folders beside this file.
 */

/** A document as an embedder reads it. */
export interface EmbeddableDocument {
  /** Title and aliases: what the document as a whole is called. */
  readonly title: string
  readonly passages: readonly EmbeddablePassage[]
}

export interface EmbeddablePassage {
  readonly text: string
  /** Headings from the outermost down to the one the passage stands under. */
  readonly headingPath: readonly string[]
}

export interface EmbedOptions {
  readonly signal?: AbortSignal
}

export interface Embedder {
  /** Changes whenever the same text would get another vector: stored vectors of another id are stale. */
  readonly id: string
  readonly dimensions: number
  /** Among so many documents nobody notices what rounding turns: half a byte per dimension is kept. */
  readonly halfBytes?: boolean
  /** Takes too long to embed documents while somebody waits for an answer. */
  readonly slow?: boolean
  /** Documents worth giving at a time: what is done is kept after each such step. */
  readonly documentsAtOnce?: number
  /**
   * For every document one vector per passage, in order. A passage nothing can be said about gets
   * a vector of zeros. Lengths of vectors mean nothing, only directions.
   */
  embedDocuments(
    documents: readonly EmbeddableDocument[],
    options?: EmbedOptions,
  ): Promise<Float32Array[][]>
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>
  /** How well it knows the words of a question asked of so many documents. Without this, it knows them all. */
  read?(text: string, documents?: number): Reading
}

export interface Reading {
  /** Which part of the words it knows, from 0 to 1. */
  readonly understood: number
  /** How far it rests on what words mean in general instead of on the base's own text, from 0 to 1. */
  readonly general: number
  /** What the cosines of this question are to be multiplied by to be similarities. */
  readonly scale: number
  /** How similar texts look to it that have nothing to do with each other; 0 unless said. */
  readonly baseline?: number
  /** The similarity that makes an answer of a passage without a word of the question, if it is known. */
  readonly nearEnough?: number
  /** The similarity that says nothing for it; 0 unless said. */
  readonly unrelatedAt?: number
  /** Names need not be left to words and links. */
  readonly knowsNames?: boolean
  /** The share of the question's words that makes one without a similar meaning, if it is known. */
  readonly coversEnough?: number
}
