import { cleanLine } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { ToolPresentation } from '../tool-command.ts'

export const path: ToolPresentation = {
  tool: 'path',
  group: 'find',
  summary: 'Show the shortest way from one document to another along links.',
  example: 'cairn path handbook/index.md handbook/glossary.md --folder examples/handbook',
  words: [
    {
      name: 'FROM',
      argument: 'from',
      summary: 'Where to start: path, id, title or alias',
      required: true,
      isDocument: true,
    },
    { name: 'TO', argument: 'to', summary: 'Where to arrive', required: true, isDocument: true },
  ],
  spellings: {
    directed: { summary: 'Follow links only the way they point' },
    mentions: { summary: 'Names in the text count too' },
    max_hops: { summary: 'Give up beyond this many links' },
  },
  found: (answer) => answer['found'] !== false,
  print(answer, { terminal }, places) {
    if (answer['found'] === false) {
      terminal.err('No path.\n')
      return
    }
    for (const [index, step] of answersOf(answer['path']).entries()) {
      const types = Array.isArray(step['types']) ? step['types'].map(textOf) : []
      const via = cleanLine([textOf(step['via']), ...types].filter((word) => word !== '').join(' '))
      const title = terminal.style.bold(cleanLine(textOf(step['title'])))
      const id = terminal.style.cyan(places.shown(textOf(step['id'])))
      terminal.out(
        `${index === 0 ? '' : '-> '}${title}  ${id}${via === '' ? '' : terminal.style.dim(`  (${via})`)}\n`,
      )
    }
  },
}
