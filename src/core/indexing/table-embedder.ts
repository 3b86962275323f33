/** The embedder that knows what words mean in general, and nothing of any base. */
import type { Embedder } from '../models/embedder.ts'
import { createTableEmbedder } from '../models/general/table-embedder.ts'
import { CONTENT_TERMS_ID, contentTerms } from '../search/analysis/content-terms.ts'
import { packagedWords } from './packaged-words.ts'

let made: { readonly embedder: Embedder | undefined } | undefined

/** Undefined where the package has lost its table. */
export function tableEmbedder(): Embedder | undefined {
  const table = packagedWords()
  const analysis = { id: CONTENT_TERMS_ID, terms: contentTerms }
  made ??= { embedder: table && createTableEmbedder(table, analysis) }
  return made.embedder
}
