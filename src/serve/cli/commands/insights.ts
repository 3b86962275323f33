import { factLines } from '../facts.ts'
import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { ToolPresentation } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

export const insights: ToolPresentation = {
  tool: 'insights',
  group: 'find',
  summary: 'Report on the base as a whole: hubs, orphans, broken links and more.',
  example: 'cairn insights broken_links --folder examples/handbook',
  words: [
    {
      name: 'REPORT',
      argument: 'report',
      summary:
        'overview, hubs, orphans, broken_links, stale, duplicates, coverage, lifecycle, entropy, mentions, regions, tags or random',
      required: false,
    },
  ],
  spellings: {
    metric: { placeholder: 'NAME', summary: 'For hubs, what counts' },
    // "state" is where the index is kept.
    state: { flag: 'files', placeholder: 'STATE', summary: 'For coverage, which files' },
    seed: { summary: 'For random: the same number picks the same document' },
  },
  // People type hyphens where the tool has underscores.
  prepare: ({ report, ...args }) =>
    typeof report === 'string' ? { report: report.replaceAll('-', '_'), ...args } : args,
  print(answer, context) {
    for (const line of factLines(answer)) context.terminal.out(`${line}\n`)
    seeMore(answer, context)
  },
}

export const tags: ToolPresentation = {
  tool: 'insights',
  name: 'tags',
  group: 'find',
  summary: 'List the tags, the most used first.',
  example: 'cairn tags --folder examples/handbook',
  fixed: { report: 'tags', metric: undefined, state: undefined, seed: undefined },
  spellings: { limit: { summary: 'How many (default: 100)' } },
  words: [],
  prepare: (args) => ({ limit: 100, ...args }),
  found: (answer) => answersOf(answer['items']).length > 0,
  print(answer, context) {
    const items = answersOf(answer['items'])
    if (items.length === 0) context.terminal.err('No tags.\n')
    const rows = items.map((item) => {
      const [name = '', count = ''] = Object.values(item).map(textOf)
      return [cleanLine(`#${name}`), count]
    })
    for (const line of columns(rows)) context.terminal.out(`${line}\n`)
    seeMore(answer, context)
  },
}
