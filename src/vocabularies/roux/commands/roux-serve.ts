import type { Command } from '../../../serve/cli/command.ts'
import { SERVE_OPTIONS } from '../../../serve/cli/command.ts'
import { DIRECTORY, LOG_OPTION, rouxConfig } from './roux-shared.ts'

export const rouxServe: Command = {
  group: 'surfaces',
  name: 'roux serve',
  summary: 'Serve a folder that was set up for roux, over standard input and output.',
  example: 'cairn roux serve examples/handbook',
  positionals: [DIRECTORY],
  takesFolders: true,
  options: {
    watch: SERVE_OPTIONS['watch']!,
    'read-only': SERVE_OPTIONS['read-only']!,
    ...LOG_OPTION,
  },
  async run(context) {
    const { config } = await rouxConfig(context)
    const server = await context.app.startServer(config, { transport: 'stdio' })
    context.onStop(() => void server.close())
    await server.done
  },
}
