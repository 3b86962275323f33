import type { AcdcSettings } from '../start/acdc-settings.ts'
import { ACDC_SETTINGS } from '../start/acdc-settings.ts'
import type { Command, OptionTable } from '../../../serve/cli/command.ts'

/** This one stands alone; the other of its kind is only ever given to say no. */
const SWITCH = 'cross-ref'

export const acdc: Command = {
  group: 'surfaces',
  name: 'acdc',
  summary: 'Serve curated resources and prompts, or the documents of a repository, as ACDC does.',
  example: 'cairn acdc --config examples/curated/mcp-metadata.yaml --transport sse',
  positionals: [],
  options: {
    ...settingOptions(),
    version: { kind: 'flag', short: 'v', summary: 'Print the version' },
  },
  async run({ args, configInput, terminal, json, onStop }) {
    if (args.options['version'] === true) {
      const { VERSION } = await import('../../../core/kit/version.ts')
      terminal.out(`${VERSION}\n`)
      return 0
    }
    const { loadAcdcSettings } = await import('../start/acdc-settings.ts')
    const { env, cwd } = configInput
    const settings: AcdcSettings = loadAcdcSettings({ flags: args.options, env, cwd })
    const { startAcdc } = await import('../start/start-acdc.ts')
    const server = await startAcdc(settings, {
      cwd,
      log: (level, message) =>
        terminal.err(
          json ? `${JSON.stringify({ level, message })}\n` : `cairn: ${level}: ${message}\n`,
        ),
    })
    onStop(() => void server.close())
    await server.done
  },
}

function settingOptions(): OptionTable {
  return Object.fromEntries(
    ACDC_SETTINGS.map(({ flag, short, placeholder, summary }) => [
      flag,
      flag === SWITCH
        ? { kind: 'flag' as const, summary }
        : // What is wrong with a value is said in this server's words, not by the command line.
          {
            kind: flag === 'auth-api-keys' ? ('list' as const) : ('text' as const),
            mayBeEmpty: true,
            placeholder,
            summary,
            ...(short && { short }),
          },
    ]),
  )
}
