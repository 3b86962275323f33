import { cleanLine } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'

export const path = toolCommand({
  tool: 'path',
  summary: 'Show the shortest way from one document to another along links.',
  example: 'cairn path handbook/index.md handbook/glossary.md --folder examples/handbook',
  positionals: [
    { name: 'FROM', summary: 'Where to start: id, path, title or alias', required: true },
    { name: 'TO', summary: 'Where to arrive', required: true },
  ],
  options: {
    directed: {
      kind: 'flag',
      argument: 'directed',
      summary: 'Follow links only the way they point',
    },
    'max-hops': {
      kind: 'integer',
      min: 1,
      placeholder: 'N',
      argument: 'max_hops',
      summary: 'Give up beyond this many links (default: 10)',
    },
  },
  arguments: ([from, to]) => ({ from, to }),
  print(answer, { terminal }) {
    if (answer['found'] === false) {
      terminal.err('No path.\n')
      return
    }
    for (const [index, step] of answersOf(answer['path']).entries()) {
      const types = Array.isArray(step['types']) ? step['types'].map(textOf) : []
      const via = cleanLine([textOf(step['via']), ...types].filter((word) => word !== '').join(' '))
      const title = terminal.style.bold(cleanLine(textOf(step['title'])))
      const id = terminal.style.cyan(cleanLine(textOf(step['id'])))
      terminal.out(
        `${index === 0 ? '' : '-> '}${title}  ${id}${via === '' ? '' : terminal.style.dim(`  (${via})`)}\n`,
      )
    }
  },
})
