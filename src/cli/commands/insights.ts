import { factLines } from '../facts.ts'
import { toolCommand } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

export const insights = toolCommand({
  tool: 'insights',
  summary: 'Report on the base as a whole: hubs, orphans, broken links and more.',
  example: 'cairn insights broken_links --folder examples/handbook',
  positionals: [
    {
      name: 'REPORT',
      summary: 'overview, hubs, orphans, broken_links, stale, tags, … (default: overview)',
      required: false,
    },
  ],
  options: {
    metric: {
      kind: 'text',
      placeholder: 'NAME',
      argument: 'metric',
      summary: 'What to measure, where a report can choose',
    },
    limit: {
      kind: 'integer',
      short: 'n',
      min: 1,
      placeholder: 'N',
      argument: 'limit',
      summary: 'How many rows',
    },
  },
  // People type hyphens where the tool has underscores.
  arguments: ([report]) => (report === undefined ? {} : { report: report.replaceAll('-', '_') }),
  print(answer, context) {
    for (const line of factLines(answer)) context.terminal.out(`${line}\n`)
    seeMore(answer, context)
  },
})
