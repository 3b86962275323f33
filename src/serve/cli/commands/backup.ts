import { resolve } from 'node:path'
import type { RestoreReport } from '../../../keep/backup/restore-base.ts'
import type { RestorePlan } from '../../../keep/backup/restore.ts'
import { invalid } from '../../../core/domain/error.ts'
import { BASE_OPTIONS, FOLDERS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'

/** Of those in the usual place; elsewhere nothing is removed unless a number is given. */
const KEPT = 7

export const backup: Command = {
  name: 'backup',
  group: 'care',
  summary: 'Pack the documents, the history of changes and the index into one archive.',
  example: 'cairn backup --folder examples/handbook',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    to: {
      kind: 'text',
      placeholder: 'DIR',
      summary: 'Where (default: backups/archives in the state)',
    },
    keep: { kind: 'integer', min: 1, summary: `How many archives stay there (default: ${KEPT})` },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, args, json, configInput } = context
      const { to, keep } = args.options
      const made = await base.backup({
        ...(typeof to === 'string' && { destination: resolve(configInput.cwd, to) }),
        ...(typeof keep === 'number' ? { keep } : to === undefined && { keep: KEPT }),
      })
      if (json) terminal.out(toJson(made))
      else {
        terminal.out(`${made.path}\n`)
        terminal.err(
          `${made.documents} documents, ${Math.round(made.bytes / 1000)} KB, ${(made.durationMs / 1000).toFixed(1)} s\n`,
        )
      }
    }),
}

export const backupList: Command = {
  name: 'backup list',
  group: 'care',
  summary: 'List the archives in the usual place, the newest first.',
  example: 'cairn backup list --folder examples/handbook',
  positionals: [],
  options: { ...BASE_OPTIONS },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, json } = context
      const backups = await base.backups()
      if (json) terminal.out(toJson({ backups }))
      else {
        const rows = backups.map(({ path, bytes, createdAt }) => [createdAt, `${bytes}`, path])
        for (const line of columns(rows)) terminal.out(`${line}\n`)
        if (backups.length === 0) terminal.err('There are no backups yet.\n')
      }
    }),
}

export const restore: Command = {
  name: 'restore',
  group: 'care',
  summary: 'Bring a base back from an archive, into a place that is empty or set aside first.',
  example: 'cairn restore "$(cairn backup --folder examples/handbook)" --into ~/restored --dry-run',
  positionals: [
    { name: 'ARCHIVE', summary: 'What "cairn backup" has made', required: true },
    { name: 'DIR', summary: 'Where the base goes; the same as --into', required: false },
  ],
  options: {
    into: { kind: 'text', placeholder: 'DIR', summary: 'Where the base goes' },
    replace: { kind: 'flag', summary: 'What is there is set aside (never deleted)' },
    'dry-run': {
      kind: 'flag',
      summary: 'Check the archive, say what would happen, change nothing',
    },
  },
  async run({ terminal, args, json, configInput }) {
    const [archive = '', place] = args.positionals
    const { into = place, replace, 'dry-run': dryRun } = args.options
    if (typeof into !== 'string' || (place ?? into) !== into) {
      throw invalid('restore needs one place.', 'Write "cairn restore ARCHIVE DIR".')
    }
    const { env, cwd, home } = configInput
    const places = { archive: resolve(cwd, archive), into: resolve(cwd, into) }
    const { planRestore, restoreBase } = await import('../../../keep/backup/restore-base.ts')
    if (dryRun === true) {
      const plan = await planRestore(places.archive, places.into)
      terminal.out(json ? toJson(plan) : planLines(plan))
      return 0
    }
    const input = { env, cwd, home }
    const report = await restoreBase({ ...places, replace: replace === true, input })
    terminal.out(json ? toJson(report) : reportLines(report))
    return report.ok ? 0 : 1
  },
}

function planLines({ into, createdAt, version, sources, documents, bytes, replaces }: RestorePlan) {
  return [
    'The archive is whole.',
    `It was made on ${createdAt} by version ${version}: ${documents} documents of ${sources.join(', ')}, ${Math.round(bytes / 1000)} KB.`,
    replaces
      ? `${cleanLine(into)} is not empty: with --replace it would be set aside.`
      : `It would go to ${cleanLine(into)}.`,
    '',
  ].join('\n')
}

function reportLines(report: RestoreReport): string {
  const { into, documentsInIndex, setAside, findings, base } = report
  const how =
    'folder' in base ? `cairn status ${base.folder}` : `cairn status --config ${base.configFile}`
  return [
    `${documentsInIndex} documents are at ${cleanLine(into)}.`,
    ...(setAside === undefined ? [] : [`What was there is at ${cleanLine(setAside)}.`]),
    ...findings
      .filter(({ level }) => level !== 'ok')
      .map(({ level, what }) => `${level}: ${cleanLine(what)}`),
    `Look at it: ${how}`,
    '',
  ].join('\n')
}
