import { resolve } from 'node:path'
import { invalid } from '../../../core/domain/error.ts'
import { BASE_OPTIONS, FOLDERS } from '../command.ts'
import type { Command } from '../command.ts'
import { toJson } from '../terminal.ts'

export const move: Command = {
  name: 'move',
  group: 'care',
  summary: 'Carry the finished index into PostgreSQL, or from there into a folder.',
  example: 'cairn move examples/handbook --to ~/elsewhere',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    to: {
      kind: 'text',
      placeholder: 'URL|DIR',
      summary: 'Address of a database, or a state folder (then used with --state DIR)',
    },
    ...BASE_OPTIONS,
  },
  async run(context) {
    const { terminal, args, json, configInput } = context
    const { to } = args.options
    if (typeof to !== 'string') {
      throw invalid('Where should the index go?', 'cairn move --to postgres://…, or --to DIR')
    }
    const { config } = await context.loadConfig()
    const { moveBase } = await import('../../../keep/moving/move-base.ts')
    const place = to.includes('://') ? to : resolve(configInput.cwd, to)
    const moved = await moveBase(config, place)
    if (json) terminal.out(toJson(moved))
    else {
      terminal.out(
        `${moved.documents} documents, ${moved.vectors} vectors and a history of ${moved.operations} changes are in ${moved.to} now.\n`,
      )
    }
  },
}
