import { orElse } from '../../../core/kit/or-else.ts'
import { invalid, quoted, upstream } from '../../../core/domain/error.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { factLines } from '../facts.ts'
import { toJson } from '../terminal.ts'

export const recipeList: Command = {
  name: 'recipe list',
  group: 'care',
  summary: 'List the recipes of a base and those that are bundled.',
  example: 'cairn recipe list --folder examples/handbook',
  positionals: [],
  options: { ...BASE_OPTIONS },
  run: (context) => admin(context, {}),
}

export const recipeRun: Command = {
  name: 'recipe run',
  group: 'care',
  summary: 'Call several tools one after the other, with checks, as a recipe says.',
  example: 'cairn recipe run stale-audit --dry-run --folder examples/handbook',
  positionals: [{ name: 'RECIPE', summary: 'Its name', required: true }],
  options: {
    var: { kind: 'list', placeholder: 'NAME=VALUE', summary: 'A variable; may be repeated' },
    'dry-run': { kind: 'flag', summary: 'Show what would be done, and do nothing' },
    ...BASE_OPTIONS,
  },
  run: (context) => {
    const { var: given, 'dry-run': dryRun } = context.args.options
    const vars = Array.isArray(given) ? given.map(String).map(parseVariable) : []
    return admin(context, {
      name: context.args.positionals[0],
      ...(vars.length > 0 && { vars: Object.fromEntries(vars) }),
      ...(dryRun === true && { dry_run: true }),
    })
  },
}

function admin(context: CommandContext, args: Record<string, unknown>): Promise<ExitCode | void> {
  return context.withBase(async (base) => {
    const { structured, isError } = await base.call('admin', { action: 'recipe', ...args })
    if (isError) {
      const { message = '', hint = '' } = (structured['error'] ?? {}) as Record<string, string>
      throw upstream(message, hint)
    }
    const { terminal, json } = context
    terminal.out(json ? toJson(structured) : `${factLines(structured).join('\n')}\n`)
    return 0
  })
}

/** `limit=3` is a number; what is no JSON is a text. */
function parseVariable(text: string): readonly [string, unknown] {
  const [, name, value = ''] = /^([A-Za-z_][\w-]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined) {
    throw invalid(`--var cannot be ${quoted(text)}.`, 'Write --var=name=value.')
  }
  return orElse(() => [name, JSON.parse(value)], [name, value])
}
