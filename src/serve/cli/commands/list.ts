import { sayWhen } from '../parse-when.ts'
import { cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { CommandContext } from '../command.ts'
import type { Answer, ToolPresentation } from '../tool-command.ts'
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
  // `cairn tasks` lists tasks, `cairn outline` headings.
  fixed: { of: undefined },
  spellings: {
    sort: { placeholder: 'KEY', summary: 'Order (default: path)' },
    columns: { flag: 'column', placeholder: 'KEY', summary: 'Show this property; may be repeated' },
  },
  print(answer, context, places) {
    const { terminal } = context
    const items = answersOf(answer['items'])
    if (context.args.options['paths-only'] === true) printPaths(items, context, places)
    else {
      const keys = wantedColumns(context)
      const rows = items.map((item) =>
        keys.length > 0
          ? [places.shown(textOf(item['id'])), ...keys.map((key) => cellOf(item, key))]
          : [
              textOf(item['updated']).slice(0, 10),
              places.shown(textOf(item['id'])),
              cleanLine(textOf(item['title'])),
            ],
      )
      const head = keys.length > 0 && rows.length > 0 ? [['path', ...keys.map(cleanLine)]] : []
      for (const line of columns([...head, ...rows])) terminal.out(`${line}\n`)
    }
    terminal.err(`${items.length} of ${textOf(answer['total']) || items.length} documents\n`)
    seeMore(answer, context)
  },
}

function wantedColumns({ args }: CommandContext): readonly string[] {
  const named = args.options['column']
  return Array.isArray(named) ? named.map(textOf) : []
}

function cellOf(item: Answer, key: string): string {
  const value = (item['properties'] as Answer | undefined)?.[key]
  const isPlain = !Array.isArray(value) || value.some((each) => typeof each === 'object')
  if (!isPlain) return cleanLine(value.join(', '))
  return cleanLine(
    typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value),
  )
}

export const outline: ToolPresentation = {
  ...LIST,
  name: 'outline',
  summary: 'Show the headings of a note or of the notes in a folder, with their lines.',
  example: 'cairn outline runbooks --folder examples/handbook',
  words: [
    { name: 'PATH', argument: 'path', summary: 'A note, a folder or a glob', required: false },
  ],
  fixed: { of: 'outline', columns: undefined },
  spellings: { sort: { placeholder: 'KEY', summary: 'Order (default: path)' } },
  print(answer, context, places) {
    const { terminal } = context
    const items = answersOf(answer['items'])
    if (items.length === 0) terminal.err('Nothing.\n')
    if (context.args.options['paths-only'] === true) printPaths(items, context, places)
    else {
      for (const [index, item] of items.entries()) {
        const place = terminal.style.cyan(places.link(textOf(item['id'])))
        const title = terminal.style.bold(cleanLine(textOf(item['title'])))
        terminal.out(`${index > 0 ? '\n' : ''}${title}  ${place}\n`)
        for (const { level, text, line } of answersOf(item['headings'])) {
          const indent = '  '.repeat(Math.max(0, Number(level) - 1))
          terminal.out(`${textOf(line).padStart(6)}  ${indent}${cleanLine(textOf(text))}\n`)
        }
      }
    }
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
