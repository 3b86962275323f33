import { invalid } from '../../../core/domain/error.ts'
import { clientSetup, setupText } from '../client-setup.ts'
import { BASE_OPTIONS, FOLDERS, SERVE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { keepServing } from '../keep-serving.ts'

export const serve: Command = {
  group: 'start',
  name: 'serve',
  summary: 'Serve folders to MCP clients, over standard input and output or over HTTP.',
  example: 'cairn serve examples/handbook --http',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    http: { kind: 'port', summary: 'Serve over HTTP instead of standard input and output' },
    ...SERVE_OPTIONS,
    ...BASE_OPTIONS,
  },
  async run(context) {
    const { terminal, args, json, app, onStop } = context
    const transport = args.options['http'] === undefined ? 'stdio' : 'http'
    if (transport === 'stdio' && json) {
      throw invalid(
        'serve prints JSON only with --http.',
        'Without --http, standard output carries the protocol.',
      )
    }
    const idle = ['port', 'host'].find((name) => args.options[name] !== undefined)
    if (transport === 'stdio' && idle !== undefined) {
      throw invalid(`--${idle} has a meaning only together with --http.`, 'Add --http.')
    }
    const { config, file } = await context.loadConfig()
    const start = (next: typeof config) => app.startServer(next, { transport })
    // The one client of standard input would not live through it, and starts the next one itself.
    const kept =
      transport === 'stdio'
        ? undefined
        : await keepServing(config, {
            start,
            load: async () => (await context.loadAgain()).config,
            file,
            say: (message) => terminal.err(`${message}\n`),
          })
    const server = kept ?? (await start(config))
    // At a terminal SIGHUP says that it was closed; without one it asks to read the settings again.
    const reload = kept && !context.input.isTerminal ? () => void kept.reload() : undefined
    onStop(() => void server.close(), reload)
    if (server.url === undefined && context.input.isTerminal) {
      terminal.err(
        'Cairn waits for an MCP client on standard input. "cairn connect" tells a client to start it; --http serves clients that connect. Stop with Ctrl-C.\n',
      )
    }
    if (server.url !== undefined) {
      terminal.err(setupText(server.url))
      if (config.web && config.surfaces.includes('native')) {
        terminal.err(`For people: ${new URL('/', server.url).href}\n`)
      }
      // One line, so that a script can read it and go on while the server runs.
      if (json)
        terminal.out(`${JSON.stringify({ url: server.url, clients: clientSetup(server.url) })}\n`)
    }
    await server.done
  },
}
