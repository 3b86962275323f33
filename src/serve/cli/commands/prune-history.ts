import { parseBytes, parseDuration } from '../../../core/kit/amounts.ts'
import { invalid, quoted } from '../../../core/domain/error.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { toJson } from '../terminal.ts'

export const pruneHistory: Command = {
  name: 'history prune',
  group: 'care',
  summary: 'Forget old changes: what is forgotten cannot be undone any more.',
  example: 'cairn history prune --age 1y --dry-run --folder examples/handbook',
  positionals: [],
  options: {
    age: { kind: 'text', placeholder: 'AGE', summary: 'Forget changes older than this, as 90d' },
    size: { kind: 'text', placeholder: 'SIZE', summary: 'Keep the newest up to this, as 500MB' },
    'dry-run': { kind: 'flag', summary: 'Show what would happen, and change nothing' },
    ...BASE_OPTIONS,
  },
  run: (context) => {
    const { age, size, 'dry-run': dryRun } = context.args.options
    const options = {
      ...(typeof age === 'string' && { ageMs: amount('--age', age, parseDuration) }),
      ...(typeof size === 'string' && { bytes: amount('--size', size, parseBytes) }),
      dryRun: dryRun === true,
    }
    return context.withBase(async (base) => {
      const { terminal } = context
      const pruned = await base.pruneHistory(options)
      const done = options.dryRun ? 'Would forget' : 'Forgot'
      const kilobytes = Math.round(pruned.bytes / 1000)
      if (context.json) terminal.out(toJson(pruned))
      else
        terminal.out(
          `${done} ${pruned.operations} changes (${kilobytes} KB); ${pruned.kept} are kept.\n`,
        )
      return 0
    })
  },
}

function amount(option: string, text: string, parse: (text: string) => number | undefined): number {
  const value = parse(text)
  if (value !== undefined) return value
  throw invalid(
    `${option} cannot be ${quoted(text)}.`,
    'Write an age such as 90d, or a size such as 500MB.',
  )
}
