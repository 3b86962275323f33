import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

export const list = toolCommand({
  tool: 'list',
  summary: 'List documents, newest first.',
  example: 'cairn list --tag runbook --folder examples/handbook',
  positionals: [],
  options: {
    source: { kind: 'text', placeholder: 'NAME', argument: 'source', summary: 'Only this source' },
    path: {
      kind: 'text',
      placeholder: 'GLOB',
      argument: 'path',
      summary: 'Only documents whose path matches',
    },
    tag: {
      kind: 'text',
      placeholder: 'TAG',
      argument: 'tag',
      summary: 'Only documents with this tag',
    },
    kind: {
      kind: 'text',
      placeholder: 'KIND',
      argument: 'kind',
      summary: 'Only things of this kind',
    },
    sort: {
      kind: 'text',
      placeholder: 'KEY',
      choices: ['updated', 'created', 'title', 'path'],
      argument: 'sort',
      summary: 'Order',
    },
    limit: {
      kind: 'integer',
      short: 'n',
      min: 1,
      placeholder: 'N',
      argument: 'limit',
      summary: 'How many (default: 50)',
    },
    cursor: {
      kind: 'text',
      placeholder: 'CURSOR',
      argument: 'cursor',
      summary: 'Continue where an earlier answer stopped',
    },
  },
  arguments: () => ({}),
  print(answer, context) {
    const { terminal } = context
    const items = answersOf(answer['items'])
    const rows = items.map((item) => [
      textOf(item['updated']).slice(0, 10),
      cleanLine(textOf(item['id'])),
      cleanLine(textOf(item['title'])),
    ])
    for (const line of columns(rows)) terminal.out(`${line}\n`)
    terminal.err(`${items.length} of ${textOf(answer['total']) || items.length} documents\n`)
    seeMore(answer, context)
  },
})
