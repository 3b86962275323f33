/** What is remembered of runs that read a repository: which files, what became of them, when. */

export interface RunSummary {
  /** 32 hexadecimal digits. */
  readonly runId: string
  readonly profile: string
  readonly head: string | undefined
}

export interface RunRecord extends RunSummary {
  /** Seconds since the epoch. */
  readonly startedAt: number
  readonly durationSeconds: number
  readonly success: boolean
  readonly error?: string
  readonly artifactCounts: Readonly<Record<string, number>>
  readonly chunks: number
  readonly chunksWritten: number
  readonly createdAt: number
}

export interface LedgerEntry {
  readonly artifactType: string
  readonly subsystem: string | undefined
  readonly digest: string
  readonly commit: string | undefined
  readonly committedAt: number | undefined
  readonly chunks: number
  readonly coverageRatio: number
  readonly lastSeen: number
}

export interface Ledger {
  readonly updatedAt: number
  readonly artifacts: Readonly<Record<string, LedgerEntry>>
  /** Whether the last run took vectors that mean nothing. */
  readonly dummyEmbeddings?: boolean
}

export const EMPTY_LEDGER: Ledger = { updatedAt: 0, artifacts: {} }

export interface RemovedArtifact {
  readonly path: string
  readonly artifactType: string
  readonly subsystem: string | undefined
  readonly digest: string
  readonly status: 'deleted' | 'dry-run'
}

export type ReportName = 'coverage' | 'lifecycle'

export interface RunRecords {
  /** Empty where there is none, or where it cannot be read. */
  ledger(): Ledger
  putLedger(ledger: Ledger): void
  /** The newest first, of one profile or of all. */
  runs(profile: string | undefined, limit: number): readonly RunRecord[]
  addRun(run: RunRecord): void
  report(name: ReportName): Readonly<Record<string, unknown>> | undefined
  /** Keeps the last few versions too. */
  putReport(name: ReportName, report: Readonly<Record<string, unknown>>): void
  /** Undefined while another process has it. */
  lock(): (() => void) | undefined
}
