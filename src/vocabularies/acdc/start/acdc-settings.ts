/**
 * How an acdc server is started: flags, then `ACDC_MCP_*` variables, then `.env` in the working
 * directory, then defaults. Every complaint ends the start, so each is said in one line.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type KnowledgeError, unavailable } from '../../../core/domain/error.ts'
import { DEFAULT_SEARCH } from '../search-settings.ts'

/** Keys of `.env` that are grouped with dots. */
const DOTTED: Readonly<Record<string, string>> = {
  'search-max-results': 'search.max_results',
  'search-keywords-boost': 'search.keywords_boost',
  'search-name-boost': 'search.name_boost',
  'search-title-boost': 'search.title_boost',
  'search-heading-boost': 'search.heading_boost',
  'search-path-boost': 'search.path_boost',
  'search-content-boost': 'search.content_boost',
  'search-result-mode': 'search.result_mode',
  'search-in-memory': 'search.in_memory',
  'auth-type': 'auth.type',
  'auth-basic-username': 'auth.basic.username',
  'auth-basic-password': 'auth.basic.password',
  'auth-api-keys': 'auth.api_keys',
}

export const ACDC_SETTINGS = [
  row('config', 'c', 'FILE', 'Configuration file, or a content directory'),
  row('content-dir', undefined, 'DIR', 'Content directory, with or without a configuration file'),
  row('transport', 't', 'KIND', 'stdio or sse (default: stdio)'),
  row('host', 'H', 'ADDRESS', 'Address to listen on with sse (default: 0.0.0.0)'),
  row('port', 'p', 'PORT', 'Port to listen on with sse; 0 picks a free one (default: 8080)'),
  row('search-max-results', 'm', 'N', 'Most results of one search (default: 10)'),
  row('search-keywords-boost', undefined, 'X', 'What a hit in the keywords counts (default: 3.0)'),
  row('search-name-boost', undefined, 'X', 'What a hit in the name counts (default: 2.0)'),
  row('search-title-boost', undefined, 'X', 'The same as --search-name-boost'),
  row('search-heading-boost', undefined, 'X', 'What a hit in a heading counts'),
  row('search-path-boost', undefined, 'X', 'What a hit in the path counts'),
  row('search-content-boost', undefined, 'X', 'What a hit in the content counts (default: 1.0)'),
  row('search-result-mode', undefined, 'MODE', 'references or content (default: references)'),
  row('search-in-memory', undefined, 'BOOL', 'Accepted; the index is temporary in any case'),
  row('uri-scheme', 's', 'NAME', 'Scheme of the URIs of resources (default: acdc)'),
  row('cross-ref', undefined, 'BOOL', 'Not done: links are given as they are written'),
  row('auth-type', 'a', 'KIND', 'none, basic or apikey; sse only (default: none)'),
  row('auth-basic-username', 'u', 'NAME', 'User name for basic'),
  row('auth-basic-password', 'P', 'TEXT', 'Password for basic'),
  row('auth-api-keys', 'k', 'KEYS', 'Keys for apikey, separated by commas'),
] as const

/** More than any base holds. */
const MOST_RESULTS = 999_999_999
/** Beyond it sums of scores lose what the other fields add. */
const HIGHEST_BOOST = 1_000_000

export type AcdcFlag = (typeof ACDC_SETTINGS)[number]['flag']

export type AcdcAuthentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'apikey'; readonly keys: readonly string[] }

export interface AcdcSettings {
  /** As it was given; relative to the working directory. A folder is a content directory. */
  readonly config: string
  /** Whether it was named as a content directory. */
  readonly isFolder: boolean
  readonly transport: 'stdio' | 'sse'
  readonly host: string
  readonly port: number
  readonly maxResults: number
  readonly boosts: {
    readonly keywords: number
    readonly name: number
    readonly content: number
    readonly heading?: number
    readonly path?: number
  }
  readonly resultMode: 'references' | 'content'
  readonly uriScheme: string
  /** What was asked for and is not done. */
  readonly warnings: readonly string[]
  readonly auth: AcdcAuthentication
}

export interface AcdcInput {
  /** Values of flags by name. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

export function loadAcdcSettings({ flags, env, cwd }: AcdcInput): AcdcSettings {
  const dotenv = readDotenv(cwd)
  /** What each level says, the strongest first; an empty value is one that was not given. */
  const levels = (flag: AcdcFlag): readonly string[] => {
    const { variable, key } = ACDC_SETTINGS.find((each) => each.flag === flag)!
    return [flags[flag], env[variable], dotenv[variable] || dotenv[key]].map(asText)
  }
  const given = (flag: AcdcFlag): string => levels(flag).find((value) => value !== '') ?? ''
  const transport = given('transport') || 'stdio'
  if (transport !== 'stdio' && transport !== 'sse') {
    throw cannotStart(`transport must be 'stdio' or 'sse', got: ${transport}`)
  }
  const auth = authentication(given)
  const nameFlag = given('search-name-boost') === '' ? 'search-title-boost' : 'search-name-boost'
  const boosts = {
    keywords: boost(given, 'search-keywords-boost', DEFAULT_SEARCH.boosts.keywords),
    name: boost(given, nameFlag, DEFAULT_SEARCH.boosts.name),
    content: boost(given, 'search-content-boost', DEFAULT_SEARCH.boosts.content),
    ...(given('search-heading-boost') !== '' && {
      heading: boost(given, 'search-heading-boost', 0),
    }),
    ...(given('search-path-boost') !== '' && { path: boost(given, 'search-path-boost', 0) }),
  }
  if (Object.values(boosts).every((value) => value === 0)) {
    throw cannotStart('at least one search boost must be above 0')
  }
  const resultMode = given('search-result-mode') || 'references'
  if (resultMode !== 'references' && resultMode !== 'content') {
    throw cannotStart(`search-result-mode must be 'references' or 'content', got: ${resultMode}`)
  }
  const uriScheme = given('uri-scheme') || 'acdc'
  if (!/^[A-Za-z][A-Za-z0-9+.-]*$/.test(uriScheme)) {
    throw cannotStart(
      `uri-scheme must be a letter, then letters, digits, +, - and ., got: ${uriScheme}`,
    )
  }
  const crossRef = /^(?:1|t|true)$/i.test(given('cross-ref'))
  const settings = {
    transport,
    host: given('host') || '0.0.0.0',
    port: whole(given, 'port', 8080, 0, 65_535),
    maxResults: whole(given, 'search-max-results', DEFAULT_SEARCH.maxResults, 1, MOST_RESULTS),
    boosts,
    resultMode,
    uriScheme,
    auth,
    warnings: crossRef ? ['cross-ref is not done here: links are given as they are written'] : [],
  } as const
  return { ...settings, ...contentPlace(levels('config'), levels('content-dir'), cwd) }
}

/** The strongest level that says where the content is; else the folder one stands in, set up for it. */
function contentPlace(
  configs: readonly string[],
  folders: readonly string[],
  cwd: string,
): Pick<AcdcSettings, 'config' | 'isFolder'> {
  for (const [level, config] of configs.entries()) {
    const folder = folders[level]!
    if (config !== '' && folder !== '') {
      throw cannotStart('config and content-dir are mutually exclusive')
    }
    if (config !== '' || folder !== '') return { config: config || folder, isFolder: folder !== '' }
  }
  if (statSync(join(cwd, '.acdc'), { throwIfNoEntry: false })?.isDirectory()) {
    return { config: '.', isFolder: true }
  }
  throw cannotStart(
    'config file is required (--config or ACDC_MCP_CONFIG); to serve a folder, name it with --content-dir',
  )
}

/** One line for the log; whoever reads the log does not learn the secrets. */
export function describeSettings(settings: AcdcSettings): string {
  const { config, isFolder, transport, host, port, maxResults, boosts, auth } = settings
  const facts = {
    [isFolder ? 'content-dir' : 'config']: config,
    transport,
    ...(transport === 'sse' && { host, port }),
    'search-max-results': maxResults,
    'search-keywords-boost': boosts.keywords,
    'search-name-boost': boosts.name,
    'search-content-boost': boosts.content,
    ...(boosts.heading !== undefined && { 'search-heading-boost': boosts.heading }),
    ...(boosts.path !== undefined && { 'search-path-boost': boosts.path }),
    'auth-type': auth.kind,
    ...(auth.kind === 'basic' && {
      'auth-basic-username': auth.username,
      'auth-basic-password': '****',
    }),
    ...(auth.kind === 'apikey' && { 'auth-api-keys': `${auth.keys.length} configured` }),
  }
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** What is wrong with the start: said on standard error, and the exit code is 1. */
export function cannotStart(message: string): KnowledgeError {
  return unavailable(message, '')
}

function row<Flag extends string>(
  flag: Flag,
  short: string | undefined,
  placeholder: string,
  summary: string,
) {
  const key = flag.replaceAll('-', '_')
  return {
    flag,
    short,
    placeholder,
    summary,
    variable: `ACDC_MCP_${key.toUpperCase()}`,
    /** How `.env` may say it without the prefix, such as `auth.type`. */
    key: DOTTED[flag] ?? key,
  }
}

type Given = (flag: AcdcFlag) => string

function authentication(given: Given): AcdcAuthentication {
  const username = given('auth-basic-username')
  const password = given('auth-basic-password')
  const keys = given('auth-api-keys')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const basic = username !== '' || password !== ''
  const kind = given('auth-type') || 'none'
  switch (kind) {
    case 'none':
      if (basic || keys.length > 0) {
        throw cannotStart("auth-type 'none' is incompatible with auth credentials")
      }
      return { kind }
    case 'basic':
      if (keys.length > 0) {
        throw cannotStart("auth-type 'basic' and API keys are mutually exclusive")
      }
      if (username === '' || password === '') {
        throw cannotStart("auth-type 'basic' requires both username and password")
      }
      return { kind, username, password }
    case 'apikey':
      if (basic) {
        throw cannotStart("auth-type 'apikey' and basic credentials are mutually exclusive")
      }
      if (keys.length === 0) throw cannotStart("auth-type 'apikey' requires at least one API key")
      return { kind, keys }
    default:
      throw cannotStart(`unknown auth-type: ${kind}`)
  }
}

function whole(given: Given, flag: AcdcFlag, byDefault: number, min: number, max: number): number {
  const text = given(flag)
  if (text === '') return byDefault
  const value = /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : NaN
  if (value >= min && value <= max) return value
  throw cannotStart(`${flag} must be a whole number from ${min} to ${max}, got: ${text}`)
}

function boost(given: Given, flag: AcdcFlag, byDefault: number): number {
  const text = given(flag)
  if (text === '') return byDefault
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) : NaN
  if (value >= 0 && value <= HIGHEST_BOOST) return value
  throw cannotStart(`${flag} must be a number from 0 to ${HIGHEST_BOOST}, got: ${text}`)
}

/** A flag that was repeated means all of its values. */
function asText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value ?? '')
}

function readDotenv(cwd: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(join(cwd, '.env'), 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Most directories have none, and in some it is the folder of another tool.
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    // It may hold the credentials; starting without them would serve everyone.
    throw cannotStart(`failed to read .env: ${message}`)
  }
}
