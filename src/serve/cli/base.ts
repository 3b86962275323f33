/** What the commands need from the application. `plug-in.ts` says who provides it. */
import type { Exporter, ExportOptions } from '../../keep/moving/export-documents.ts'
import type { ImportOptions, ImportReport } from '../../keep/moving/import-documents.ts'
import type { SurveyedSource, surveySources } from '../wiring/survey-sources.ts'
import type { Config } from '../config/config.ts'
import type { DuskmantleSettings } from '../../vocabularies/duskmantle/start/duskmantle-settings.ts'
import type { NexusConfig } from '../../vocabularies/nexus/start/nexus-config.ts'
import type { Backup, ListedBackup } from '../../core/operations/keeping/backups.ts'
import type { FileToAdd } from '../../core/operations/writing/add-file.ts'
import type { FeedbackReport } from '../../core/operations/keeping/feedback.ts'
import type { DrawnGraph } from '../../vocabularies/roux/operations/walk-notes.ts'

export interface IndexProgress {
  readonly done: number
  readonly total: number
  /** A word or two for a person: `reading`, `words`, `links`. */
  readonly phase: string
}

export interface IndexReport {
  readonly indexed: number
  readonly unchanged: number
  readonly removed: number
  readonly skipped: number
  readonly failed: number
  /** Documents in the base afterwards. */
  readonly documents: number
  readonly durationMs: number
  readonly warnings: readonly {
    readonly message: string
    readonly ref?: string
    readonly line?: number
  }[]
}

export interface Finding {
  readonly level: 'ok' | 'warning' | 'error'
  readonly what: string
  /** The command or act that mends it. */
  readonly fix?: string
}

/** A native tool, as clients are told about it. */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A document and its text as it is in the file now. */
export interface DocumentText {
  readonly id: string
  readonly text: string
  readonly secrets: readonly { readonly kind: string; readonly line: number }[]
}

export interface NoteGraphReport extends DrawnGraph {
  /** How many of the notes can be found by meaning. */
  readonly embedded: number
}

export interface CliBase {
  /** Calls a native tool by its name. */
  call(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ readonly structured: Record<string, unknown>; readonly isError: boolean }>
  /** Brings the index up to date with the files; `force` reads every file again. */
  index(options: {
    onProgress(progress: IndexProgress): void
    force?: boolean
    /** Whether to wait for an embedding server to read everything. */
    waitForMeaning?: boolean
  }): Promise<IndexReport>
  status(): Promise<Record<string, unknown>>
  /** Every document with its text, by source and path. */
  texts(): AsyncIterable<DocumentText>
  /** Ids of all documents in the index. */
  ids(): Promise<readonly string[]>
  /** The Markdown notes of the first source and the wiki links among them. */
  graph(): Promise<NoteGraphReport>
  doctor(options: {
    repair: boolean
  }): Promise<{ readonly ok: boolean; readonly findings: readonly Finding[] }>
  /** Forgets the oldest changes: those beyond an age or a size, else what is configured. */
  pruneHistory(options: {
    ageMs?: number
    bytes?: number
    dryRun?: boolean
  }): Promise<{ readonly operations: number; readonly bytes: number; readonly kept: number }>
  /** Packs the base into an archive, while others go on writing. */
  backup(request: { destination?: string; keep?: number }): Promise<Backup>
  /** Those in the usual place, newest first. */
  backups(): Promise<readonly ListedBackup[]>
  /** Writes documents that are in the database into a folder. */
  exporter(folder: string, options: ExportOptions): Promise<Exporter>
  /** Brings the files of a folder into the database. */
  importFiles(folder: string, options: FileImport): Promise<ImportReport>
  /** Copies a file into the inbox. */
  add(file: Omit<FileToAdd, 'inbox'>): Promise<AddedFile>
  /** What people found right and wrong. */
  feedbackReport(): Promise<FeedbackReport>
  close(): Promise<void>
}

export interface AddedFile {
  readonly id: string
  /** The change in the history, for `undo`. */
  readonly operation: string | undefined
  readonly warnings: readonly string[]
}

export type FileImport = Pick<ImportOptions, 'into' | 'overwrite' | 'dryRun'>

/** What a hook asks for. */
export interface RecallRequest {
  readonly moment: 'start' | 'prompt'
  readonly prompt: string
  readonly tokens: number
}

export interface RunningServer {
  /** Address of the MCP endpoint, when there is one. */
  readonly url?: string
  /** Settles when the server has stopped, whoever stopped it. */
  readonly done: Promise<void>
  /** Resolves when every call in progress has been answered. */
  idle(): Promise<void>
  close(): Promise<void>
  /** Starts another one that takes over the port; what was asked before is still answered here. */
  replaceWith(config: Config): Promise<RunningServer>
}

export type TransportKind = 'stdio' | 'http'

export interface App {
  tools(): Promise<readonly ToolDescription[]>
  /** Whether what comes is one answer and the end, or seconds of work. Tests are neither. */
  isBrief?(brief: boolean): void
  openBase(config: Config): Promise<CliBase>
  /** What would be read of these folders, without an index. */
  survey(sources: Parameters<typeof surveySources>[0]): Promise<readonly SurveyedSource[]>
  /** What a server that runs on this state folder recalls; undefined where none answers. */
  askServer(state: string, request: RecallRequest): Promise<string | undefined>
  /** The same from the index as it was left, without a server. */
  recall(config: Config, request: RecallRequest): Promise<string>
  startServer(
    config: Config,
    options: {
      transport: TransportKind
      nexus?: NexusConfig
      duskmantle?: DuskmantleSettings
    },
  ): Promise<RunningServer>
}
