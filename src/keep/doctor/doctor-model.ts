/** What doctor says of meaning: the model that the settings name is run, not only looked at. */
import type { EmbeddingConfig } from '../../serve/config/config.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { embeddingTrouble } from '../../core/indexing/bring-meaning.ts'
import { packagedWords } from '../../core/indexing/packaged-words.ts'
import type { Embedder } from '../../core/models/embedder.ts'
import type { EmbeddingProvider } from '../../core/models/provider.ts'
import type { Store } from '../../core/store/store.ts'
import type { Finding } from './doctor.ts'
import { wantedMeaning } from '../../serve/parts/models.ts'

/** A model of some gigabytes is loaded in less. */
const PATIENCE_MS = 30_000

const PASSAGE = 'The car is in the garage; its engine needs oil and new tyres.'
const OTHER = 'Boil the water, then let the tea steep for five minutes.'
const QUESTION = 'where is the automobile'

export async function examineModel(
  config: EmbeddingConfig | undefined,
  store: Store,
): Promise<Finding[]> {
  const wanted = wantedMeaning(config)
  switch (wanted.kind) {
    case 'none':
      return [{ level: 'ok', what: 'Meaning is turned off: words alone are searched.' }]
    case 'corpus':
      return wordsFindings()
    case 'provider': {
      const ran = await run(config!.provider, wanted.provider)
      // What was said while indexing is the same trouble, or a past one.
      return ran.level === 'ok' ? [ran, ...(await behind(store, wanted.provider))] : [ran]
    }
    default:
      return wanted satisfies never
  }
}

function wordsFindings(): Finding[] {
  const words = packagedWords()
  if (words) return [{ level: 'ok', what: `The table of ${words.terms} English words is whole.` }]
  const what = 'The table of English words (assets/words.bin) is missing or damaged.'
  return [{ level: 'warning', what, fix: 'Install Cairn again; until then your own text serves.' }]
}

async function run(name: string, provider: EmbeddingProvider): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const { embedder } = await provider.open(signal)
    const { tells, tookMs } = await tryOut(embedder, signal)
    const what = `The ${name} model runs: ${embedder.dimensions} dimensions, ${tookMs} ms for a question.`
    if (tells) return { level: 'ok', what }
    return {
      level: 'warning',
      what: `${what} It finds an automobile no nearer to a car than to a cup of tea.`,
      fix: 'Choose a sentence-embedding model, and the queryPrefix and passagePrefix its page names.',
    }
  } catch (error) {
    const { message, hint } = described(error)
    return { level: 'error', what: `The ${name} model does not run: ${message}`, fix: hint }
  }
}

async function tryOut(
  embedder: Embedder,
  signal: AbortSignal,
): Promise<{ readonly tells: boolean; readonly tookMs: number }> {
  const documents = [PASSAGE, OTHER].map((text) => ({
    title: '',
    passages: [{ text, headingPath: [] }],
  }))
  const [near, far] = (await embedder.embedDocuments(documents, { signal })).flat()
  const started = performance.now()
  const asked = await embedder.embedQuery(QUESTION, { signal })
  const tookMs = Math.round(performance.now() - started)
  return { tells: cosine(asked, near!) > cosine(asked, far!), tookMs }
}

/** Whether the vectors that answer are those of the model. */
async function behind(store: Store, provider: EmbeddingProvider): Promise<Finding[]> {
  const trouble = await embeddingTrouble(store)
  if (trouble) {
    const what = `Not everything is embedded. The last time it failed: ${trouble.message}`
    return [{ level: 'warning', what, fix: 'cairn index' }]
  }
  const serving = await store.servingEmbedder()
  const { documents } = await store.counts()
  if (documents === 0 || (serving !== undefined && provider.made(serving))) return []
  const what = 'The vectors that answer are not those of this model yet.'
  return [{ level: 'warning', what, fix: 'cairn index' }]
}

function described(error: unknown): { readonly message: string; readonly hint: string } {
  if (error instanceof KnowledgeError) return error
  const message = error instanceof Error ? error.message : String(error)
  return { message, hint: 'See docs/embedders.md for what the provider needs.' }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let squares = 0
  for (let k = 0; k < a.length; k++) {
    dot += a[k]! * b[k]!
    squares += b[k]! ** 2
  }
  return squares > 0 ? dot / Math.sqrt(squares) : 0
}
