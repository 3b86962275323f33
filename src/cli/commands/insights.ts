import { factLines } from '../facts.ts'
import { toolCommand } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { CURSOR_OPTION, limitOption } from './tool-options.ts'

export const insights = toolCommand({
  tool: 'insights',
  summary: 'Report on the base as a whole: hubs, orphans, broken links and more.',
  example: 'cairn insights broken_links --folder examples/handbook',
  positionals: [
    {
      name: 'REPORT',
      summary: 'overview, hubs, orphans, broken_links, stale, duplicates, coverage, tags or random',
      required: false,
    },
  ],
  options: {
    metric: {
      kind: 'text',
      placeholder: 'NAME',
      choices: ['in_degree', 'out_degree', 'pagerank'],
      argument: 'metric',
      summary: 'For hubs, what counts',
    },
    files: {
      kind: 'text',
      placeholder: 'STATE',
      choices: ['indexed', 'skipped', 'failed'],
      argument: 'state',
      summary: 'For coverage, which files',
    },
    ...limitOption(20),
    ...CURSOR_OPTION,
  },
  // People type hyphens where the tool has underscores.
  arguments: ([report]) => (report === undefined ? {} : { report: report.replaceAll('-', '_') }),
  print(answer, context) {
    for (const line of factLines(answer)) context.terminal.out(`${line}\n`)
    seeMore(answer, context)
  },
})
