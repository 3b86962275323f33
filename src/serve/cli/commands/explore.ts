import { BASE_OPTIONS, FOLDERS, SERVE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { openInBrowser } from '../open-in-browser.ts'

/** Any free port, unless one was asked for: a server of agents may have the usual one. */
const ANY_PORT = 0

export const explore: Command = {
  name: 'explore',
  group: 'start',
  summary: 'Look at folders in the browser: search, read, walk the links, ask, undo.',
  example: 'cairn explore examples/handbook',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    open: { kind: 'switch', summary: 'Open the browser (default: on)' },
    ...SERVE_OPTIONS,
    ...BASE_OPTIONS,
  },
  async run(context) {
    const { terminal, args, json, app, onStop } = context
    const { config: loaded } = await context.loadConfig()
    const asked = args.options['port'] !== undefined
    const config = {
      ...loaded,
      web: true,
      surfaces: ['native' as const],
      http: asked ? loaded.http : { ...loaded.http, port: ANY_PORT },
    }
    const server = await app.startServer(config, { transport: 'http' })
    onStop(() => void server.close())
    const page = new URL('/', server.url).href
    terminal.err(`Cairn shows ${config.sources.map(({ name }) => name).join(', ')} at ${page}\n`)
    terminal.err('Stop with Ctrl-C.\n')
    if (json) terminal.out(`${JSON.stringify({ page, url: server.url })}\n`)
    if (args.options['open'] !== false) openInBrowser(page)
    await server.done
  },
}
