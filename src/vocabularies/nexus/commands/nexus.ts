import { BASE_OPTIONS, SERVE_OPTIONS } from '../../../serve/cli/command.ts'
import type { Command } from '../../../serve/cli/command.ts'

const SHARED = [
  'host',
  'port',
  'allow-host',
  'allow-origin',
  'allow-anyone',
  'watch',
  'read-only',
] as const

export const nexus: Command = {
  group: 'surfaces',
  name: 'nexus',
  summary: 'Serve a folder of notes over HTTP at /api/mcp, as NEXUS does.',
  example: 'cairn nexus examples/handbook --port 0',
  positionals: [
    { name: 'DIR', summary: 'The folder of notes (default: the current one)', required: false },
  ],
  takesFolders: true,
  options: {
    config: {
      kind: 'text',
      placeholder: 'FILE',
      summary: 'Configuration file (default: nexus.config.yaml)',
    },
    ...Object.fromEntries(SHARED.map((name) => [name, SERVE_OPTIONS[name]!])),
    state: BASE_OPTIONS['state']!,
    'log-level': BASE_OPTIONS['log-level']!,
  },
  async run(context) {
    const { terminal, app, json, onStop } = context
    const { configInput } = context
    const { loadBaseConfig, loadNexusConfig } = await import('../start/nexus-config.ts')
    const loaded = await loadNexusConfig(configInput)
    const input = {
      ...configInput,
      folders: configInput.folders.length > 0 ? configInput.folders : ['.'],
      configFile: undefined,
      flags: { ...configInput.flags, surface: ['nexus'] },
    }
    const { config, warnings } = await loadBaseConfig(input, loaded)
    for (const warning of [...loaded.warnings, ...warnings]) {
      terminal.err(`${terminal.errStyle.yellow('warning:')} ${warning}\n`)
    }
    const allowedOrigins = [...config.http.allowedOrigins, ...loaded.allowedOrigins]
    const server = await app.startServer(
      { ...config, http: { ...config.http, allowedOrigins } },
      { transport: 'http', nexus: loaded },
    )
    onStop(() => void server.close())
    terminal.err(`Serving notes at ${server.url}\n`)
    if (json) terminal.out(`${JSON.stringify({ url: server.url })}\n`)
    await server.done
  },
}
