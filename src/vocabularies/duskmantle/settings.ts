/** What whoever runs this surface can set. The command reads it from the `KM_*` environment. */
import { PERMISSIONS } from '../../core/domain/caller.ts'
import type { Caller } from '../../core/domain/caller.ts'
import type { Schedule } from '../../core/domain/schedule.ts'
import { PROFILES } from './operations/score-chunk.ts'
import type { Weights } from './operations/score-chunk.ts'
import { DEFAULT_WINDOWS } from '../../core/operations/repository/windows.ts'
import type { WindowSettings } from '../../core/operations/repository/windows.ts'

export { PROFILES }
export type { ProfileName, Weights } from './operations/score-chunk.ts'

/** What a caller may do: look, or also run and report. */
export type Scope = 'reader' | 'maintainer'

export const CALLERS: Readonly<Record<Scope | 'nobody', Caller>> = {
  maintainer: { principal: 'A maintainer', may: PERMISSIONS },
  reader: { principal: 'A reader', may: ['read'] },
  nobody: { principal: 'Nobody', may: [] },
}

export interface DuskmantleSettings {
  /** What this process may do on behalf of its client; undefined: nothing, for want of a token. */
  readonly scope: Scope | undefined
  /** Who shows this token over HTTP; undefined where no token is asked for. */
  readonly callerOf: ((token: string) => Caller | undefined) | undefined
  readonly weights: Weights
  /** Name of the weights, with `+overrides` where single ones were set. */
  readonly weightProfile: string
  readonly sortByVector: boolean
  /** Whether a model file orders chunks; without one the formula does. */
  readonly scoringMode: 'heuristic' | 'ml'
  /** In the state folder unless said. */
  readonly modelFile: string | undefined
  readonly symbols: boolean
  readonly editorUriTemplate: string | undefined
  readonly windows: WindowSettings
  /** Beginnings of paths or globs; everything where there are none. */
  readonly include: readonly string[]
  readonly staleDays: number
  readonly defaultProfile: string
  readonly dummyEmbeddings: boolean
  readonly dryRun: boolean
  /** Whether what has not changed is left alone; else every run counts everything anew. */
  readonly incremental: boolean
  /** How many versions of each report are kept. */
  readonly keptReports: { readonly coverage: number; readonly lifecycle: number }
  readonly uploads: UploadSettings
  readonly backups: BackupSettings
  /** What is done by itself, and how often; nothing unless said. */
  readonly schedules: { readonly ingest?: Schedule; readonly backup?: Schedule }
  /** Requests to the gateway within so many seconds, and of reports. */
  readonly rate: {
    readonly requests: number
    readonly reports: number
    readonly windowSeconds: number
    /** Whether somebody has set it: then it holds for everything that is served over HTTP. */
    readonly everywhere: boolean
  }
}

export interface BackupSettings {
  /** How many archives are kept. */
  readonly keep: number
  /** Folders besides the state folder that archives may be written to. */
  readonly allowedRoots: readonly string[]
}

/** How files and texts are taken in. */
export interface UploadSettings {
  /** Where they go, below the repository; the repository itself where it is empty. */
  readonly contentFolder: string
  /** Where they go in there when a call does not say. */
  readonly docsFolder: string
  readonly overwrite: boolean
  readonly ingest: boolean
  /** Files are taken from below these folders alone; from anywhere where there are none. */
  readonly allowedRoots: readonly string[]
  readonly maxBytes: number
}

export const DUSKMANTLE_DEFAULTS: DuskmantleSettings = {
  scope: 'maintainer',
  callerOf: undefined,
  weights: PROFILES.default,
  weightProfile: 'default',
  sortByVector: false,
  scoringMode: 'heuristic',
  modelFile: undefined,
  symbols: true,
  editorUriTemplate: undefined,
  windows: DEFAULT_WINDOWS,
  include: [],
  staleDays: 30,
  defaultProfile: 'manual',
  dummyEmbeddings: false,
  dryRun: false,
  backups: { keep: 7, allowedRoots: [] },
  schedules: {},
  rate: { requests: 120, reports: 30, windowSeconds: 60, everywhere: false },
  uploads: {
    contentFolder: '',
    docsFolder: 'docs',
    overwrite: false,
    ingest: false,
    allowedRoots: [],
    maxBytes: 10 * 1024 * 1024,
  },
  incremental: true,
  keptReports: { coverage: 5, lifecycle: 10 },
}
