import { setTimeout as wait } from 'node:timers/promises'
import { invalid } from '../../../core/domain/error.ts'
import type { CliBase } from '../base.ts'
import { BASE_OPTIONS, FOLDERS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { factLines } from '../facts.ts'
import { statusLines } from '../status-view.ts'
import type { StatusFacts } from '../status-view.ts'
import { toJson } from '../terminal.ts'

const REDRAW_MS = 2_000

export const status: Command = {
  group: 'care',
  name: 'status',
  summary: 'Show what is indexed, and how fresh it is.',
  example: 'cairn status examples/handbook',
  positionals: [FOLDERS],
  takesFolders: true,
  options: {
    watch: { kind: 'flag', short: 'w', summary: 'Draw it again every two seconds' },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, args, json } = context
      if (args.options['watch'] === true) return follow(base, context)
      if (json) terminal.out(toJson(await base.status()))
      else if (terminal.outIsTerminal) terminal.out(await drawn(base, context))
      else terminal.out(`${factLines(await base.status()).join('\n')}\n`)
    }),
}

async function follow(base: CliBase, context: CommandContext): Promise<ExitCode> {
  const { terminal, onStop } = context
  if (!terminal.outIsTerminal || context.json) {
    throw invalid('--watch draws on a terminal.', 'Leave it out, or ask with --json.')
  }
  const stop = new AbortController()
  onStop(() => stop.abort())
  while (!stop.signal.aborted) {
    // From the top of a clean screen, so that nothing of the last picture stays.
    terminal.out(`\u001b[H\u001b[2J${await drawn(base, context)}`)
    await wait(REDRAW_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
  return 0
}

async function drawn(base: CliBase, context: CommandContext): Promise<string> {
  const report = async (name: string) =>
    (await base.call('insights', { report: name, limit: 5 })).structured
  const facts: StatusFacts = {
    status: await base.status(),
    overview: await report('overview'),
    hubs: await report('hubs'),
    tags: await report('tags'),
    recent: (await base.call('list', { sort: 'updated', limit: 500 })).structured,
  }
  const { style } = context.terminal
  const look = { style, places: await context.places(), now: context.now(), words: context.words }
  return `${statusLines(facts, look).join('\n')}\n`
}
