/**
 * Which sources, which state folder, which wires? One schema and one order of precedence: flags,
 * then the environment, then `cairn.yaml`, then defaults. Every value remembers where it came from.
 */
import { createHash } from 'node:crypto'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import { maskAddress, parseStoreAddress } from '../../core/domain/store-address.ts'
import { parseBytes, parseDuration } from '../../core/kit/amounts.ts'
import { didYouMean } from '../../core/kit/nearest.ts'
import { resolveAnswerer } from './answerer.ts'
import { knownName, namedState, resolveState } from './base-state.ts'
import { findFile, namedFile, readFile, isMapping } from './config-file.ts'
import { describeOrigin } from './config.ts'
import type {
  SurfaceName,
  EmbeddingConfig,
  AccessConfig,
  Config,
  Origin,
  FlagValue,
  ConfigInput,
  Settings,
  LoadedConfig,
  SourceConfig,
} from './config.ts'
import { validate } from './schema.ts'
import type { Raw, Values } from './schema.ts'
import { CONFIG_ENV, SETTINGS, SOURCES_ENV } from './settings.ts'
import type { SettingRow } from './settings.ts'
import {
  defaultState,
  parseSourceArgument,
  resolvePath,
  resolveSources,
  slugOf,
} from './sources.ts'
import type { SourceRequest } from './sources.ts'
import { isTrusted, limitFound, notTrusted } from './trust.ts'
import { userState } from './user-folder.ts'

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
  const embedding = resolveEmbedding(resolved)
  const answering = resolveAnswerer(resolved.values.answerer, {
    env: input.env,
  })
  const config: Config = {
    sources: sources.map((source) => ({ ...source, ...readAsNodes(surfaces) })),
    state,
    ...resolveStore(resolved.values.store),
    surfaces,
    http: { ...http, publicUrl: http.publicUrl },
    access: resolveAccess(resolved),
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
    inbox: resolved.values.inbox,
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
function resolveStore(store: string | undefined): Pick<Config, 'store'> {
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
  const sources = resolveSources(values.sources)
  const shelf = sources.find(({ kind }) => kind === 'database')
  if (shelf && values.store === undefined) throw missingStore(shelf.path)
  const distrusted = ignored.some((key) => key.startsWith('sources')) ? file : undefined
  const named =
    values.state === undefined ? usualState(sources, values.store, input) : namedState(values.state)
  const state = named === undefined ? undefined : resolveState(named, sources)
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
  return resolveSources([{ ...first, name }, ...others])
}

/** A token says for whom it was issued; without a name of our own, everybody's would do. */
function resolveAccess({ values }: Resolved): AccessConfig {
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
function resolveEmbedding({ values }: Resolved): EmbeddingConfig {
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

function nothingTrusted(file: string): KnowledgeError {
  return invalid(
    `${file} was found, not named, and lists only folders outside its folder.`,
    `If you stand behind it, run "cairn trust ${file}" or pass --config.`,
  )
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
