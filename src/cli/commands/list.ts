import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { CURSOR_OPTION, SELECTION_OPTIONS, limitOption } from './tool-options.ts'

export const list = toolCommand({
  tool: 'list',
  summary: 'List documents by folder, tag, type or date.',
  example: 'cairn list --tag runbook --folder examples/handbook',
  positionals: [],
  options: {
    ...SELECTION_OPTIONS,
    sort: {
      kind: 'text',
      placeholder: 'KEY',
      choices: ['path', 'title', 'updated', 'created'],
      argument: 'sort',
      summary: 'Order (default: path)',
    },
    ...limitOption(50),
    ...CURSOR_OPTION,
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
