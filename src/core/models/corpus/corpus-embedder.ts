/** The corpus model as an embedder: text in, vectors out, at once and without any model file. */
import type { EmbeddablePassage, Embedder } from '../embedder.ts'
import type { CorpusModel } from './corpus-model.ts'

/** How texts become terms: the same analysis that search uses. */
export interface TermAnalysis {
  /** Changes when the same text would give other terms. */
  readonly id: string
  /** Terms of a text, repeated as often as they occur, without words that say nothing. */
  terms(text: string): Iterable<string>
}

/** Documents of a base in whose index vectors take half bytes. */
export const LARGE = 2_000

export function createCorpusEmbedder(model: CorpusModel, analysis: TermAnalysis): Embedder {
  return {
    id: `corpus:${analysis.id}:${model.id}`,
    dimensions: model.dimensions,
    halfBytes: model.documents >= LARGE,
    async embedDocuments(documents, options) {
      return documents.map(({ title, passages }) => {
        options?.signal?.throwIfAborted()
        return model.embedDocument(
          analysis.terms(title),
          passages.map((passage) => analysis.terms(passageText(passage))),
        )
      })
    },
    async embedQuery(text) {
      return model.embedQuery(analysis.terms(text))
    },
    read: (text) => ({
      understood: 1 - model.unknownShareOf(analysis.terms(text)),
      general: 0,
      scale: 1,
    }),
  }
}

/**
 * A passage with the headings it stands under: what training and embedding both read. Its own
 * heading, which its text repeats, counts twice.
 */
export function passageText({ headingPath, text }: EmbeddablePassage): string {
  return [...headingPath, text].join('\n')
}
