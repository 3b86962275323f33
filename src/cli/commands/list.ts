import { sayWhen } from '../parse-when.ts'
import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { ToolPresentation } from '../tool-command.ts'
import { PATHS_OPTION, printPaths, SINCE_OPTION } from './search.ts'
import { seeMore } from './see-more.ts'

const LIST = {
  tool: 'list',
  group: 'find',
  options: { ...SINCE_OPTION, ...PATHS_OPTION },
  found: (answer) => answersOf(answer['items']).length > 0,
} as const satisfies Partial<ToolPresentation>

export const list: ToolPresentation = {
  ...LIST,
  summary: 'List documents by folder, tag, type or date.',
  example: 'cairn list --tag runbook --folder examples/handbook',
  // `cairn tasks` lists tasks; columns and outlines are for calls.
  fixed: { of: undefined, columns: undefined },
  spellings: { sort: { placeholder: 'KEY', summary: 'Order (default: path)' } },
  print(answer, context, places) {
    const { terminal } = context
    const items = answersOf(answer['items'])
    if (context.args.options['paths-only'] === true) printPaths(items, context, places)
    else {
      const rows = items.map((item) => [
        textOf(item['updated']).slice(0, 10),
        places.shown(textOf(item['id'])),
        cleanLine(textOf(item['title'])),
      ])
      for (const line of columns(rows)) terminal.out(`${line}\n`)
    }
    terminal.err(`${items.length} of ${textOf(answer['total']) || items.length} documents\n`)
    seeMore(answer, context)
  },
}

export const recent: ToolPresentation = {
  ...LIST,
  name: 'recent',
  summary: 'List the documents changed last.',
  example: 'cairn recent -n 5 --folder examples/handbook',
  fixed: { sort: 'updated', of: undefined, columns: undefined },
  spellings: { limit: { summary: 'How many (default: 20)' } },
  prepare: (args) => ({ limit: 20, ...args }),
  print(answer, context, places) {
    const items = answersOf(answer['items'])
    if (items.length === 0) context.terminal.err('Nothing.\n')
    if (context.args.options['paths-only'] === true) printPaths(items, context, places)
    else {
      const rows = items.map((item) => [
        sayWhen(textOf(item['updated']), context.now()),
        places.shown(textOf(item['id'])),
        cleanLine(textOf(item['title'])),
      ])
      for (const line of columns(rows)) context.terminal.out(`${line}\n`)
    }
  },
}
