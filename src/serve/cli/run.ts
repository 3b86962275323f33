/** From the words of a command line to an exit code. Knows no process: tests run it as it is. */
import { didYouMean } from '../../core/kit/nearest.ts'
import type { ConfigInput, LoadedConfig } from '../config/config.ts'
import { findBase } from '../config/find-base.ts'
import { CONFIG_ENV, SOURCES_ENV } from '../config/settings.ts'
import { VERSION } from '../../core/kit/version.ts'
import { KnowledgeError, invalid, quoted } from '../../core/domain/error.ts'
import type { App } from './base.ts'
import { BASE_OPTIONS, COMMON_OPTIONS } from './command.ts'
import type { Arguments, Command, CommandContext, ExitCode } from './command.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { parseArguments, seeHelp } from './parse-arguments.ts'
import { placesOf } from './places.ts'
import { clean, cleanLine, toJson } from './terminal.ts'
import { inShellPhrases } from './tool-errors.ts'
import type { Terminal } from './terminal.ts'
import type { Input } from './input.ts'

export interface Surroundings {
  readonly app: App
  readonly terminal: Terminal
  readonly env: ConfigInput['env']
  readonly cwd: string
  readonly home: string
  readonly input: Input
  onStop(listener: () => void, onHangUp?: () => void): void
}

export async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const json = words.slice(0, terminatorOf(words)).includes('--json')
  try {
    return await dispatch(words, surroundings, json)
  } catch (error) {
    return report(error, surroundings, json)
  }
}

async function dispatch(
  words: readonly string[],
  surroundings: Surroundings,
  json: boolean,
): Promise<ExitCode> {
  const { terminal } = surroundings
  const all = () => allCommands(surroundings.app)
  if (words.length === 0) {
    terminal.err(overview(await all()))
    return 2
  }
  if (words[0]!.startsWith('-')) return answerGlobalOption(words[0]!, terminal, all)
  const found = await findNamed(words, surroundings.app)
  if (!found) return explainUnknown(words, terminal, await all())
  const { command, rest } = found
  if (isOnlyVersion(rest)) {
    terminal.out(`${VERSION}\n`)
    return 0
  }
  if (asksForHelp(rest)) {
    terminal.out(commandHelp(command, COMMON_OPTIONS))
    return 0
  }
  const args = parseArguments(rest, {
    ...command,
    options: { ...command.options, ...COMMON_OPTIONS },
  })
  return (await command.run(contextOf(command, words, args, surroundings, json))) ?? 0
}

async function answerGlobalOption(
  option: string,
  terminal: Terminal,
  all: () => Promise<readonly Command[]>,
): Promise<ExitCode> {
  if (option === '--help' || option === '-h') terminal.out(overview(await all()))
  else if (option === '--version' || option === '-v') terminal.out(`${VERSION}\n`)
  else {
    throw invalid(
      `cairn has no option ${quoted(option)} before a command.`,
      didYouMean(option, ['--help', '--version']) + seeHelp(''),
    )
  }
  return 0
}

/** Asked most of all, each by a tool: for them no other command is loaded. */
const QUESTIONS: ReadonlySet<string> = new Set(['search', 'ask', 'fetch'])

/** Those written by hand come first: without them no tool is loaded. */
async function findNamed(words: readonly string[], app: App): Promise<Found | undefined> {
  if (QUESTIONS.has(words[0]!)) {
    const { toolCommands } = await import('./tool-commands.ts')
    const found = findCommand(words, toolCommands(await app.tools()))
    if (found) return found
  }
  const { commandsFor } = await import('./commands.ts')
  const own = await commandsFor(words[0]!)
  return findCommand(words, own) ?? findCommand(words, await allCommands(app))
}

async function allCommands(app: App): Promise<readonly Command[]> {
  return (await import('./commands.ts')).allCommands(app)
}

interface Found {
  readonly command: Command
  readonly rest: readonly string[]
}

/** `cairn config show`: the longest name that the words begin with. */
function findCommand(given: readonly string[], commands: readonly Command[]): Found | undefined {
  const words = optionsBehindName(given, commands)
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = commands.find((candidate) => candidate.name === name)
    if (command) return { command, rest: words.slice(length) }
  }
  return undefined
}

/** `cairn cortex --root DIR status` means `cairn cortex status --root DIR`. */
function optionsBehindName(
  words: readonly string[],
  commands: readonly Command[],
): readonly string[] {
  const [group = '', ...rest] = words
  const rows = commands.filter(({ name }) => name.startsWith(`${group} `))
  const takesValue = (word: string): boolean =>
    rows.some(({ options }) => {
      const row = word.startsWith('--') ? options[word.slice(2)] : undefined
      return row?.kind === 'text' || row?.kind === 'integer' || row?.kind === 'list'
    })
  let end = 0
  while (rest[end]?.startsWith('-')) end += takesValue(rest[end]!) ? 2 : 1
  const name = rest[end]
  const isName = rows.some((row) => row.name === `${group} ${name}`)
  // `cairn backup -f DIR` has no second word: what follows is the value of an option.
  if (end === 0 || name === undefined || !isName) return words
  return [group, name, ...rest.slice(0, end), ...rest.slice(end + 1)]
}

function explainUnknown(
  words: readonly string[],
  terminal: Terminal,
  commands: readonly Command[],
): ExitCode {
  const [first] = words
  if (first === 'help') {
    const named = findCommand(words.slice(1), commands)
    terminal.out(named ? commandHelp(named.command, COMMON_OPTIONS) : overview(commands))
    return 0
  }
  const group = commands.filter((command) => command.name.startsWith(`${first} `))
  if (group.length > 0 && isOnlyVersion(words.slice(1))) {
    terminal.out(`${VERSION}\n`)
    return 0
  }
  if (group.length > 0) {
    const asked = asksForHelp(words.slice(1))
    if (asked) terminal.out(groupHelp(first!, group))
    else terminal.err(groupHelp(first!, group))
    return asked ? 0 : 2
  }
  const names = commands.flatMap((command) => [command.name, command.name.split(' ')[0]!])
  const meant = ELSEWHERE.get(first!)
  const hint = meant === undefined ? didYouMean(first!, names) : `Did you mean "cairn ${meant}"? `
  throw invalid(`There is no command ${quoted(first!)}.`, hint + seeHelp(''))
}

/** What other programs call it. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...['ls', 'dir', 'documents', 'files'].map((word) => [word, 'list'] as const),
  ...['get', 'cat', 'read', 'show', 'view', 'print'].map((word) => [word, 'fetch ID'] as const),
  ...['find', 'query', 'q', 'vsearch'].map((word) => [word, 'search WORDS'] as const),
  ...['edit', 'vi', 'vim'].map((word) => [word, 'open ID'] as const),
  ...['add', 'new', 'touch', 'create'].map((word) => [word, 'write create ID'] as const),
  ...['append', 'prepend', 'replace'].map((word) => [word, `write ${word} ID`] as const),
  ...['mv', 'rename'].map((word) => [word, 'write move ID --to PATH'] as const),
  ...['rm', 'remove', 'del'].map((word) => [word, 'delete ID'] as const),
  ...['log', 'changes'].map((word) => [word, 'history'] as const),
  ...['revert', 'rollback'].map((word) => [word, 'undo'] as const),
  ...['update', 'reindex', 'refresh', 'sync', 'embed'].map((word) => [word, 'index'] as const),
  ...['start', 'run', 'mcp', 'server'].map((word) => [word, 'serve'] as const),
  ...['ui', 'web', 'browse', 'graph'].map((word) => [word, 'explore'] as const),
  ...['install', 'setup'].map((word) => [word, 'init'] as const),
  ...['links', 'related'].map((word) => [word, 'neighbors ID'] as const),
  ...['stats', 'info'].map((word) => [word, 'status'] as const),
  ['check', 'doctor'],
  ['todo', 'tasks'],
  ['todos', 'tasks'],
  ['version', '--version'],
])

/** Programs that a surface stands for were asked so, with or without a command of theirs. */
function isOnlyVersion([word, ...more]: readonly string[]): boolean {
  return more.length === 0 && (word === '--version' || word === '-V')
}

function asksForHelp(words: readonly string[]): boolean {
  const before = words.slice(0, terminatorOf(words))
  return before.includes('--help') || before.includes('-h')
}

/** Words behind `--` are never options. */
function terminatorOf(words: readonly string[]): number {
  const index = words.indexOf('--')
  return index < 0 ? words.length : index
}

function contextOf(
  command: Command,
  words: readonly string[],
  args: Arguments,
  { app, terminal, input, env, cwd, home, onStop }: Surroundings,
  json: boolean,
): CommandContext {
  const configInput = located(command, configInputOf(command, args, { env, cwd, home }), terminal)
  let loading: Promise<LoadedConfig> | undefined
  const loadConfig: CommandContext['loadConfig'] = () => (loading ??= load())
  const load = async (): Promise<LoadedConfig> => {
    const loaded = await (await import('../config/load-config.ts')).loadConfig(configInput)
    for (const warning of loaded.warnings) {
      terminal.err(`${terminal.errStyle.yellow('warning:')} ${cleanLine(warning)}\n`)
    }
    return loaded
  }
  return {
    command,
    words,
    args,
    now: () => new Date(),
    async places() {
      const { config } = await loadConfig()
      return placesOf({ sources: config.sources, cwd, terminal, env })
    },
    terminal,
    input,
    app,
    commands: () => allCommands(app),
    json,
    configInput,
    loadConfig,
    loadAgain: load,
    onStop,
    async withBase(work) {
      const { config } = await loadConfig()
      const base = await app.openBase(config)
      try {
        return await work(base)
      } finally {
        await base.close()
      }
    },
  }
}

/** Whoever names no folder means the base they stand in, or the one they set up last. */
function located(command: Command, input: ConfigInput, terminal: Terminal): ConfigInput {
  const isNamed =
    input.folders.length > 0 ||
    input.configFile !== undefined ||
    Boolean(input.env[SOURCES_ENV]) ||
    Boolean(input.env[CONFIG_ENV])
  if (isNamed || command.options['config'] !== BASE_OPTIONS['config']) return input
  const found = findBase(input)
  switch (found?.kind) {
    case undefined:
      return input
    case 'file':
      return { ...input, standsIn: found.folder }
    case 'folder':
      return { ...input, folders: [found.folder] }
    case 'registered':
      if (terminal.errIsTerminal) terminal.err(terminal.errStyle.dim(`(${found.file})\n`))
      return { ...input, foundFile: found.file }
    default:
      return found satisfies never
  }
}

function configInputOf(
  command: Command,
  { positionals, options }: Arguments,
  surroundings: Pick<ConfigInput, 'env' | 'cwd' | 'home'>,
): ConfigInput {
  const { folder, config, http, ...flags } = options
  return {
    ...surroundings,
    folders: [
      ...(Array.isArray(folder) ? folder : []),
      ...(command.takesFolders ? positionals : []),
    ],
    configFile: typeof config === 'string' ? config : undefined,
    flags: typeof http === 'number' ? { ...flags, port: http } : flags,
  }
}

function report(error: unknown, { terminal, env }: Surroundings, json: boolean): ExitCode {
  if (error instanceof KnowledgeError) {
    const { code } = error
    const message = inShellPhrases(error.message)
    const hint = inShellPhrases(error.hint)
    if (json) terminal.err(toJson({ error: { code, message, hint } }))
    else
      terminal.err(
        `${terminal.errStyle.red('error:')} ${clean(message)}\n${hint === '' ? '' : `${clean(hint)}\n`}`,
      )
    return code === 'invalid' ? 2 : 1
  }
  const said = error instanceof Error ? error.message : String(error)
  // "Permission denied" or "no space left" is nobody's bug and says enough.
  const message = isSystemError(error) ? said : `Something went wrong inside Cairn: ${said}`
  if (json) terminal.err(toJson({ error: { code: 'internal', message, hint: '' } }))
  else terminal.err(`${terminal.errStyle.red('error:')} ${clean(message)}\n`)
  if (env['CAIRN_LOG_LEVEL'] === 'debug' && error instanceof Error) terminal.err(`${error.stack}\n`)
  return 1
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
