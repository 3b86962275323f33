import { BASE_OPTIONS, FOLDERS } from '../command.ts'
import type { Command } from '../command.ts'
import { factLines } from '../facts.ts'
import { toJson } from '../terminal.ts'

export const status: Command = {
  group: 'care',
  name: 'status',
  summary: 'Show what is indexed, and how fresh it is.',
  example: 'cairn status examples/handbook',
  positionals: [FOLDERS],
  takesFolders: true,
  options: BASE_OPTIONS,
  run: (context) =>
    context.withBase(async (base) => {
      const facts = await base.status()
      context.terminal.out(context.json ? toJson(facts) : `${factLines(facts).join('\n')}\n`)
      return 0
    }),
}
