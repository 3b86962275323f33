/** Which provider embeds, and how is it opened? A new provider is a row here. */
import { homedir } from 'node:os'
import { orElse } from '../../core/kit/or-else.ts'
import { userFile } from '../config/user-folder.ts'
import { similaritiesOf } from '../../core/indexing/bring-meaning.ts'
import type { WantedMeaning } from '../../core/indexing/bring-meaning.ts'
import { openCorpusEmbedder } from '../../core/indexing/learn-meaning.ts'
import type { Embedder } from '../../core/models/embedder.ts'
import { readReadyMade } from '../../core/models/ready-made.ts'
import { guardQueries } from '../../core/models/guard-queries.ts'
import { packagesIn } from '../../core/models/onnx/load-packages.ts'
import type { ImportPackage } from '../../core/models/onnx/load-packages.ts'
import {
  createOnnxEmbedder,
  isOnnxEmbedder,
  openOnnxEmbedder,
} from '../../core/models/onnx/onnx-embedder.ts'
import type { OnnxEmbedderOptions } from '../../core/models/onnx/onnx-embedder.ts'
import {
  createOpenAiEmbedder,
  isOpenAiEmbedder,
  openOpenAiEmbedder,
} from '../../core/models/openai/openai-embedder.ts'
import type { OpenAiEmbedderOptions } from '../../core/models/openai/openai-embedder.ts'
import type { OpenEmbedder } from '../../core/operations/view/open-index.ts'
import type { EmbeddingConfig, EmbeddingProvider } from '../config/config.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How the settings of each provider become vectors. */
const WANTED = {
  corpus: () => ({ kind: 'corpus' }),
  none: () => ({ kind: 'none' }),
  openai: (config, env) => {
    const options = openAiOptions(config, env)
    return {
      kind: 'provider',
      provider: {
        made: (id) => isOpenAiEmbedder(id, options),
        async open(signal) {
          const embedder = await openOpenAiEmbedder(options, { signal })
          const { apiKey: _, ...open } = options
          return { embedder, record: toRecord('openai', open, embedder) }
        },
      },
    }
  },
  onnx: (config, env) => {
    const { modelPath = '', queryPrefix, passagePrefix } = config
    const options = { folder: modelPath, queryPrefix, passagePrefix }
    return {
      kind: 'provider',
      provider: {
        made: (id) => isOnnxEmbedder(id, options),
        async open() {
          const embedder = await openOnnxEmbedder(options, addedPackages(env))
          return { embedder, record: toRecord('onnx', options, embedder) }
        },
      },
    }
  },
} satisfies Record<EmbeddingProvider, (config: EmbeddingConfig, env: Environment) => WantedMeaning>

/** How the embedder that made stored vectors is opened for questions. */
const FROM_RECORD: Partial<
  Readonly<
    Record<
      EmbeddingProvider,
      (options: never, config: EmbeddingConfig | undefined, env: Environment) => Embedder
    >
  >
> = {
  openai: (options: OpenAiEmbedderOptions, config, env) =>
    createOpenAiEmbedder({ ...options, apiKey: keyFor(options.url, config, env) }),
  onnx: (options: OnnxEmbedderOptions, _, env) => createOnnxEmbedder(options, addedPackages(env)),
}

/** The vectors a base should have. */
export function wantedMeaning(
  config: EmbeddingConfig | undefined,
  env: Environment = process.env,
): WantedMeaning {
  return config ? WANTED[config.provider](config, env) : { kind: 'corpus' }
}

/** Milliseconds, by provider. */
export type Patience = Partial<Readonly<Record<EmbeddingProvider, number>>>

/** Opens whichever embedder made the vectors that serve: not always the one in the settings. */
export function embedderOpener(
  config: EmbeddingConfig | undefined,
  { env = process.env, patience }: { env?: Environment; patience?: Patience } = {},
): OpenEmbedder {
  if (config?.provider === 'none') return async () => undefined
  return async (store) => {
    const serving = await store.servingEmbedder()
    if (serving === undefined) return undefined
    if (serving.startsWith('corpus:')) return openCorpusEmbedder(store)
    const data = await store.model(serving)
    const record = data && parseRecord(data)
    const embedder = record && FROM_RECORD[record.provider]?.(record.options as never, config, env)
    if (embedder?.id !== serving) return undefined
    const waitMs = patience?.[record!.provider]
    const similarities = await similaritiesOf(store, serving)
    return {
      ...guardQueries(embedder, { waitMs }),
      ...(similarities && {
        read: (_: string, documents?: number) => readReadyMade(similarities, documents),
      }),
    }
  }
}

/** What runs a model is too large to come along; it lives in a folder of the user's own. */
function addedPackages(env: Environment): ImportPackage {
  return packagesIn(userFile({ home: homedir(), env }, 'packages'))
}

function openAiOptions(config: EmbeddingConfig, env: Environment) {
  const { baseUrl: url, model, dimensions, batch, timeoutMs, queryPrefix, passagePrefix } = config
  return {
    url,
    model,
    ...(dimensions !== undefined && { dimensions, shorten: true }),
    batchSize: batch,
    timeoutMs,
    queryPrefix,
    passagePrefix,
    apiKey: keyFor(url, config, env),
  }
}

/**
 * The key for an address: what the settings say of it. Of an address that the settings no longer
 * name only OpenAI's own is known to have a right to a key.
 */
function keyFor(
  url: string,
  config: EmbeddingConfig | undefined,
  env: Environment,
): string | undefined {
  if (config?.provider === 'openai' && config.baseUrl === url) {
    return config.apiKeyEnv === undefined ? undefined : env[config.apiKeyEnv] || undefined
  }
  return url.startsWith('https://api.openai.com/') ? env['OPENAI_API_KEY'] || undefined : undefined
}

interface EmbedderRecord {
  readonly provider: EmbeddingProvider
  readonly options: unknown
}

function toRecord(provider: EmbeddingProvider, options: object, { dimensions }: Embedder) {
  const record: EmbedderRecord = { provider, options: { ...options, dimensions } }
  return new TextEncoder().encode(JSON.stringify(record))
}

function parseRecord(data: Uint8Array): EmbedderRecord | undefined {
  return orElse(() => JSON.parse(new TextDecoder().decode(data)) as EmbedderRecord, undefined)
}
