/** Reads `roux.yaml`, so that a folder set up for roux is served as it is. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type KnowledgeError, forbidden, invalid, unavailable } from '../../../core/domain/error.ts'
import { resolveState } from '../../../serve/config/base-state.ts'
import { loadConfig } from '../../../serve/config/load-config.ts'
import { readMapping } from '../../../serve/config/config-file.ts'
import type { ConfigInput, EmbeddingConfig, LoadedConfig } from '../../../serve/config/config.ts'
import { resolvePath } from '../../../serve/config/sources.ts'
import { isBelow, isTrusted, notTrusted } from '../../../serve/config/trust.ts'

export const ROUX_FILE = 'roux.yaml'
export const ROUX_CACHE = '.roux'

export interface RouxConfig extends LoadedConfig {
  /** The folder that holds `roux.yaml`. */
  readonly folder: string
  /** The folder of `cache.path`, where people look for what is made. */
  readonly cache: string
}

const texts = z.array(z.string())
const provider = z.looseObject({
  type: z.enum(['local', 'ollama', 'openai', 'none']).default('local'),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  timeout: z.number().positive().default(30_000),
})

type Provider = z.output<typeof provider> | { readonly type: 'none' }

/** Loose: what a newer roux writes there is no reason to refuse the folder. */
const schema = z.looseObject({
  source: z
    .looseObject({
      path: z.string().default('.'),
      include: texts.default(['*.md']),
      exclude: texts.default([]),
    })
    .prefault({}),
  cache: z.looseObject({ path: z.string().default(`${ROUX_CACHE}/`) }).prefault({}),
  system: z
    .looseObject({ on_model_change: z.enum(['lazy', 'eager']).default('lazy') })
    .prefault({}),
  providers: z.looseObject({
    store: z.looseObject({ type: z.literal('docstore') }),
    embedding: z
      .union([provider, z.literal('none').transform(() => ({ type: 'none' as const }))])
      .prefault({}),
    llm: z.looseObject({}).optional(),
  }),
})

/** The folder is the one given, else the current one. Throws when it was never initialised. */
export async function loadRouxConfig(input: ConfigInput): Promise<RouxConfig> {
  const folder = rouxFolder(input)
  const file = join(folder, ROUX_FILE)
  if (!isInitialized(folder)) throw notInitialized()
  const { source, cache, providers } = parse(
    await readMapping(file, 'source: { path: notes }'),
    file,
  )
  const cachePath = resolvePath(cache.path, folder, input.home)
  const path = resolvePath(source.path, folder, input.home)
  const outside = [cachePath, path].find((place) => !isBelow(folder, place))
  if (outside !== undefined && !isTrusted(input, file)) throw leadsOut(file, outside)
  const loaded = await loadConfig({
    ...input,
    folders: [folder],
    flags: {
      ...input.flags,
      state: cachePath,
      surface: ['roux'],
      ...(providers.embedding.type === 'none' && { embedding: 'none' }),
    },
  })
  const warnings = [...loaded.warnings]
  // A root that is not there yet is an empty graph, to be watched and written to like any other.
  if (mkdirSync(path, { recursive: true }) !== undefined) {
    warnings.push(`${path}, the source of ${file}, was not there and has been made.`)
  }
  const [first] = loaded.config.sources
  const root = {
    ...first!,
    path,
    include: source.include.map(anywhere),
    exclude: source.exclude.map(anywhere),
  }
  const embedding = await embedderOf(providers.embedding, file, input, warnings)
  if (providers.llm) {
    warnings.push(`${file}: providers.llm is not used; name the model as "answerer" in cairn.yaml.`)
  }
  const config = {
    ...loaded.config,
    ...(embedding && { embedding: { ...loaded.config.embedding, ...embedding } }),
    sources: [root],
    // Another source is another base, with an index and a history of its own in the same cache.
    state: resolveState(cachePath, [root]),
  }
  return { ...loaded, warnings, config, folder, cache: cachePath }
}

/** How the two kinds of server are reached; both speak the same. */
const SERVERS = {
  ollama: { endpoint: 'http://localhost:11434', path: '/v1', model: 'nomic-embed-text' },
  openai: { endpoint: 'https://api.openai.com/v1', path: '', model: 'text-embedding-3-small' },
} as const

/** A server somewhere else gets notes only from a file that the user stands behind. */
async function embedderOf(
  provider: Provider,
  file: string,
  input: ConfigInput,
  warnings: string[],
): Promise<Partial<EmbeddingConfig> | undefined> {
  const { type } = provider
  if (type !== 'ollama' && type !== 'openai') return undefined
  const { endpoint, path, model } = SERVERS[type]
  const given = provider.endpoint?.replace(/\/+$/, '')
  const baseUrl =
    given === undefined || given.endsWith(path) ? (given ?? endpoint + path) : given + path
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : undefined
  if (host === undefined)
    throw invalid(`${file}: ${given} is no address.`, 'Write http://host:port.')
  const known = host === 'api.openai.com' || LOOPBACK.test(host)
  if (!known && !isTrusted(input, file)) {
    warnings.push(notTrusted(file, [`providers.embedding (${host})`]))
    return undefined
  }
  return {
    provider: 'openai',
    baseUrl,
    model: provider.model ?? model,
    timeoutMs: provider.timeout,
    // The key is for OpenAI, and for nobody else who happens to speak like it.
    apiKeyEnv: host === 'api.openai.com' ? 'OPENAI_API_KEY' : undefined,
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

export function rouxFolder({ folders, cwd, home }: ConfigInput): string {
  return resolvePath(folders[0] ?? '.', cwd, home)
}

export function isInitialized(folder: string): boolean {
  return statSync(join(folder, ROUX_FILE), { throwIfNoEntry: false })?.isFile() ?? false
}

/** A pattern without a slash means a name at any depth, as in an ignore file. */
function anywhere(pattern: string): string {
  return pattern.replace(/\/$/, '').includes('/') ? pattern : `**/${pattern}`
}

function parse(content: unknown, file: string): z.output<typeof schema> {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const key = issue?.path.join('.') ?? ''
  if (key.startsWith('providers') && !key.startsWith('providers.embedding')) {
    throw invalid(
      `${file} has no store: providers.store.type must be docstore.`,
      'Write "providers: { store: { type: docstore } }".',
    )
  }
  throw invalid(`${key} cannot be used (${file}): ${issue?.message}.`, 'Mend that setting.')
}

/** A clone may bring the file along: what it says is believed about its own folder. */
function leadsOut(file: string, place: string): KnowledgeError {
  return forbidden(
    `${file} leads out of its folder, to ${place}.`,
    `Nothing was read or changed there. If you stand behind it: cairn trust ${file}`,
  )
}

function notInitialized(): KnowledgeError {
  return unavailable(
    "Directory not initialized. Run 'roux init' first.",
    'Here that is "cairn roux init".',
  )
}
