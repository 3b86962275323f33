import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

export const neighbors = toolCommand({
  tool: 'neighbors',
  summary: 'Show what a document links to and what links to it.',
  example: 'cairn neighbors handbook/index.md --direction out --folder examples/handbook',
  positionals: [{ name: 'ID', summary: 'Id, path, title or alias of a document', required: true }],
  options: {
    direction: {
      kind: 'text',
      placeholder: 'WAY',
      choices: ['both', 'in', 'out'],
      argument: 'direction',
      summary: 'Which links to follow',
    },
    depth: {
      kind: 'integer',
      min: 1,
      placeholder: 'N',
      argument: 'depth',
      summary: 'How many links away (default: 1)',
    },
    limit: {
      kind: 'integer',
      short: 'n',
      min: 1,
      placeholder: 'N',
      argument: 'limit',
      summary: 'How many (default: 20)',
    },
    cursor: {
      kind: 'text',
      placeholder: 'CURSOR',
      argument: 'cursor',
      summary: 'Continue where an earlier answer stopped',
    },
  },
  arguments: ([id]) => ({ id }),
  print(answer, context) {
    const { terminal } = context
    const found = answersOf(answer['neighbors'] ?? answer['results'] ?? answer['items'])
    if (found.length === 0) terminal.err('No links.\n')
    const rows = found.map((item) => [
      arrow(item),
      cleanLine(textOf(item['id'])),
      cleanLine(textOf(item['title'])),
    ])
    for (const line of columns(rows, ' ')) terminal.out(`${line}\n`)
    seeMore(answer, context)
  },
})

/** `->` away from the document, `<-` towards it, one dash more per further hop. */
function arrow(item: Answer): string {
  const hops = Number(item['hops'] ?? item['distance'] ?? 1)
  const shaft = '-'.repeat(Math.min(Math.max(hops, 1), 5))
  const direction = item['direction']
  if (direction === 'out') return `${shaft}>`
  if (direction === 'in') return `<${shaft}`
  return direction === 'both' ? `<${shaft}>` : `${shaft}-`
}
