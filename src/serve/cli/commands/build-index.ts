import type { IndexReport } from '../base.ts'
import { BASE_OPTIONS, FOLDERS } from '../command.ts'
import type { Command } from '../command.ts'
import { showProgress } from '../progress.ts'
import { cleanLine, toJson } from '../terminal.ts'

/** More than this many warnings scroll the summary away; `--json` has them all. */
const WARNINGS_SHOWN = 10

export const buildIndex: Command = {
  group: 'care',
  name: 'index',
  summary: 'Bring the index up to date with the files.',
  example: 'cairn index examples/handbook',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    force: { kind: 'flag', summary: 'Read every file again, changed or not' },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal } = context
      const progress = showProgress(terminal, { announce: true })
      const force = context.args.options['force'] === true
      const report = await base.index({
        onProgress: progress.update,
        force,
        waitForMeaning: true,
      })
      progress.finish()
      if (context.json) return terminal.out(toJson(report))
      for (const { message, ref, line } of report.warnings.slice(0, WARNINGS_SHOWN)) {
        const place = ref === undefined ? '' : `${ref}${line === undefined ? '' : `:${line}`}: `
        terminal.err(`${terminal.errStyle.yellow('warning:')} ${cleanLine(place + message)}\n`)
      }
      const unseen = report.warnings.length - WARNINGS_SHOWN
      if (unseen > 0) terminal.err(`and ${unseen} more warnings; --json shows all\n`)
      terminal.out(`${summaryLine(report)}\n`)
    }),
}

/** `27 documents (3 indexed, 24 unchanged, 1 skipped) in 0.1 s` */
export function summaryLine(report: IndexReport): string {
  const parts = (['indexed', 'unchanged', 'removed', 'skipped', 'failed'] as const)
    .filter((key) => report[key] > 0)
    .map((key) => `${report[key]} ${key}`)
  const detail = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  const documents = `${report.documents} ${report.documents === 1 ? 'document' : 'documents'}`
  return `${documents}${detail} in ${(report.durationMs / 1000).toFixed(1)} s`
}
