import { resolve } from 'node:path'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'

const SHOWN = 50

export const importFiles: Command = {
  group: 'change',
  name: 'import',
  summary: 'Bring the files of a folder into the database; what differs there is named and stays.',
  example:
    'cairn import examples/handbook --folder db:notes --store postgres://cairn@db.example.org/knowledge',
  positionals: [{ name: 'DIR', summary: 'The folder, which is only read', required: true }],
  options: {
    into: {
      kind: 'text',
      placeholder: 'SOURCE',
      summary: 'Which source, when several are in the database',
    },
    overwrite: { kind: 'flag', summary: 'Replace documents that have another content' },
    'dry-run': { kind: 'flag', summary: 'Show what would happen, and change nothing' },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, args, json, configInput } = context
      const { into, overwrite, 'dry-run': dryRun } = args.options
      const report = await base.importFiles(resolve(configInput.cwd, args.positionals[0]!), {
        ...(typeof into === 'string' && { into }),
        overwrite: overwrite === true,
        dryRun: dryRun === true,
      })
      const { created, replaced, unchanged, conflicts } = report
      if (json) terminal.out(toJson({ ...report, dryRun: dryRun === true }))
      else {
        const would = dryRun === true ? ' (nothing was changed)' : ''
        terminal.out(
          `${created.length} brought in, ${replaced.length} replaced, ${unchanged} as they were${would}.\n`,
        )
        for (const { path, reason } of conflicts.slice(0, SHOWN)) {
          terminal.err(`Left out: ${cleanLine(path)}: ${cleanLine(reason)}\n`)
        }
        if (conflicts.length > SHOWN) terminal.err(`Left out: ${conflicts.length - SHOWN} more.\n`)
      }
      return conflicts.length > 0 ? 1 : 0
    }),
}
