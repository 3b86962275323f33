import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExportReport } from '../../../keep/moving/export-documents.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

/** How often `--follow` looks for what changed. */
const FOLLOW_MS = 1_000
const SHOWN = 50

export const exportFiles: Command = {
  group: 'care',
  name: 'export',
  summary: 'Write documents that are in the database as files, the same bytes, one way.',
  example:
    'cairn export ~/copy --folder db:notes --store postgres://cairn@db.example.org/knowledge',
  positionals: [{ name: 'DIR', summary: 'Where the files go; made if need be', required: true }],
  options: {
    follow: { kind: 'flag', summary: 'Go on until stopped, and write what changes' },
    overwrite: { kind: 'flag', summary: 'Overwrite files that were changed there since' },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, args, json, configInput, onStop } = context
      const { follow, overwrite } = args.options
      const exporter = await base.exporter(resolve(configInput.cwd, args.positionals[0]!), {
        overwrite: overwrite === true,
      })
      const first = await exporter.all()
      tell(terminal, first, json)
      if (follow !== true) return first.conflicts.length > 0 ? 1 : 0
      const stopping = new AbortController()
      onStop(() => stopping.abort())
      while (!stopping.signal.aborted) {
        await sleep(FOLLOW_MS, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) break
        try {
          const news = await exporter.news()
          if (news) tell(terminal, news, json)
        } catch (error) {
          terminal.err(`${cleanLine(error instanceof Error ? error.message : String(error))}\n`)
        }
      }
    }),
}

function tell(terminal: Terminal, report: ExportReport, json: boolean): void {
  const { written, removed, unchanged, conflicts } = report
  if (json) return terminal.out(toJson(report))
  terminal.out(`${written.length} written, ${removed.length} removed, ${unchanged} as they were.\n`)
  for (const { path, reason } of conflicts.slice(0, SHOWN)) {
    terminal.err(`Left as it is: ${cleanLine(path)}: ${cleanLine(reason)}\n`)
  }
  if (conflicts.length > SHOWN)
    terminal.err(`Left as they are: ${conflicts.length - SHOWN} more.\n`)
}
