import type { CortexSettings } from '../start/start-cortex.ts'
import { invalid } from '../../../core/domain/error.ts'
import type { Command, CommandContext } from '../../../serve/cli/command.ts'
import { SERVE_OPTIONS } from '../../../serve/cli/command.ts'
import { ROOT_OPTION, rootOf } from './cortex-shared.ts'

const PORT = 8080
const TRANSPORTS = ['stdio', 'sse', 'http'] as const

export const cortexServe: Command = {
  group: 'surfaces',
  name: 'cortex serve',
  summary: 'Serve a graph of entities in JSON lines, as NEXUS CORTEX does.',
  example: 'cairn cortex serve --root examples/brain --transport sse',
  positionals: [],
  options: {
    transport: {
      kind: 'text',
      short: 't',
      placeholder: 'KIND',
      summary: 'How clients reach it (default: stdio)',
      choices: TRANSPORTS,
    },
    host: {
      kind: 'text',
      short: 'H',
      placeholder: 'ADDRESS',
      summary: 'Address to listen on with sse and http (default: 127.0.0.1)',
    },
    port: {
      kind: 'integer',
      short: 'p',
      placeholder: 'PORT',
      summary: `Port to listen on with sse and http; 0 picks a free one (default: ${PORT})`,
    },
    'allow-host': SERVE_OPTIONS['allow-host']!,
    'allow-origin': SERVE_OPTIONS['allow-origin']!,
    ...ROOT_OPTION,
  },
  async run(context) {
    const { terminal, json, onStop } = context
    const settings = settingsOf(context)
    const { startCortex } = await import('../start/start-cortex.ts')
    const server = await startCortex(settings, {
      log: (level, message) =>
        terminal.err(
          json ? `${JSON.stringify({ level, message })}\n` : `cairn: ${level}: ${message}\n`,
        ),
    })
    onStop(() => void server.close())
    // One line, so that a script can read it and go on while the server runs.
    if (json && server.url !== undefined) terminal.out(`${JSON.stringify({ url: server.url })}\n`)
    await server.done
  },
}

function settingsOf(context: CommandContext): CortexSettings {
  const { options } = context.args
  const transport = TRANSPORTS.find((each) => each === options['transport']) ?? 'stdio'
  const idle = ['host', 'port', 'allow-host', 'allow-origin'].find((name) => name in options)
  if (transport === 'stdio' && idle !== undefined) {
    throw invalid(
      `--${idle} has a meaning only over a network.`,
      'Add --transport sse or --transport http.',
    )
  }
  const { host, port } = options
  const listOf = (name: string): readonly string[] => {
    const list = options[name]
    return Array.isArray(list) ? list : []
  }
  return {
    root: rootOf(context),
    transport,
    host: typeof host === 'string' ? host : '127.0.0.1',
    port: typeof port === 'number' ? port : PORT,
    allowedHosts: listOf('allow-host'),
    allowedOrigins: listOf('allow-origin'),
  }
}
