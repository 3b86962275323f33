/** What a program runs with: the shape of the settings, wherever they came from. */
import type { Permission } from '../../core/domain/caller.ts'
import type { AnswererConfig } from './answerer.ts'
import type { SourceConfig } from './sources.ts'
import { VOCABULARY_NAMES } from '../../vocabularies/vocabularies.ts'
import type { VocabularyName } from '../../vocabularies/vocabularies.ts'

export type { AnswererConfig } from './answerer.ts'
export type { SourceConfig } from './sources.ts'

export type SurfaceName = 'native' | VocabularyName
export const SURFACE_NAMES: readonly SurfaceName[] = ['native', ...VOCABULARY_NAMES]

/** How the files of a base are read: as notes of any kind, or as curated resources and prompts. */
export type Reading = 'notes' | 'curated'

/** What the text of a native reply is: told by the client's name, or always the same. */
export const TEXT_FORMS = ['auto', 'plain', 'json'] as const

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
  /** Where in the first source files from elsewhere are put. */
  readonly inbox?: string
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
