import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { CURSOR_OPTION, limitOption } from './tool-options.ts'

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
    type: {
      kind: 'list',
      placeholder: 'TYPE',
      argument: 'types',
      summary: 'Only LINKS_TO, DESCRIBES or RELATES:<predicate>; may be repeated',
    },
    ...limitOption(20),
    ...CURSOR_OPTION,
  },
  arguments: ([id]) => ({ id }),
  print(answer, context) {
    const { terminal } = context
    const found = answersOf(answer['neighbors'])
    if (found.length === 0) terminal.err('No links.\n')
    const rows = found.map((item) => [
      arrow(item),
      cleanLine(textOf(item['id'])),
      cleanLine(textOf(item['title'])),
      typesOf(item),
    ])
    for (const line of columns(rows, ' ')) terminal.out(`${line}\n`)
    const unresolved = answer['unresolved_links']
    if (Array.isArray(unresolved) && unresolved.length > 0) {
      terminal.err(
        `Links to nothing: ${unresolved.map((target) => cleanLine(textOf(target))).join(', ')}\n`,
      )
    }
    seeMore(answer, context)
  },
})

/** What leads there, where it is more than a link. */
function typesOf({ types }: Answer): string {
  return Array.isArray(types) ? cleanLine(types.map(textOf).join(', ')) : ''
}

/** `->` away from the document, `<-` towards it, one dash more per further hop. */
function arrow(item: Answer): string {
  const hops = Number(item['hops'] ?? 1)
  const shaft = '-'.repeat(Math.min(Math.max(hops, 1), 5))
  const direction = item['direction']
  if (direction === 'out') return `${shaft}>`
  if (direction === 'in') return `<${shaft}`
  return direction === 'both' ? `<${shaft}>` : `${shaft}-`
}
