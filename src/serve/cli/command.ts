/** A command is a row: what it is called, what it takes and what it does. Help and parsing read it. */
import type { ConfigInput, FlagValue, LoadedConfig } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'
import type { SettingRow } from '../config/settings.ts'
import type { App, CliBase } from './base.ts'
import type { Input } from './input.ts'
import type { Places } from './places.ts'
import type { Terminal } from './terminal.ts'

/** 0 for success, 1 for failure, 2 for a usage mistake. */
export type ExitCode = 0 | 1 | 2

export interface OptionRow {
  /** `switch` may be negated with `--no-…`; `port` may stand without a value. */
  readonly kind: 'flag' | 'switch' | 'text' | 'json' | 'integer' | 'list' | 'port'
  readonly summary: string
  readonly placeholder?: string
  readonly short?: string
  readonly choices?: readonly string[]
  /** Smallest integer that makes sense. */
  readonly min?: number
  /** A moment: `1h` and `yesterday` are as good as a date. */
  readonly isDate?: boolean
  /** `-` stands for what comes on standard input. */
  readonly mayBeInput?: boolean
  /** The tool argument it fills, for commands that call a tool. */
  readonly argument?: string
  /** `--flag=` is no mistake: an empty value means that none was given. */
  readonly mayBeEmpty?: boolean
  /** Works, and is not for users: help leaves it out. */
  readonly hidden?: boolean
}

export type OptionTable = Readonly<Record<string, OptionRow>>

export interface PositionalRow {
  readonly name: string
  readonly summary: string
  readonly required: boolean
  /** Names a document: a path of its file is as good as its id. */
  readonly isDocument?: boolean
  /** `-` stands for what comes on standard input. */
  readonly mayBeInput?: boolean
  readonly choices?: readonly string[]
  /** What a shell offers, where something else may stand as well. */
  readonly suggestions?: readonly string[]
  /** Takes everything that is left. Only the last one may. */
  readonly many?: boolean
}

/** Under which heading help lists a command; the other vocabularies come last. */
export const COMMAND_GROUPS = {
  start: 'Begin',
  find: 'Find and read',
  change: 'Change',
  care: 'Look after it',
  surfaces: 'In the words of others',
} as const

export type CommandGroup = keyof typeof COMMAND_GROUPS

export interface Command {
  readonly group: CommandGroup
  /** Works, and is not for users: help leaves it out. */
  readonly hidden?: boolean
  /** One word, or two: `config show`. */
  readonly name: string
  /** A sentence. */
  readonly summary: string
  /** A command line that works as it stands. */
  readonly example: string
  readonly positionals: readonly PositionalRow[]
  readonly options: OptionTable
  /** Whether the positionals are folders to serve. */
  readonly takesFolders?: boolean
  /** Has succeeded unless it says otherwise. */
  run(context: CommandContext): Promise<ExitCode | void>
}

export interface Arguments {
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, FlagValue>>
}

export interface CommandContext {
  readonly command: Command
  /** The command line, without the name of the program. */
  readonly words: readonly string[]
  readonly args: Arguments
  readonly terminal: Terminal
  readonly input: Input
  readonly app: App
  /** All there are. */
  commands(): Promise<readonly Command[]>
  readonly json: boolean
  readonly configInput: ConfigInput
  loadConfig(): Promise<LoadedConfig>
  /** What the files and the environment say now. */
  loadAgain(): Promise<LoadedConfig>
  /** Where documents are, as paths from the current folder. */
  places(): Promise<Places>
  now(): Date
  /** Opens the base, runs, and closes it whatever happens. */
  withBase(work: (base: CliBase) => Promise<ExitCode | void>): Promise<ExitCode | void>
  /**
   * Calls back once when the process is asked to stop or nobody reads the output any more. SIGHUP is
   * one way of asking, unless there is something else to do then.
   */
  onStop(listener: () => void, onHangUp?: () => void): void
}

/** Every command understands these. */
export const COMMON_OPTIONS = {
  json: { kind: 'flag', summary: 'Print JSON' },
  help: { kind: 'flag', short: 'h', summary: 'Show this help' },
} as const satisfies OptionTable

/** Commands that look at a base need to know which one. */
export const BASE_OPTIONS: OptionTable = {
  folder: {
    kind: 'list',
    short: 'f',
    placeholder: '[NAME=]PATH',
    summary: 'A folder of documents; may be repeated',
  },
  config: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'Configuration file (default: cairn.yaml)',
  },
  ...settingOptions('base'),
}

export const SERVE_OPTIONS: OptionTable = settingOptions('serve')

/** Reading commands first bring the index up to date, which takes a moment on a large base. */
export const REFRESH_OPTION: OptionTable = {
  refresh: { kind: 'switch', summary: 'Look for changed files first (default: on)' },
}

export const FOLDERS: PositionalRow = {
  name: 'FOLDER',
  summary: 'A folder of documents, as path or name=path',
  required: false,
  many: true,
}

function settingOptions(scope: SettingRow['scope']): OptionTable {
  return Object.fromEntries(
    SETTINGS.flatMap(({ scope: offered, flag, kind, placeholder, summary }) =>
      offered === scope && flag !== undefined ? [[flag, { kind, placeholder, summary }]] : [],
    ),
  )
}
