import type { CliBase, Finding } from '../base.ts'
import { clientFindings } from '../client-findings.ts'
import { BASE_OPTIONS, FOLDERS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { asRun, forSameBase } from '../shell-words.ts'
import { cleanLine, toJson } from '../terminal.ts'
import type { Style } from '../terminal.ts'
import { placesOf } from './connect.ts'

export const doctor: Command = {
  group: 'care',
  name: 'doctor',
  summary: 'Check the base and say what is wrong and how to mend it.',
  example: 'cairn doctor examples/handbook',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    repair: { kind: 'flag', summary: 'Mend what can be mended; never touches your documents' },
    secrets: { kind: 'flag', summary: 'List what looks like a key or a token, and nothing else' },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal } = context
      if (context.args.options['secrets'] === true) return listSecrets(context, base)
      const { findings: own } = await base.doctor({
        repair: context.args.options['repair'] === true,
      })
      const findings = [...own, ...clientFindings(placesOf(context))].map((finding) => ({
        ...finding,
        ...(finding.fix !== undefined && { fix: asRun(forSameBase(finding.fix, context.words)) }),
      }))
      const report = { ok: findings.every(({ level }) => level !== 'error'), findings }
      if (context.json) terminal.out(toJson(report))
      else
        for (const finding of report.findings) terminal.out(findingLines(finding, terminal.style))
      return report.ok ? 0 : 1
    }),
}

function findingLines({ level, what, fix }: Finding, style: Style): string {
  const mark = {
    ok: style.green('ok     '),
    warning: style.yellow('warning'),
    error: style.red('error  '),
  }[level]
  const advice = fix === undefined ? '' : `        fix: ${cleanLine(fix)}\n`
  return `${mark} ${cleanLine(what)}\n${advice}`
}

/** Where, never what: the list may be sent to somebody. */
async function listSecrets({ terminal, json }: CommandContext, base: CliBase): Promise<ExitCode> {
  const found: { readonly id: string; readonly line: number; readonly kind: string }[] = []
  for await (const { id, secrets } of base.texts()) {
    for (const { kind, line } of secrets) found.push({ id, line, kind })
  }
  if (json) terminal.out(toJson({ secrets: found }))
  for (const { id, line, kind } of json ? [] : found) {
    terminal.out(`${cleanLine(id)}:${line}  ${kind}\n`)
  }
  if (!json && found.length === 0) terminal.err('Nothing looks like a key or a token.\n')
  return found.length > 0 ? 1 : 0
}
