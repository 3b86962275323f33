/**
 * Which sources, which state folder, which wires? One schema and one order of precedence: flags,
 * then the environment, then `cairn.yaml`, then defaults. Every value remembers where it came from.
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseBytes, parseDuration } from '../../core/kit/amounts.ts'
import { PERMISSIONS, type Permission } from '../../core/domain/caller.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import { knownName, namedState, settleState } from './base-state.ts'
import { didYouMean } from '../../core/kit/nearest.ts'
import { TOOLSET_NAMES } from '../door/toolsets.ts'
import { CONFIG_ENV, CONFIG_FILE, SETTINGS, SOURCES_ENV } from './settings.ts'
import type { SettingRow } from './settings.ts'
import {
  defaultState,
  parseSourceArgument,
  resolvePath,
  settleSources,
  slugOf,
  SOURCE_KINDS,
} from './sources.ts'
import type { SourceConfig, SourceRequest } from './sources.ts'
import { settleAnswerer } from './answerer.ts'
import { maskAddress, parseStoreAddress } from '../../core/domain/store-address.ts'
import { LONGEST_YAML_FILE, MOST_YAML_ALIASES, yamlTrouble } from '../../core/kit/yaml-limits.ts'
import { isTrusted, limitFound, notTrusted } from './trust.ts'
import { userState } from './user-folder.ts'
import type { AnswererConfig } from './answerer.ts'

export type { AnswererConfig } from './answerer.ts'
export type { SourceConfig } from './sources.ts'

export const SURFACE_NAMES = ['native', 'roux', 'acdc', 'nexus', 'cortex', 'duskmantle'] as const
export type SurfaceName = (typeof SURFACE_NAMES)[number]

/** How the files of a base are read: as notes of any kind, or as curated resources and prompts. */
export type Reading = 'notes' | 'curated'

/** What the text of a native reply is: told by the client's name, or always the same. */
const TEXT_FORMS = ['auto', 'plain', 'json'] as const

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const LOG_FORMATS = ['pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export const EMBEDDING_PROVIDERS = ['corpus', 'openai', 'onnx', 'none'] as const
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number]

export const ANSWERER_PROVIDERS = ['anthropic', 'openai', 'gemini', 'none'] as const
export type AnswererProvider = (typeof ANSWERER_PROVIDERS)[number]

/** Who embeds, and how it is reached. Every provider reads its own part. */
export interface EmbeddingConfig {
  readonly provider: EmbeddingProvider
  readonly baseUrl: string
  readonly model: string
  /** Name of the variable that holds the key; undefined when no key may be sent. */
  readonly apiKeyEnv: string | undefined
  readonly dimensions: number | undefined
  readonly batch: number
  readonly timeoutMs: number
  readonly queryPrefix: string
  readonly passagePrefix: string
  /** Absolute; given whenever the provider is `onnx`. */
  readonly modelPath: string | undefined
}

export interface HttpConfig {
  readonly host: string
  readonly port: number
  /** Requests for each caller; 0 for any number. */
  readonly perMinute?: number
  /** Calls that are worked on at once. */
  readonly atOnce?: number
  /** Sessions and open subscriptions of each surface. */
  readonly sessions?: number
  readonly subscriptions?: number
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** Addresses and networks of proxies whose word about clients counts. */
  readonly trustedProxies?: readonly string[]
  readonly publicUrl: string | undefined
}

/** Who may call over HTTP, besides those who hold a token of the base. */
export interface AccessConfig {
  /** Other machines are let in without a token. */
  readonly anyone: boolean
  /** Clients may sign in here: a small authorization server of our own. */
  readonly signIn: boolean
  /** An authorization server elsewhere whose tokens count. */
  readonly issuer: string | undefined
  /** What its tokens have to be issued for. */
  readonly audience: string | undefined
  readonly keysUrl: string | undefined
  /** What its tokens allow, by their claims. */
  readonly rules?: readonly AccessRule[]
}

/** What those may do and see whose token has one of the values in a claim; the first that fits counts. */
export interface AccessRule {
  readonly claim?: string | undefined
  readonly values: readonly string[]
  readonly may?: readonly Permission[] | undefined
  readonly see: readonly string[]
  readonly hide: readonly string[]
  readonly write: readonly string[]
}

export interface Config {
  /** At least one, with distinct names and folders that do not overlap. */
  readonly sources: readonly SourceConfig[]
  /** Absolute path of the folder of the derived index. It may not exist yet. */
  readonly state: string
  /** Address of a PostgreSQL database, with its password where one is in it; else the index is a file. */
  readonly store?: string
  readonly surfaces: readonly SurfaceName[]
  readonly http: HttpConfig
  readonly access?: AccessConfig
  /** Which tools there are; all where both are empty. */
  readonly tools?: {
    readonly only: readonly string[]
    readonly exclude: readonly string[]
    readonly sets?: readonly string[]
  }
  readonly embedding: EmbeddingConfig
  /** Undefined unless somebody asked for a model: a key that lies around sends nothing anywhere. */
  readonly answerer?: AnswererConfig
  readonly watch: boolean
  readonly readOnly: boolean
  /** Sources and folders that nobody changes. */
  readonly protect?: readonly string[]
  /** Longest time for one call of a tool. */
  readonly callSeconds?: number
  readonly logFormat?: LogFormat
  /** Where traces go; nowhere unless given. */
  readonly tracesTo?: string
  /** Whether a server over HTTP has a page for people. */
  readonly web: boolean
  /** Whether chats may show that page. */
  readonly chat: boolean
  /** Whether calls of tools are told to whoever watches in the page, and what was asked too. */
  readonly live: boolean
  readonly liveArguments?: boolean
  /** What the text of a native reply is. */
  readonly text?: (typeof TEXT_FORMS)[number]
  /** Whether a search names what its connection has been shown instead of repeating it. */
  readonly governor?: boolean
  readonly maxFileBytes: number
  readonly logLevel: LogLevel
  /** How much of what was changed is remembered; all of it unless said. */
  readonly historyKeep?: { readonly ageMs?: number; readonly bytes?: number }
  /** How the files are read; as notes unless a surface needs it otherwise. */
  readonly reading?: Reading
}

/** Where a value came from. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'default' }

export interface Setting {
  readonly key: string
  readonly value: unknown
  readonly origin: Origin
}

export type FlagValue = string | number | boolean | readonly string[]

/** Everything outside the process that a configuration depends on. */
export interface ConfigInput {
  /** `path` or `name=path`, from the command line. */
  readonly folders: readonly string[]
  /** `--config FILE`. */
  readonly configFile: string | undefined
  /** Values of flags by flag name, as the command line gave them. */
  readonly flags: Readonly<Record<string, FlagValue>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  /** The folder of the `cairn.yaml` that counts here, where it is one above. */
  readonly standsIn?: string
  /** The file of a base that was set up before; to find it is not to stand behind it. */
  readonly foundFile?: string
}

export interface Settings {
  readonly settings: readonly Setting[]
  /** The `cairn.yaml` that was read. */
  readonly file: string | undefined
  /** Things that deserve a line on stderr and stop nothing. */
  readonly warnings: readonly string[]
}

export interface LoadedConfig extends Settings {
  readonly config: Config
}

/** The configuration to run with. Throws KnowledgeError `invalid` for everything a person can mend. */
export async function loadConfig(input: ConfigInput): Promise<LoadedConfig> {
  const resolved = await resolveConfig(input)
  const { sources, state } = resolved
  if (sources.length === 0 || state === undefined) {
    throw resolved.distrusted === undefined ? nothingToServe() : nothingTrusted(resolved.distrusted)
  }
  if (sources.some((source) => source.path === state)) throw stateIsSource(state)
  const { surfaces, http, watch, readOnly, web, chat, live, maxFileBytes, logLevel, history } =
    resolved.values
  const embedding = settleEmbedding(resolved)
  const answering = settleAnswerer(resolved.values.answerer, {
    env: input.env,
  })
  const config: Config = {
    sources: sources.map((source) => ({ ...source, ...readAsNodes(surfaces) })),
    state,
    ...settledStore(resolved.values.store),
    surfaces,
    http: { ...http, publicUrl: http.publicUrl },
    access: settleAccess(resolved),
    tools: resolved.values.tools,
    embedding,
    ...(answering.answerer && { answerer: answering.answerer }),
    watch,
    readOnly,
    protect: resolved.values.protect,
    callSeconds: resolved.values.callSeconds,
    logFormat: resolved.values.logFormat,
    ...tracesTo(resolved, input.env),
    web,
    chat,
    live,
    liveArguments: resolved.values.liveArguments,
    text: resolved.values.text,
    governor: resolved.values.governor,
    maxFileBytes,
    logLevel,
    historyKeep: {
      ageMs: parseDuration(history.keep.age ?? ''),
      bytes: parseBytes(history.keep.size),
    },
  }
  const settings = present(resolved)
  const all = [...settings.warnings, ...answering.warnings]
  return { ...settings, warnings: all, config }
}

/**
 * To roux every note is a node: hidden ones, those that a repository leaves out, and those that are
 * not UTF-8; `.cairnignore` is ours and counts. Beside another surface, the rules of notes hold.
 */
function readAsNodes(surfaces: readonly SurfaceName[]): Partial<SourceConfig> {
  const isRoux = surfaces.length > 0 && surfaces.every((name) => name === 'roux')
  return isRoux ? { hidden: true, heedsIgnoreFiles: 'own', readsAnyNote: true } : {}
}

/** An address that nobody can use is refused before anything is opened. */
function settledStore(store: string | undefined): Pick<Config, 'store'> {
  if (store === undefined) return {}
  parseStoreAddress(store)
  return { store }
}

/** The variable that every program with traces knows counts as well. */
function tracesTo({ values }: Resolved, env: ConfigInput['env']): Pick<Config, 'tracesTo'> {
  const to = values.tracing.endpoint ?? env['OTEL_EXPORTER_OTLP_ENDPOINT']
  return to === undefined || !URL.canParse(to) ? {} : { tracesTo: to }
}

/** What is set, without asking that there is something to serve: for `config show`. */
export async function readSettings(input: ConfigInput): Promise<Settings> {
  return present(await resolveConfig(input))
}

/** `flag --port`, `CAIRN_HTTP_PORT`, the file's path or `default`. */
export function describeOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
      return origin.name.startsWith('-') ? `flag ${origin.name}` : origin.name
    case 'environment':
      return `environment ${origin.name}`
    case 'file':
      return origin.path
    case 'default':
      return 'default'
    default:
      return origin satisfies never
  }
}

const text = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' })
const texts = z.array(text, { error: 'must be a list of texts' })
const onOff = z.boolean({ error: 'must be true or false' })
const choice = <Name extends string>(names: readonly Name[]) =>
  z.enum(names, {
    error: ({ input }) =>
      `must be ${oneOf(names)}${typeof input === 'string' ? `, not ${quoted(input)}` : ''}`,
  })

const port = 'must be a whole number from 0 to 65535'
const count = 'must be a whole number, at least 0'
const bytes = 'must be a whole number of bytes, at least 1'

const positive = 'must be a whole number, at least 1'
const length = 'must be a whole number from 1 to 4096'

/** What was wrong is not repeated: it may be a password or a key. */
const baseUrl = text.refine(isPlainUrl, {
  error: 'must be an http or https address without user name, password, "?" and "#"',
})
const variableName = z.string({ error: 'must be text' }).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: 'must be the name of an environment variable, never the key itself',
})

const embeddingSchema = z
  .strictObject(
    {
      provider: choice(EMBEDDING_PROVIDERS).default('corpus'),
      baseUrl: baseUrl.default('https://api.openai.com/v1'),
      model: text.default('text-embedding-3-small'),
      apiKeyEnv: variableName.default('OPENAI_API_KEY'),
      dimensions: z
        .int({ error: length })
        .min(1, { error: length })
        .max(4096, { error: length })
        .optional(),
      batch: z.int({ error: positive }).min(1, { error: positive }).default(64),
      timeoutMs: z.int({ error: positive }).min(1, { error: positive }).default(60_000),
      queryPrefix: z.string({ error: 'must be text' }).default(''),
      passagePrefix: z.string({ error: 'must be text' }).default(''),
      modelPath: text.optional(),
    },
    { error: `must be ${oneOf(EMBEDDING_PROVIDERS)}, or a mapping with "provider"` },
  )
  .prefault({})

const tokens = 'must be a whole number from 16 to 100000'

const answererSchema = z
  .strictObject(
    {
      provider: choice(ANSWERER_PROVIDERS).default('none'),
      model: text.optional(),
      baseUrl: baseUrl.optional(),
      apiKeyEnv: variableName.optional(),
      timeoutMs: z.int({ error: positive }).min(1, { error: positive }).default(15_000),
      maxTokens: z
        .int({ error: tokens })
        .min(16, { error: tokens })
        .max(100_000, { error: tokens })
        .default(2_000),
    },
    { error: `must be ${oneOf(ANSWERER_PROVIDERS)}, or a mapping with "provider"` },
  )
  .prefault({})

const ruleSchema = z
  .strictObject(
    {
      claim: text.optional(),
      value: z.union([text, texts], { error: 'must be text or a list of texts' }).optional(),
      may: z
        .array(choice(PERMISSIONS), { error: `must be a list of ${PERMISSIONS.join(', ')}` })
        .optional(),
      see: texts.default([]),
      hide: texts.default([]),
      write: texts.default([]),
    },
    { error: 'must be a mapping' },
  )
  .refine(({ claim, value }) => (claim === undefined) === (value === undefined), {
    error: 'must have both "claim" and "value", or neither to be about everybody',
  })

const accessSchema = z
  .strictObject(
    {
      anyone: onOff.default(false),
      signIn: onOff.default(false),
      issuer: baseUrl.optional(),
      audience: text.optional(),
      keysUrl: baseUrl.optional(),
      rules: z.array(ruleSchema, { error: 'must be a list of rules' }).default([]),
    },
    { error: 'must be a mapping' },
  )
  .prefault({})

const sourceSchema = z.strictObject(
  {
    name: text.optional(),
    path: text,
    kind: choice(SOURCE_KINDS).optional(),
    include: texts.default([]),
    exclude: texts.default([]),
    hidden: onOff.default(false),
  },
  { error: 'must be a path, or a mapping with "path"' },
)

const AGE = 'must be a time such as 90d or 1 year'
const SIZE = 'must be a size such as 500MB or 1GB'

/** The one schema: `cairn.yaml` is written in it, flags and environment are folded into it. */
const schema = z.strictObject({
  sources: z.array(sourceSchema, { error: 'must be a list of folders' }).default([]),
  state: text.optional(),
  store: text.optional(),
  surfaces: z
    .array(choice(SURFACE_NAMES), { error: 'must be a list of surface names' })
    .min(1, { error: 'must name at least one surface' })
    .default(['native']),
  http: z
    .strictObject(
      {
        host: text.default('127.0.0.1'),
        port: z
          .int({ error: port })
          .min(0, { error: port })
          .max(65535, { error: port })
          .default(7331),
        perMinute: z.int({ error: count }).min(0, { error: count }).default(0),
        atOnce: z.int({ error: positive }).min(1, { error: positive }).default(64),
        sessions: z.int({ error: positive }).min(1, { error: positive }).default(1_000),
        subscriptions: z.int({ error: positive }).min(1, { error: positive }).default(1_000),
        allowedHosts: texts.default([]),
        allowedOrigins: texts.default([]),
        trustedProxies: texts.default([]),
        publicUrl: z
          .url({ protocol: /^https?$/, error: 'must be an http or https address' })
          .optional(),
      },
      { error: 'must be a mapping' },
    )
    .prefault({}),
  tools: z
    .strictObject(
      {
        only: texts.default([]),
        sets: z
          .array(choice(TOOLSET_NAMES), { error: 'must be a list of sets of tools' })
          .default([]),
        exclude: texts.default([]),
      },
      { error: 'must be a mapping' },
    )
    .prefault({}),
  access: accessSchema,
  embedding: embeddingSchema,
  answerer: answererSchema,
  watch: onOff.default(true),
  readOnly: onOff.default(false),
  protect: texts.default([]),
  callSeconds: z.int({ error: positive }).min(1, { error: positive }).default(120),
  logFormat: choice(LOG_FORMATS).default('pretty'),
  tracing: z
    .strictObject({ endpoint: baseUrl.optional() }, { error: 'must be a mapping' })
    .prefault({}),
  web: onOff.default(true),
  chat: onOff.default(false),
  live: onOff.default(true),
  liveArguments: onOff.default(false),
  text: choice(TEXT_FORMS).default('auto'),
  governor: onOff.default(true),
  maxFileBytes: z
    .int({ error: bytes })
    .min(1, { error: bytes })
    .default(10 * 1024 * 1024),
  history: z
    .strictObject(
      {
        keep: z
          .strictObject(
            {
              age: text
                .refine((age) => parseDuration(age) !== undefined, { error: AGE })
                .optional(),
              size: text
                .refine((size) => parseBytes(size) !== undefined, { error: SIZE })
                .default('1GB'),
            },
            { error: 'must be a mapping with "age" or "size"' },
          )
          .prefault({}),
      },
      { error: 'must be a mapping with "keep"' },
    )
    .prefault({}),
  logLevel: choice(LOG_LEVELS).default('info'),
})

/** The schema of `cairn.yaml` for editors, with a sentence on every setting that has one. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as JsonSchema
  for (const { key, summary } of SETTINGS) {
    const place = key.split('.').reduce<JsonSchema | undefined>(propertyOf, json)
    if (place) place.description = summary
  }
  const { sources, embedding, answerer, ...rest } = json.properties ?? {}
  // Where one word says it all, it may stand alone.
  const properties = {
    // What is in the database has a name and no path.
    sources: {
      ...sources,
      items: { anyOf: [{ type: 'string' }, { ...sources?.items, required: undefined }] },
    },
    ...rest,
    embedding: { anyOf: [{ enum: EMBEDDING_PROVIDERS }, embedding] },
    answerer: { anyOf: [{ enum: ANSWERER_PROVIDERS }, answerer] },
  }
  return { title: 'Settings of Cairn', ...json, properties }
}

interface JsonSchema {
  description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return schema?.properties?.[name]
}

type Values = z.infer<typeof schema>
type Raw = Record<string, unknown>

interface Resolved {
  readonly values: Values
  readonly sources: readonly SourceConfig[]
  readonly state: string | undefined
  readonly origins: ReadonlyMap<string, Origin>
  readonly file: string | undefined
  readonly warnings: readonly string[]
  /** The file that names folders outside its own, where nobody stands behind it. */
  readonly distrusted: string | undefined
}

async function resolveConfig(input: ConfigInput): Promise<Resolved> {
  const given = givenFolders(input)
  const file = findFile(input, given?.folders ?? [])
  const origins = new Map<string, Origin>()
  const content = file === undefined ? {} : await readFile(file, input.home)
  const isFound = file !== undefined && namedFile(input) === undefined && !isTrusted(input, file)
  const { raw: allowed, ignored } = isFound
    ? limitFound(content, file)
    : { raw: content, ignored: [] }
  const raw: Raw = { ...allowed }
  for (const key of keysOf(raw)) origins.set(key, { kind: 'file', path: file ?? '' })

  const warnings: string[] = []
  // Who names a folder means the rules that are written down for it, wherever it is.
  const fileSources = ((given ? content : raw)['sources'] ?? []) as readonly SourceRequest[]
  const unheard = ignored.filter((key) => !given || !key.startsWith('sources'))
  if (file !== undefined && unheard.length > 0) warnings.push(notTrusted(file, unheard))
  if (given) {
    const requests = given.folders.map((folder) => requestOf(folder, input, fileSources))
    const foreign =
      fileSources.length > 0 && !requests.every((request) => describedBy(request, fileSources))
    for (const key of foreign ? ['state', 'store'].filter((each) => each in raw) : []) {
      // Two bases in one place would rebuild each other's index for ever.
      warnings.push(`"${key}" of ${file} belongs to the sources named there and is not used.`)
      delete raw[key]
      origins.delete(key)
    }
    raw['sources'] = requests
    origins.set('sources', given.origin)
  }
  for (const row of SETTINGS) {
    const flag = row.flag === undefined ? undefined : input.flags[row.flag]
    const variable = input.env[row.env]
    if (flag !== undefined) {
      put(raw, row.key, rawValue(row, flag, input))
      origins.set(row.key, { kind: 'flag', name: `--${row.flag}` })
    } else if (variable) {
      put(raw, row.key, rawValue(row, variable, input))
      origins.set(row.key, { kind: 'environment', name: row.env })
    }
  }

  const values = validate(raw, (key) => originOf(key, origins))
  warnings.unshift(
    ...strayVariables(input.env, [values.embedding.apiKeyEnv, values.answerer.apiKeyEnv ?? '']),
  )
  const sources = settleSources(values.sources)
  const shelf = sources.find(({ kind }) => kind === 'database')
  if (shelf && values.store === undefined) throw missingStore(shelf.path)
  const distrusted = ignored.some((key) => key.startsWith('sources')) ? file : undefined
  const named =
    values.state === undefined ? usualState(sources, values.store, input) : namedState(values.state)
  const state = named === undefined ? undefined : settleState(named, sources)
  const known = underKnownName(values.sources, sources, state)
  return { values, sources: known, state, origins, file, warnings, distrusted }
}

/** In the first folder; of a base that is in the database alone, among this user's own files. */
function usualState(
  sources: readonly SourceConfig[],
  store: string | undefined,
  input: ConfigInput,
): string | undefined {
  const folder = sources.find(({ kind }) => kind !== 'database')
  if (folder) return defaultState(folder)
  if (store === undefined || sources.length === 0) return undefined
  const { hosts, database = '', base } = parseStoreAddress(store)
  const address = JSON.stringify([hosts, database, base, sources.map(({ path }) => path)])
  return userState(input, `${slugOf(base)}-${digestOf(address)}`)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

function missingStore(path: string): KnowledgeError {
  return invalid(
    `The source ${quoted(path)} is kept in a database, and none was named.`,
    'Add --store postgres://USER@HOST/DATABASE, or CAIRN_STORE.',
  )
}

/** A name given by hand counts; the one that is taken from the folder gives way to the one it has. */
function underKnownName(
  [first, ...others]: readonly SourceRequest[],
  sources: SourceConfig[],
  state: string | undefined,
): SourceConfig[] {
  if (!first || first.name !== undefined || state === undefined) return sources
  const name = knownName(state, first.path)
  const taken = sources.slice(1).some((each) => each.name === name)
  if (name === undefined || taken || name === sources[0]?.name) return sources
  return settleSources([{ ...first, name }, ...others])
}

/** A token says for whom it was issued; without a name of our own, everybody's would do. */
function settleAccess({ values }: Resolved): AccessConfig {
  const { anyone, signIn, issuer, keysUrl } = values.access
  const audience = values.access.audience ?? values.http.publicUrl
  if (issuer !== undefined && audience === undefined) {
    throw invalid(
      'access.issuer is set, and nobody says for whom its tokens are issued.',
      'Set access.audience, or http.publicUrl, to the address of this server.',
    )
  }
  const rules = values.access.rules.map(({ value, ...rule }) => ({
    ...rule,
    values: value === undefined ? [] : [value].flat(),
  }))
  if (rules.length > 0 && issuer === undefined) {
    throw invalid(
      'access.rules are about tokens of an issuer, and none was named.',
      'Set access.issuer, or give tokens of this base their rules ("cairn token create --see").',
    )
  }
  return { anyone, signIn, issuer, audience, keysUrl, rules }
}

/** The embedder with everything its provider needs. */
function settleEmbedding({ values }: Resolved): EmbeddingConfig {
  const { provider, dimensions, modelPath, ...rest } = values.embedding
  if (provider === 'onnx' && modelPath === undefined) throw missingModelPath()
  return { ...rest, provider, dimensions, modelPath }
}

function givenFolders(
  input: ConfigInput,
): { readonly folders: readonly string[]; readonly origin: Origin } | undefined {
  if (input.folders.length > 0) {
    return { folders: input.folders, origin: { kind: 'flag', name: 'command line' } }
  }
  const listed = splitList(input.env[SOURCES_ENV] ?? '', /[\n,]/)
  if (listed.length === 0) return undefined
  return { folders: listed, origin: { kind: 'environment', name: SOURCES_ENV } }
}

/**
 * The file meant by name, else the one that lies with what is served: in the folder when a single
 * one is given (an MCP client starts us in a folder of its own choosing), else in the current one.
 */
function findFile(input: ConfigInput, folders: readonly string[]): string | undefined {
  const named = namedFile(input)
  if (named !== undefined) {
    const file = resolvePath(named, input.cwd, input.home)
    if (!isFile(file)) throw missingConfigFile(file, input.configFile ? '--config' : CONFIG_ENV)
    return file
  }
  if (input.foundFile !== undefined) return input.foundFile
  const places = [input.standsIn ?? input.cwd]
  if (folders.length === 1) {
    const { path } = parseSourceArgument(folders[0]!)
    places.unshift(resolvePath(path, input.cwd, input.home))
  }
  return places.map((folder) => join(folder, CONFIG_FILE)).find(isFile)
}

function namedFile({ configFile, env }: ConfigInput): string | undefined {
  return configFile ?? (env[CONFIG_ENV] || undefined)
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // A path through something that is no folder, or one we may not look into.
    return false
  }
}

/** The file's content in the schema's words, with every path made absolute. */
async function readFile(file: string, home: string): Promise<Raw> {
  const content = await readMapping(file, 'watch: false')
  const listed = content['sources']
  const raw: Raw = {
    ...content,
    ...(Array.isArray(listed) && {
      sources: listed.map((entry) =>
        typeof entry === 'string' ? parseSourceArgument(entry) : withShelf(entry),
      ),
    }),
    ...byName(content, 'embedding'),
    ...byName(content, 'answerer'),
  }
  const { sources, state, embedding } = validate(raw, () => file)
  const folder = dirname(file)
  const absolute = (path: string) => resolvePath(path, folder, home)
  return {
    ...raw,
    ...('sources' in raw && {
      sources: sources.map((source) => ({ ...source, path: absolute(source.path) })),
    }),
    ...(state !== undefined && { state: absolute(state) }),
    ...(embedding.modelPath !== undefined && {
      embedding: { ...(raw['embedding'] as Raw), modelPath: absolute(embedding.modelPath) },
    }),
  }
}

/** A source in the database has a name and no path. */
function withShelf(entry: unknown): unknown {
  if (!isMapping(entry) || entry['kind'] !== 'database' || 'path' in entry) return entry
  return typeof entry['name'] === 'string' ? { ...entry, path: `db:${entry['name']}` } : entry
}

/** Where the name of the provider is all there is to say, it may stand alone. */
function byName(content: Raw, key: string): Raw {
  const provider = content[key]
  return typeof provider === 'string' ? { [key]: { provider } } : {}
}

/** A YAML file that must hold a mapping; `example` shows one line of it. */
export async function readMapping(file: string, example: string): Promise<Raw> {
  if (statSync(file).size > LONGEST_YAML_FILE) {
    throw invalid(`${file} is longer than ${LONGEST_YAML_FILE} bytes.`, 'Shorten it.')
  }
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines })
  const [error] = document.errors
  if (error) {
    const { line } = lines.linePos(error.pos[0])
    throw invalid(
      `${file}:${line} is not valid YAML: ${error.message.split('\n')[0]}`,
      'Mend that line.',
    )
  }
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: MOST_YAML_ALIASES }) ?? {}
  } catch (thrown) {
    throw invalid(`${file} cannot be read: ${yamlTrouble(thrown)}.`, 'Write out what it repeats.')
  }
  if (isMapping(content)) return content
  throw invalid(
    `${file} must be a mapping of settings.`,
    `Write "key: value" lines, such as "${example}".`,
  )
}

/** A folder that the file describes too keeps the file's name and rules: an `exclude` stays in force. */
function requestOf(
  folder: string,
  input: ConfigInput,
  described: readonly SourceRequest[],
): SourceRequest {
  const { name, path } = parseSourceArgument(folder)
  if (path === '')
    throw invalid(`${quoted(folder)} names no folder.`, 'Write name=path, such as docs=./docs.')
  const absolute = resolvePath(path, input.cwd, input.home)
  const known = described.find((source) => source.path === absolute)
  const rules = known ?? { include: [], exclude: [], hidden: false }
  return { ...rules, ...(name !== undefined && { name }), path: absolute }
}

function describedBy(request: SourceRequest, described: readonly SourceRequest[]): boolean {
  return described.some((source) => source.path === request.path)
}

/** Written on a command line or in the environment, these are relative to the current folder. */
const PATH_KEYS: readonly string[] = ['state', 'embedding.modelPath']

/** Text in the shape the schema expects; what does not fit stays text, and the schema says so. */
function rawValue(row: SettingRow, value: FlagValue, { cwd, home }: ConfigInput): unknown {
  if (PATH_KEYS.includes(row.key) && typeof value === 'string') return resolvePath(value, cwd, home)
  // `--surface roux,acdc` is the same as naming each; a folder may have a comma in its name.
  if (Array.isArray(value)) {
    const isNames = row.kind === 'list' && row.placeholder !== 'FOLDER'
    return isNames ? value.flatMap((each) => splitList(String(each), /,/)) : value
  }
  if (typeof value !== 'string') return value
  switch (row.kind) {
    case 'text':
      return value
    case 'integer':
      return /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value
    case 'switch':
      return SWITCH_WORDS[value.trim().toLowerCase()] ?? value
    case 'list':
      return splitList(value, /[\s,]/)
    default:
      return row.kind satisfies never
  }
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
}

function splitList(list: string, separator: RegExp): string[] {
  return list
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function validate(raw: Raw, origin: (key: string) => string): Values {
  // Read once: code made for it would cost more than it saves.
  const result = schema.safeParse(raw, { jitless: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const key = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') throw unknownKey(issue.keys[0]!, issue.path, origin(key))
  throw invalid(
    `${key || 'The configuration'} ${issue.message} (${origin(key)}).`,
    'Run "cairn config show" to see what is set where.',
  )
}

/** Keys that may stand at a place of the file. Positions in lists (`sources.0`) do not matter. */
function keysAt(path: readonly PropertyKey[]): string[] {
  if (path[0] === 'sources') return Object.keys(sourceSchema.shape)
  if (path[0] === 'embedding') return Object.keys(embeddingSchema.def.innerType.shape)
  if (path[0] === 'answerer') return Object.keys(answererSchema.def.innerType.shape)
  if (path[0] === 'tools') return Object.keys(schema.shape.tools.def.innerType.shape)
  if (path[0] === 'access' && path[1] === 'rules') return Object.keys(ruleSchema.shape)
  if (path[0] === 'access') return Object.keys(accessSchema.def.innerType.shape)
  if (path[0] === 'tracing') return ['endpoint']
  if (path[0] === 'http') return Object.keys(schema.shape.http.def.innerType.shape)
  if (path[0] === 'history') return path.length > 1 ? ['age', 'size'] : ['keep']
  return Object.keys(schema.shape)
}

/** Leaf keys that are present, such as `http.port`. */
function keysOf(raw: Raw): string[] {
  return Object.entries(raw).flatMap(([key, value]) =>
    isMapping(value) ? keysOf(value).map((inner) => `${key}.${inner}`) : [key],
  )
}

function put(raw: Raw, key: string, value: unknown): void {
  const [outer = '', ...inner] = key.split('.')
  if (inner.length === 0) {
    raw[outer] = value
    return
  }
  const below = { ...(isMapping(raw[outer]) && raw[outer]) }
  put(below, inner.join('.'), value)
  raw[outer] = below
}

function originOf(key: string, origins: ReadonlyMap<string, Origin>): string {
  const parts = key.split('.')
  const origin =
    origins.get(key) ?? origins.get(parts.slice(0, 2).join('.')) ?? origins.get(parts[0]!)
  return describeOrigin(origin ?? { kind: 'default' })
}

function isMapping(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A mistyped variable would be ignored in silence otherwise. */
function strayVariables(env: ConfigInput['env'], keyVariables: readonly string[]): string[] {
  const known = [...SETTINGS.map((row) => row.env), SOURCES_ENV, CONFIG_ENV, ...keyVariables]
  return Object.keys(env)
    .filter((name) => name.startsWith('CAIRN_') && !known.includes(name))
    .map((name) =>
      `The environment variable ${name} means nothing to Cairn. ${didYouMean(name, known)}`.trim(),
    )
}

/** No password is ever shown. */
function shown(value: unknown): unknown {
  return typeof value === 'string' ? maskAddress(value) : value
}

function present({ values, sources, state, origins, file, warnings }: Resolved): Settings {
  const byDefault: Origin = { kind: 'default' }
  const settings = [
    { key: 'sources', value: sources, origin: origins.get('sources') ?? byDefault },
    ...SETTINGS.map((row) => ({
      key: row.key,
      value: row.key === 'state' ? state : shown(pick(values, row.key)),
      origin: origins.get(row.key) ?? byDefault,
    })),
  ]
  return { settings, file, warnings }
}

function pick(values: Values, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => (value as Raw)[part], values)
}

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.username === '' && url.password === '' && !/[?#]/.test(value)
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function unknownKey(key: string, path: readonly PropertyKey[], file: string): KnowledgeError {
  const valid = keysAt(path)
  const place = path.length > 0 ? ` in "${path.join('.')}"` : ''
  return invalid(
    `There is no setting ${quoted(key)}${place} (${file}).`,
    `${didYouMean(key, valid)}Valid here: ${valid.join(', ')}.`,
  )
}

function nothingTrusted(file: string): KnowledgeError {
  return invalid(
    `${file} was found, not named, and lists only folders outside its folder.`,
    `If you stand behind it, run "cairn trust ${file}" or pass --config.`,
  )
}

function missingConfigFile(file: string, named: string): KnowledgeError {
  return invalid(`There is no configuration file ${quoted(file)} (${named}).`, 'Check the path.')
}

function missingModelPath(): KnowledgeError {
  return invalid(
    'embedding.modelPath is missing.',
    'Name the folder with model.onnx and tokenizer.json, in cairn.yaml or as CAIRN_EMBEDDING_MODEL_PATH.',
  )
}

function stateIsSource(state: string): KnowledgeError {
  return invalid(
    `The state folder ${quoted(state)} is a source.`,
    'Choose a folder for the index alone, such as .cairn inside the source.',
  )
}

function nothingToServe(): KnowledgeError {
  return invalid(
    'No folder was given, and there is no cairn.yaml here or above.',
    'Run "cairn init" where your notes are, or name a folder: "cairn search kettle --folder ~/notes".',
  )
}
