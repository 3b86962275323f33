/** How a duskmantle server is started: the `KM_*` environment of the original. */
import type { Schedule } from '../../../core/domain/schedule.ts'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { invalid, quoted } from '../../../core/domain/error.ts'
import type { RemoteGateway } from '../open-remote-surface.ts'
import { openSharedTokens } from '../shared-tokens.ts'
import { CALLERS, DUSKMANTLE_DEFAULTS, PROFILES } from '../settings.ts'
import type { DuskmantleSettings, ProfileName, UploadSettings, Weights } from '../settings.ts'

export type { DuskmantleSettings } from '../settings.ts'
export type { RemoteGateway } from '../open-remote-surface.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface DuskmantleInput {
  readonly env: Environment
  /**
   * Whether a token is needed where nobody said a word about it. A base that someone serves to
   * themselves needs none; a server that was set up as the original needs one.
   */
  readonly strict: boolean
  /** The folder that is served; KM_REPO_PATH unless said. */
  readonly repository?: string | undefined
}

/** Numbers out of range are clamped, as in the original; other nonsense ends the start. */
export function loadDuskmantleSettings({
  env,
  strict,
  repository = textIn(env, 'KM_REPO_PATH'),
}: DuskmantleInput): DuskmantleSettings {
  const size = numberIn(env, 'KM_INGEST_WINDOW', 100, 100_000) ?? DUSKMANTLE_DEFAULTS.windows.size
  const overlap =
    numberIn(env, 'KM_INGEST_OVERLAP', 0, size - 1) ??
    Math.min(DUSKMANTLE_DEFAULTS.windows.overlap, size - 1)
  const { weights, weightProfile } = weightsIn(env)
  return {
    scope: scopeIn(env, strict),
    callerOf: callerIn(env),
    weights,
    weightProfile,
    sortByVector: flagIn(env, 'KM_SEARCH_SORT_BY_VECTOR') ?? DUSKMANTLE_DEFAULTS.sortByVector,
    scoringMode: choiceIn(env, 'KM_SEARCH_SCORING_MODE', ['heuristic', 'ml']) ?? 'heuristic',
    modelFile: textIn(env, 'KM_SEARCH_MODEL_PATH'),
    symbols: flagIn(env, 'KM_SYMBOLS_ENABLED') ?? DUSKMANTLE_DEFAULTS.symbols,
    editorUriTemplate: textIn(env, 'KM_EDITOR_URI_TEMPLATE'),
    windows: { size, overlap },
    include: listIn(env, 'KM_INGEST_INCLUDE'),
    staleDays: numberIn(env, 'KM_LIFECYCLE_STALE_DAYS', 0, 365) ?? DUSKMANTLE_DEFAULTS.staleDays,
    defaultProfile:
      textIn(env, 'KM_MCP_DEFAULT_INGEST_PROFILE') ?? DUSKMANTLE_DEFAULTS.defaultProfile,
    dummyEmbeddings: flagIn(env, 'KM_INGEST_USE_DUMMY') ?? false,
    dryRun: flagIn(env, 'KM_INGEST_DRY_RUN') ?? false,
    incremental: flagIn(env, 'KM_INGEST_INCREMENTAL') ?? true,
    keptReports: {
      coverage: keptIn(env, 'KM_COVERAGE_HISTORY_LIMIT') ?? KEPT.coverage,
      lifecycle: keptIn(env, 'KM_LIFECYCLE_HISTORY_LIMIT') ?? KEPT.lifecycle,
    },
    uploads: uploadsIn(env, repository),
    schedules: schedulesIn(env),
    rate: {
      ...DUSKMANTLE_DEFAULTS.rate,
      requests:
        numberIn(env, 'KM_RATE_LIMIT_REQUESTS', 1, 1e6) ?? DUSKMANTLE_DEFAULTS.rate.requests,
      windowSeconds:
        numberIn(env, 'KM_RATE_LIMIT_WINDOW', 1, 86_400) ?? DUSKMANTLE_DEFAULTS.rate.windowSeconds,
      everywhere: textIn(env, 'KM_RATE_LIMIT_REQUESTS') !== undefined,
    },
    backups: {
      keep:
        numberIn(env, 'KM_BACKUP_RETENTION_LIMIT', 1, 10_000) ?? DUSKMANTLE_DEFAULTS.backups.keep,
      allowedRoots: listIn(env, 'KM_BACKUP_ALLOWED_ROOTS'),
    },
  }
}

function schedulesIn(env: Environment): DuskmantleSettings['schedules'] {
  const ingest = scheduleIn(env, 'KM_SCHEDULER', 30)
  const backup = scheduleIn(env, 'KM_BACKUP', 720)
  return { ...(ingest && { ingest }), ...(backup && { backup }) }
}

/** A pattern of cron comes before an interval. */
function scheduleIn(env: Environment, name: string, minutes: number): Schedule | undefined {
  if (flagIn(env, `${name}_ENABLED`) !== true) return undefined
  const cron = textIn(env, `${name}_CRON`)
  if (cron !== undefined) return { cron }
  return { everyMs: (numberIn(env, `${name}_INTERVAL_MINUTES`, 1, 525_600) ?? minutes) * 60_000 }
}

function uploadsIn(env: Environment, repository: string | undefined): UploadSettings {
  const usual = DUSKMANTLE_DEFAULTS.uploads
  return {
    contentFolder: contentFolderIn(env, repository),
    docsFolder: textIn(env, 'KM_CONTENT_DOCS_SUBDIR') ?? usual.docsFolder,
    overwrite: flagIn(env, 'KM_UPLOAD_DEFAULT_OVERWRITE') ?? usual.overwrite,
    ingest: flagIn(env, 'KM_UPLOAD_DEFAULT_INGEST') ?? usual.ingest,
    allowedRoots: listIn(env, 'KM_UPLOAD_ALLOWED_ROOTS'),
    maxBytes: numberIn(env, 'KM_UPLOAD_MAX_BYTES', 1, 1024 ** 3) ?? usual.maxBytes,
  }
}

/** A content root that is not the repository must be a folder of it: nothing else is ever read. */
function contentFolderIn(env: Environment, repository: string | undefined): string {
  const content = textIn(env, 'KM_CONTENT_ROOT')
  if (repository === undefined || content === undefined) return ''
  const below = relative(resolve(repository), resolve(content))
  if (below.split(sep)[0] !== '..' && !isAbsolute(below)) return below.split(sep).join('/')
  throw invalid(
    `KM_CONTENT_ROOT ${quoted(content)} is not below the repository ${quoted(repository)}.`,
    'Name a folder of the repository, or leave it out.',
  )
}

const { keptReports: KEPT } = DUSKMANTLE_DEFAULTS

function keptIn(env: Environment, name: string): number | undefined {
  const count = numberIn(env, name, 1, 1_000)
  return count === undefined ? undefined : Math.trunc(count)
}

/** The gateway elsewhere that does the work; undefined where this process does it. */
export function remoteGateway(env: Environment): RemoteGateway | undefined {
  const url = textIn(env, 'KM_GATEWAY_URL')
  if (url === undefined) return undefined
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw invalid(`KM_GATEWAY_URL is ${quoted(url)}.`, 'Use an http or https address.')
  }
  const admin = textIn(env, 'KM_ADMIN_TOKEN')
  const reader = textIn(env, 'KM_READER_TOKEN')
  return {
    url,
    tokenFor: (scope) => (scope === 'maintainer' ? admin : (reader ?? admin)),
    timeoutMs: (numberIn(env, 'KM_MCP_TIMEOUT_SECONDS', 1, 3_600) ?? 30) * 1_000,
    open: flagIn(env, 'KM_AUTH_ENABLED') === false,
  }
}

const TRANSPORTS = { stdio: 'stdio', http: 'http', 'streamable-http': 'http', sse: 'http' } as const

export interface DuskmantlePlace {
  readonly repository: string
  readonly state: string | undefined
  readonly transport: 'stdio' | 'http'
}

/** Where the repository is, where its index goes, and how clients come. */
export function duskmantlePlace(env: Environment, cwd: string): DuskmantlePlace {
  const named = textIn(env, 'KM_MCP_TRANSPORT') ?? 'stdio'
  if (!Object.hasOwn(TRANSPORTS, named)) {
    throw invalid(
      `KM_MCP_TRANSPORT is ${quoted(named)}.`,
      `Use ${Object.keys(TRANSPORTS).join(', ')}.`,
    )
  }
  const state = textIn(env, 'KM_STATE_PATH')
  return {
    repository: resolve(cwd, textIn(env, 'KM_REPO_PATH') ?? textIn(env, 'KM_CONTENT_ROOT') ?? '.'),
    state: state === undefined ? undefined : resolve(cwd, state),
    transport: TRANSPORTS[named as keyof typeof TRANSPORTS],
  }
}

/** The admin token first: where both are the same text, it is the one that may do more. */
function callerIn(env: Environment): DuskmantleSettings['callerOf'] {
  if (flagIn(env, 'KM_AUTH_ENABLED') === false) return undefined
  const admin = textIn(env, 'KM_ADMIN_TOKEN')
  const reader = textIn(env, 'KM_READER_TOKEN')
  return openSharedTokens([
    ...(admin === undefined ? [] : [{ token: admin, caller: CALLERS.maintainer }]),
    ...(reader === undefined ? [] : [{ token: reader, caller: CALLERS.reader }]),
  ])
}

function scopeIn(env: Environment, strict: boolean): DuskmantleSettings['scope'] {
  const enabled = flagIn(env, 'KM_AUTH_ENABLED')
  const admin = textIn(env, 'KM_ADMIN_TOKEN')
  const reader = textIn(env, 'KM_READER_TOKEN')
  const asked = enabled ?? (strict || admin !== undefined || reader !== undefined)
  if (!asked || admin !== undefined) return 'maintainer'
  return reader === undefined ? undefined : 'reader'
}

const SINGLE = {
  subsystem: 'KM_SEARCH_W_SUBSYSTEM',
  relationship: 'KM_SEARCH_W_RELATIONSHIP',
  support: 'KM_SEARCH_W_SUPPORT',
  coveragePenalty: 'KM_SEARCH_W_COVERAGE_PENALTY',
  criticality: 'KM_SEARCH_W_CRITICALITY',
} as const satisfies Partial<Record<keyof Weights, string>>

function weightsIn(env: Environment): { weights: Weights; weightProfile: string } {
  const asked = textIn(env, 'KM_SEARCH_WEIGHT_PROFILE') ?? 'default'
  if (!Object.hasOwn(PROFILES, asked)) {
    throw invalid(
      `KM_SEARCH_WEIGHT_PROFILE is ${quoted(asked)}.`,
      `Use ${Object.keys(PROFILES).join(', ')}.`,
    )
  }
  const single = Object.entries(SINGLE).flatMap(([name, variable]) => {
    const value = numberIn(env, variable, 0, 1)
    return value === undefined ? [] : [[name, value] as const]
  })
  const vector = numberIn(env, 'KM_SEARCH_VECTOR_WEIGHT', 0, 1)
  const lexical = numberIn(env, 'KM_SEARCH_LEXICAL_WEIGHT', 0, 1)
  return {
    weights: {
      ...PROFILES[asked as ProfileName],
      ...Object.fromEntries(single),
      ...(vector !== undefined && { vector }),
      ...(lexical !== undefined && { lexical }),
    },
    weightProfile: single.length > 0 ? `${asked}+overrides` : asked,
  }
}

function textIn(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

function choiceIn<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = textIn(env, name)
  if (value === undefined) return undefined
  const choice = choices.find((each) => each === value.toLowerCase())
  if (choice) return choice
  throw invalid(`${name} is ${quoted(value)}.`, `Use ${choices.join(' or ')}.`)
}

function listIn(env: Environment, name: string): readonly string[] {
  return (textIn(env, name) ?? '').split(',').flatMap((each) => each.trim() || [])
}

function flagIn(env: Environment, name: string): boolean | undefined {
  const value = textIn(env, name)?.toLowerCase()
  if (value === undefined) return undefined
  if (['1', 'true', 'yes', 'on'].includes(value)) return true
  if (['0', 'false', 'no', 'off'].includes(value)) return false
  throw invalid(`${name} is ${quoted(value)}.`, 'Use true or false.')
}

function numberIn(env: Environment, name: string, least: number, most: number): number | undefined {
  const value = textIn(env, name)
  if (value === undefined) return undefined
  const number = Number(value)
  if (!Number.isFinite(number)) throw invalid(`${name} is ${quoted(value)}.`, 'Give a number.')
  return Math.min(most, Math.max(least, number))
}
