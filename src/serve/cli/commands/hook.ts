/** Has clients call Cairn by themselves: recall that comes unasked. */
import { existsSync } from 'node:fs'
import { HOOK_CLIENTS } from '../../../keep/clients/hooks.ts'
import type { HookClient, HookMoment } from '../../../keep/clients/hooks.ts'
import { launchHere } from '../../../keep/clients/launch.ts'
import { planInstall, planRemove } from '../../../keep/clients/plan-hooks.ts'
import type { HookPlan } from '../../../keep/clients/plan-hooks.ts'
import { hookPlace } from '../../../keep/clients/settings-place.ts'
import { readSettingsFile, writeSettings } from '../../../keep/clients/write-settings.ts'
import { invalid, quoted } from '../../../core/domain/error.ts'
import { didYouMean } from '../../../core/kit/nearest.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { agrees } from '../input.ts'
import { shellLine } from '../shell-words.ts'
import { clean, toJson } from '../terminal.ts'
import { installationOf, placesOf, servedFolders } from './connect.ts'

const IDS = HOOK_CLIENTS.map(({ id }) => id)
const DEFAULT_TOKENS = 400

const CLIENT = {
  name: 'CLIENT',
  summary: IDS.join(', '),
  required: true,
} as const

const SCOPE = {
  scope: {
    kind: 'text',
    placeholder: 'SCOPE',
    choices: ['user', 'project'],
    summary: 'Settings of your own, or of the project you stand in (default: user)',
  },
  print: { kind: 'flag', summary: 'Only show what would change' },
  yes: { kind: 'flag', short: 'y', summary: 'Write without asking' },
} as const

export const hookInstall: Command = {
  group: 'start',
  name: 'hook install',
  summary: 'Have a client recall your notes by itself, at the start of a session and at prompts.',
  example: 'cairn hook install claude-code --print --folder examples/handbook',
  positionals: [CLIENT],
  options: {
    'max-tokens': {
      kind: 'integer',
      min: 50,
      summary: `What a recall may take of a prompt (default: ${DEFAULT_TOKENS})`,
    },
    checkpoint: {
      kind: 'flag',
      summary: 'Keep a note of the conversation before the client shortens it',
    },
    ...SCOPE,
    ...BASE_OPTIONS,
  },
  run: async (context) => {
    const client = clientOf(context)
    const commandFor = await commandsOf(context, client)
    return carryOut(context, client, (found) => planInstall(client, found, commandFor))
  },
}

export const hookRemove: Command = {
  group: 'start',
  name: 'hook remove',
  summary: 'Take the hooks of a client out again.',
  example: 'cairn hook remove claude-code --print',
  positionals: [CLIENT],
  options: SCOPE,
  run: (context) => {
    const client = clientOf(context)
    return carryOut(context, client, (found) => planRemove(client, found))
  },
}

function clientOf({ args }: CommandContext): HookClient {
  const [id = ''] = args.positionals
  const client = HOOK_CLIENTS.find((each) => each.id === id)
  if (client) return client
  throw invalid(
    `No hooks of ${quoted(id)} are known.`,
    `${didYouMean(id, IDS)}Choose from ${IDS.join(', ')}.`,
  )
}

async function commandsOf(
  context: CommandContext,
  client: HookClient,
): Promise<(moment: HookMoment) => string | undefined> {
  const { args } = context
  const tokens = Number(args.options['max-tokens'] ?? DEFAULT_TOKENS)
  const { config } = await context.loadConfig()
  const { sources, configFile, options } = await servedFolders(context)
  const base =
    configFile === undefined
      ? sources.flatMap(({ name, path }) => ['--folder', `${name}=${path}`])
      : ['--config', configFile]
  const launch = launchHere(
    { sources: [], configFile: undefined, options: [] },
    installationOf(placesOf(context)),
  )
  if (launch.kind !== 'command') return () => undefined
  const program = [launch.command, ...launch.args.filter((word) => word !== 'serve')]
  return (moment) => {
    if (moment === 'compact' && args.options['checkpoint'] !== true) return undefined
    const asked = ['recall', '--hook', client.id, '--moment', moment]
    const budget = ['--max-tokens', String(tokens), '--at', config.state]
    const line = shellLine([...program, ...asked, ...budget, ...base, ...options])
    // A Cairn that was uninstalled must not stop the client either.
    return process.platform === 'win32' ? line : `${line} || true`
  }
}

async function carryOut(
  context: CommandContext,
  client: HookClient,
  plan: (found: ReturnType<typeof readSettingsFile>) => HookPlan,
): Promise<ExitCode> {
  const { args, terminal, json, input } = context
  const scope = args.options['scope'] === 'project' ? 'project' : 'user'
  const places = placesOf(context)
  const file = client.file(scope, places)
  const place = hookPlace(file, scope === 'project' ? places.project : undefined)
  const planned = plan(readSettingsFile(place))
  const { action, diff } = planned
  const only = args.options['print'] === true
  if (!json && action !== 'none') terminal.out(clean(diff))
  const may =
    !only &&
    (action === 'none' ||
      args.options['yes'] === true ||
      (!json && (await agrees(input, 'Write this file?'))))
  if (may) await writeSettings(planned, place)
  if (json)
    terminal.out(
      toJson({ client: client.id, file, action, diff, written: may && action !== 'none' }),
    )
  else if (action === 'none') terminal.err(`${client.title}: is as it should be (${file}).\n`)
  else if (may) {
    const kept = existsSync(place.backup) ? ` Before: ${place.backup}` : ''
    const done = action === 'remove' ? 'removed.' : `installed. ${client.after}`
    terminal.err(`${client.title}: ${done}${kept}\n`)
  } else if (!only) terminal.err('Nothing was written. Add --yes to write without asking.\n')
  return may || only ? 0 : 1
}
