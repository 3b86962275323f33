/** Tells MCP clients about Cairn, in their own settings. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTrusted } from '../../config/trust.ts'
import type { Client, Entry, Launch, Places, Scope } from '../../../keep/clients/client.ts'
import { CLIENTS } from '../../../keep/clients/clients.ts'
import { findPrograms, steadyNode } from '../../../keep/clients/find-program.ts'
import { launchAnywhere, launchHere } from '../../../keep/clients/launch.ts'
import type { Installation, ServedFolders } from '../../../keep/clients/launch.ts'
import { USUAL_NAME } from '../../../keep/clients/own-entries.ts'
import { entryText, planAddition, planRemoval } from '../../../keep/clients/plan-connection.ts'
import type { ConnectionPlan, WantedEntry } from '../../../keep/clients/plan-connection.ts'
import { connectionPlace } from '../../../keep/clients/settings-place.ts'
import type { SettingsPlace } from '../../../keep/clients/settings-place.ts'
import { readSettingsFile, writeSettings } from '../../../keep/clients/write-settings.ts'
import { KnowledgeError, invalid, notFound, quoted } from '../../../core/domain/error.ts'
import { didYouMean } from '../../../core/kit/nearest.ts'
import { BASE_OPTIONS, SERVE_OPTIONS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { agrees } from '../input.ts'
import { LAUNCHER } from '../package-files.ts'
import { clean, toJson } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

const IDS = CLIENTS.map(({ id }) => id)

export const connect: Command = {
  group: 'start',
  name: 'connect',
  summary: 'Tell MCP clients about your folders, in their own settings.',
  example: 'cairn connect claude-code --print --folder examples/handbook',
  positionals: [
    {
      name: 'CLIENT',
      summary: `${IDS.join(', ')}; without one, every client found`,
      required: false,
      many: true,
      suggestions: IDS,
    },
  ],
  options: {
    scope: {
      kind: 'text',
      placeholder: 'SCOPE',
      choices: ['user', 'project'],
      summary: 'Settings of your own, or of the project you stand in (default: user)',
    },
    name: {
      kind: 'text',
      placeholder: 'NAME',
      summary: 'Name of the entry (default: cairn; a second base gets its own)',
    },
    url: {
      kind: 'text',
      placeholder: 'URL',
      summary: 'Connect to a server that runs, such as http://127.0.0.1:7331/mcp',
    },
    'read-only': SERVE_OPTIONS['read-only']!,
    print: { kind: 'flag', summary: 'Only show what would be added' },
    remove: { kind: 'flag', summary: 'Take the entry out again' },
    yes: { kind: 'flag', short: 'y', summary: 'Write without asking' },
    ...BASE_OPTIONS,
  },
  run: (context) => connectClients(context),
}

interface Outcome {
  readonly client: Client
  readonly place: SettingsPlace
  readonly plan?: ConnectionPlan
  readonly error?: KnowledgeError
  readonly written: boolean
}

async function connectClients(context: CommandContext): Promise<ExitCode> {
  const { args, terminal, json } = context
  const places = placesOf(context)
  const scope: Scope = args.options['scope'] === 'project' ? 'project' : 'user'
  const clients = chosenClients(args.positionals, scope, places)
  const name = nameOf(args.options['name'])
  const removes = args.options['remove'] === true
  const wanted = removes ? undefined : await wantedOf(context, scope, places, name)
  if (args.options['print'] === true && wanted) return print(context, clients, wanted, places)
  const planned = clients.map((client) => plannedFor(client, scope, places, name, wanted))
  const open = planned.flatMap(({ plan }) => (plan && plan.action !== 'none' ? [plan] : []))
  if (!json) for (const plan of open) terminal.out(painted(plan.diff, terminal))
  const mayWrite = open.length === 0 || (await mayWriteNow(context, open))
  const outcomes: Outcome[] = []
  for (const each of planned) outcomes.push(mayWrite ? await carriedOut(each) : each)
  if (json) terminal.out(toJson(outcomes.map(presented)))
  else for (const outcome of outcomes) tell(outcome, terminal, mayWrite)
  return mayWrite && outcomes.every(({ error }) => error === undefined) ? 0 : 1
}

export function placesOf({ configInput: { cwd, home, env } }: CommandContext): Places {
  return { platform: process.platform, home, env, project: projectRoot(cwd), exists: existsSync }
}

/** Like git: the folder above with a repository in it, else where one stands. */
function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return cwd
  }
}

/** Those that somebody uses, and those that wait to be started. */
export function foundClients(places: Places): readonly Client[] {
  return CLIENTS.filter(
    ({ traces, programs }) =>
      traces(places).some(places.exists) ||
      programs.some((name) => findPrograms(places, name).length > 0),
  )
}

/** What a client starts on this machine. */
export function installationOf(places: Places): Installation {
  return { node: steadyNode(process.execPath, places), launcher: LAUNCHER }
}

function chosenClients(ids: readonly string[], scope: Scope, places: Places): readonly Client[] {
  const named = [...new Set(ids)].map((id) => {
    const client = CLIENTS.find((each) => each.id === id)
    if (!client) {
      throw invalid(
        `There is no client ${quoted(id)}.`,
        `${didYouMean(id, IDS)}Choose from ${IDS.join(', ')}.`,
      )
    }
    if (client.file(scope, places) === undefined) {
      throw invalid(
        `${client.title} has no settings for a single project.`,
        `Leave --scope ${scope} out.`,
      )
    }
    return client
  })
  if (named.length > 0) return named
  const found = foundClients(places).filter((client) => client.file(scope, places) !== undefined)
  if (found.length > 0) return found
  throw notFound(
    'No MCP client was found on this machine.',
    `Name one: cairn connect claude-code. Known are ${IDS.join(', ')}.`,
  )
}

function nameOf(option: unknown): string | undefined {
  if (typeof option !== 'string') return undefined
  const name = option
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) return name
  throw invalid(
    `${quoted(name)} cannot be the name of an entry.`,
    'Use letters, digits, hyphens and underscores.',
  )
}

type WantedBy = (client: Client) => WantedEntry

async function wantedOf(
  context: CommandContext,
  scope: Scope,
  places: Places,
  name: string | undefined,
): Promise<WantedBy> {
  const { url } = context.args.options
  const { exists } = places
  if (typeof url === 'string') {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw invalid(`${quoted(url)} is no address.`, 'Write one like http://127.0.0.1:7331/mcp.')
    }
    const launch: Launch = { kind: 'url', url }
    return (client) => ({
      name,
      label: '',
      exists,
      entry: (each) => entryFor(client, each, launch),
    })
  }
  const folders = await servedFolders(context)
  const label = folders.sources[0]?.name ?? ''
  return (client) => {
    const launch =
      scope === 'user'
        ? launchHere(folders, installationOf(places))
        : launchAnywhere(folders, places.project, client.projectVariable ?? '.')
    return { name, label, exists, entry: (each) => entryFor(client, each, launch) }
  }
}

export async function servedFolders(context: CommandContext): Promise<ServedFolders> {
  const { config, file, settings } = await context.loadConfig()
  const origin = settings.find(({ key }) => key === 'sources')?.origin
  const state = settings.find(({ key }) => key === 'state')
  return {
    sources: config.sources,
    // A client that names the file would stand behind it for good.
    configFile: origin?.kind === 'file' && file && isOurs(context, file) ? file : undefined,
    options: [
      ...(state?.origin.kind === 'flag' ? ['--state', config.state] : []),
      ...(context.args.options['read-only'] === true ? ['--read-only'] : []),
    ],
  }
}

function isOurs({ configInput }: CommandContext, file: string): boolean {
  return configInput.configFile !== undefined || isTrusted(configInput, file)
}

function entryFor(client: Client, name: string, launch: Launch): Entry {
  const entry = client.entry(name, launch)
  if (entry) return entry
  throw invalid(
    `${client.title} cannot connect to an address; it starts its servers itself.`,
    'Leave --url out.',
  )
}

function plannedFor(
  client: Client,
  scope: Scope,
  places: Places,
  name: string | undefined,
  wanted: WantedBy | undefined,
): Outcome {
  const file = client.file(scope, places)!
  const place = connectionPlace(file, scope === 'project' ? places.project : undefined)
  try {
    const found = readSettingsFile(place)
    const plan = wanted
      ? planAddition(client, found, wanted(client))
      : planRemoval(client, found, name)
    return { client, place, plan, written: false }
  } catch (error) {
    if (error instanceof KnowledgeError) return { client, place, error, written: false }
    throw error
  }
}

async function mayWriteNow(
  { args, input, json, terminal }: CommandContext,
  open: readonly ConnectionPlan[],
): Promise<boolean> {
  if (args.options['yes'] === true) return true
  const files = open.length === 1 ? 'this file' : `these ${open.length} files`
  if (!json && (await agrees(input, `Write ${files}?`))) return true
  terminal.err('Nothing was written. Add --yes to write without asking.\n')
  return false
}

async function carriedOut(outcome: Outcome): Promise<Outcome> {
  const { plan, place } = outcome
  if (!plan || plan.action === 'none') return outcome
  try {
    await writeSettings(plan, place)
    return { ...outcome, written: true }
  } catch (error) {
    if (error instanceof KnowledgeError) return { ...outcome, error }
    throw error
  }
}

function tell(outcome: Outcome, terminal: Terminal, asked: boolean): void {
  const { client, place, plan, error, written } = outcome
  const { err, errStyle } = terminal
  if (error) {
    err(`${errStyle.red('error:')} ${clean(error.message)}\n${clean(error.hint)}\n`)
  } else if (plan?.action === 'none') {
    const state = plan.before === undefined ? 'has no settings yet' : 'is as it should be'
    err(`${client.title}: ${state} (${plan.file}).\n`)
  } else if (written && plan) {
    const as = plan.name === USUAL_NAME ? '' : ` as ${plan.name}`
    const done = { add: 'connected', change: 'changed', remove: 'removed' }[plan.action]
    const isGone = `It is gone when ${client.title} starts anew.`
    const counts = place.project === undefined ? undefined : client.afterInProject
    const after = plan.action === 'remove' ? isGone : (counts ?? client.after)
    const kept = existsSync(place.backup) ? ` Before: ${place.backup}` : ''
    err(`${errStyle.green(`${client.title}: ${done}${as}.`)} ${after}${kept}\n`)
  } else if (asked && plan) err(`${client.title}: left as it was.\n`)
}

function presented({ client, plan, error, written }: Outcome) {
  return {
    client: client.id,
    ...(plan && { name: plan.name, file: plan.file, action: plan.action, diff: plan.diff }),
    ...(error && { error: { code: error.code, message: error.message, hint: error.hint } }),
    written,
  }
}

function print(
  { terminal, json, args }: CommandContext,
  clients: readonly Client[],
  wantedBy: WantedBy,
  places: Places,
): ExitCode {
  const scope: Scope = args.options['scope'] === 'project' ? 'project' : 'user'
  const shown = clients.map((client) => {
    const { name = USUAL_NAME, entry } = wantedBy(client)
    return {
      client: client.id,
      title: client.title,
      file: client.file(scope, places)!,
      text: entryText(client, name, entry(name)),
    }
  })
  if (json) terminal.out(toJson(shown))
  else
    for (const [index, { title, file, text }] of shown.entries()) {
      terminal.err(`${index > 0 ? '\n' : ''}${terminal.errStyle.bold(title)}: ${file}\n`)
      terminal.out(text)
    }
  return 0
}

function painted(diff: string, { style }: Terminal): string {
  return clean(diff)
    .split('\n')
    .map((line) =>
      line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line,
    )
    .join('\n')
}
