import type { CommandContext } from '../command.ts'
import type { Places } from '../places.ts'
import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { Answer, ToolPresentation } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

const NEIGHBORS = {
  tool: 'neighbors',
  group: 'find',
  words: [
    {
      name: 'ID',
      argument: 'id',
      summary: 'Path, id, title or alias of a document',
      required: true,
      isDocument: true,
    },
  ],
  found: (answer) => answersOf(answer['neighbors']).length > 0,
  print,
} as const satisfies Partial<ToolPresentation>

const TYPES = {
  summary: 'Only LINKS_TO, DESCRIBES or RELATES:<predicate>; may be repeated',
} as const

export const neighbors: ToolPresentation = {
  ...NEIGHBORS,
  summary: 'Show what a document links to and what links to it.',
  example: 'cairn neighbors handbook/index.md --direction out --folder examples/handbook',
  spellings: {
    direction: { placeholder: 'WAY', summary: 'Which links to follow' },
    depth: { summary: 'How many links away' },
    types: TYPES,
    as: { summary: 'Add the links themselves to the JSON answer, with "graph"' },
  },
}

export const backlinks: ToolPresentation = {
  ...NEIGHBORS,
  name: 'backlinks',
  summary: 'Show which documents link to one.',
  example: 'cairn backlinks handbook/glossary.md --folder examples/handbook',
  fixed: { direction: 'in', as: undefined },
  spellings: { depth: { summary: 'How many links away' }, types: TYPES },
}

function print(answer: Answer, context: CommandContext, places: Places): void {
  const { terminal } = context
  const found = answersOf(answer['neighbors'])
  if (found.length === 0) terminal.err('No links.\n')
  const rows = found.map((item) => [
    arrow(item),
    places.shown(textOf(item['id'])),
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
}

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
