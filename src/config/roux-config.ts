/** Reads `roux.yaml`, so that a folder set up for roux is served as it is. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { invalid, KnowledgeError } from '../domain/error.ts'
import { loadConfig, readMapping } from './config.ts'
import type { ConfigInput, LoadedConfig } from './config.ts'
import { resolvePath } from './sources.ts'

export const ROUX_FILE = 'roux.yaml'
export const ROUX_CACHE = '.roux'

export interface RouxConfig extends LoadedConfig {
  /** The folder that holds `roux.yaml`. */
  readonly folder: string
}

const texts = z.array(z.string())
const provider = z.looseObject({
  type: z.enum(['local', 'ollama', 'openai', 'none']).default('local'),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  timeout: z.number().positive().default(30_000),
})

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
  const state = resolvePath(cache.path, folder, input.home)
  const loaded = await loadConfig({
    ...input,
    folders: [folder],
    flags: {
      ...input.flags,
      state,
      surface: ['roux'],
      ...(providers.embedding.type === 'none' && { embedding: 'none' }),
    },
  })
  const warnings = [...loaded.warnings]
  const path = resolvePath(source.path, folder, input.home)
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
    hidden: true,
  }
  const { type } = providers.embedding
  if (type === 'ollama' || type === 'openai') {
    warnings.push(`${file}: ${type} is not used; search compares by what the notes themselves say.`)
  }
  if (providers.llm) {
    warnings.push(`${file}: providers.llm is not used; name the model as "answerer" in cairn.yaml.`)
  }
  return { ...loaded, warnings, config: { ...loaded.config, sources: [root] }, folder }
}

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

function notInitialized(): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    "Directory not initialized. Run 'roux init' first.",
    'Here that is "cairn roux init".',
  )
}
