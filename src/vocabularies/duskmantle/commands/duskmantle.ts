import { resolve } from 'node:path'
import { SERVE_OPTIONS } from '../../../serve/cli/command.ts'
import type { RemoteGateway } from '../start/duskmantle-settings.ts'
import type { DuskmantleSettings } from '../start/duskmantle-settings.ts'
import type { Command, CommandContext, ExitCode } from '../../../serve/cli/command.ts'

const SHARED = ['host', 'port', 'allow-host', 'allow-origin', 'watch'] as const

/** Where the original listens. */
const PORT = 8787

export const duskmantle: Command = {
  group: 'surfaces',
  name: 'duskmantle',
  summary: 'Serve a repository as a graph of docs, code and tests, as Duskmantle does.',
  example: 'cairn duskmantle examples/handbook',
  positionals: [
    { name: 'REPO', summary: 'The repository (default: KM_REPO_PATH, else here)', required: false },
  ],
  takesFolders: true,
  options: {
    http: {
      kind: 'port',
      summary: 'Serve over HTTP, with /api/v1 (default: as KM_MCP_TRANSPORT says)',
    },
    transport: {
      kind: 'text',
      choices: ['stdio', 'http', 'sse', 'streamable-http'],
      placeholder: 'KIND',
      summary: 'How clients come, as the original takes it (default: KM_MCP_TRANSPORT)',
    },
    ...Object.fromEntries(SHARED.map((name) => [name, SERVE_OPTIONS[name]!])),
  },
  async run(context) {
    const { terminal, app, json, args, onStop, configInput } = context
    const { env, cwd, folders, flags } = configInput
    const { duskmantlePlace, loadDuskmantleSettings, remoteGateway } =
      await import('../start/duskmantle-settings.ts')
    const gateway = remoteGateway(env)
    const named = args.options['transport']
    const asked = typeof named === 'string' ? { KM_MCP_TRANSPORT: named } : {}
    const place = duskmantlePlace({ ...env, ...asked }, cwd)
    const repository = folders[0] === undefined ? place.repository : resolve(cwd, folders[0])
    const settings = loadDuskmantleSettings({ env, strict: true, repository })
    const transport = args.options['http'] === undefined ? place.transport : 'http'
    if (gateway) return serveRemote(context, gateway, settings, transport)
    const { loadConfig } = await import('../../../serve/config/load-config.ts')
    const { config } = await loadConfig({
      ...configInput,
      folders: folders.length > 0 ? folders : [place.repository],
      flags: {
        port: PORT,
        ...(place.state !== undefined && { state: place.state }),
        ...flags,
        surface: ['duskmantle'],
      },
    })
    if (settings.scope === 'maintainer' && env['KM_ADMIN_TOKEN'] === undefined) {
      terminal.err('cairn: warn: KM_AUTH_ENABLED is false, so every client may do everything.\n')
    }
    const server = await app.startServer(config, { transport, duskmantle: settings })
    onStop(() => void server.close())
    if (server.url !== undefined) {
      terminal.err(`Serving ${repository} at ${server.url}\n`)
      if (json) terminal.out(`${JSON.stringify({ url: server.url })}\n`)
    } else terminal.err(`Serving ${repository} over standard input and output\n`)
    await server.done
  },
}

/** The work is done by a gateway elsewhere; no repository is looked at here. */
async function serveRemote(
  { terminal, json, onStop, configInput: { flags, env } }: CommandContext,
  gateway: RemoteGateway,
  settings: DuskmantleSettings,
  transport: 'stdio' | 'http',
): Promise<ExitCode> {
  const { startRemoteDuskmantle } = await import('../start/start-remote-duskmantle.ts')
  const quiet = ['silent', 'error', 'warn'].includes(env['CAIRN_LOG_LEVEL'] ?? '')
  const server = await startRemoteDuskmantle({
    gateway,
    settings,
    transport,
    // Only this machine: whoever reaches it would act with the tokens of this process.
    port: typeof flags['port'] === 'number' ? flags['port'] : PORT,
    log: (level, message) => {
      if (level !== 'info' || !quiet) terminal.err(`cairn: ${level}: ${message}\n`)
    },
  })
  onStop(() => void server.close())
  if (server.url !== undefined) {
    terminal.err(`Serving the tools of the gateway ${gateway.url} at ${server.url}\n`)
    if (json) terminal.out(`${JSON.stringify({ url: server.url })}\n`)
  }
  await server.done
  return 0
}
