/** Commands that change documents, show what was changed, and take it back. */
import type { CommandContext, OptionTable } from '../command.ts'
import { clean, cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { CURSOR_OPTION, limitOption } from './tool-options.ts'

const DRY_RUN = {
  'dry-run': {
    kind: 'flag',
    argument: 'dry_run',
    summary: 'Show what would happen, and change nothing',
  },
} as const satisfies OptionTable

const IF_DIGEST = {
  'if-digest': {
    kind: 'text',
    placeholder: 'DIGEST',
    argument: 'if_digest',
    summary: 'Only if the document still has this digest',
  },
} as const satisfies OptionTable

const text = (argument: string, placeholder: string, summary: string) =>
  ({ kind: 'text', argument, placeholder, summary }) as const

export const changeDocument = toolCommand({
  tool: 'write',
  summary: 'Create or change a document, and nothing else in it.',
  example:
    'cairn write append handbook/index.md --content "One more line." --dry-run --folder examples/handbook',
  positionals: [
    {
      name: 'ACTION',
      summary: 'create, replace, append, prepend, edit_section, find_replace, set_metadata or move',
      required: true,
    },
    { name: 'ID', summary: 'The document; for create its path', required: true },
  ],
  options: {
    content: text('content', 'TEXT', 'The text to write'),
    section: text('section', 'HEADING', 'The section to edit or add to'),
    'create-section': {
      kind: 'flag',
      argument: 'create_section',
      summary: 'Make the section when there is none',
    },
    find: text('find', 'TEXT', 'For find_replace: what to replace'),
    replace: text('replace', 'TEXT', 'For find_replace: what to put there'),
    count: {
      kind: 'integer',
      min: 1,
      placeholder: 'N',
      argument: 'count',
      summary: 'How often the text must be there (default: 1)',
    },
    tag: {
      kind: 'list',
      placeholder: 'TAG',
      argument: 'tags',
      summary: 'A tag to set, "+tag" to add or "-tag" to remove; may be repeated',
    },
    to: text('to', 'PATH', 'For move: the new path; links follow'),
    ...IF_DIGEST,
    ...DRY_RUN,
  },
  arguments: ([action, id]) => ({ action, id }),
  print: printChange,
})

export const deleteDocument = toolCommand({
  tool: 'delete',
  summary: 'Delete a document; "cairn undo" brings it back.',
  example: 'cairn delete handbook/index.md --dry-run --folder examples/handbook',
  positionals: [{ name: 'ID', summary: 'The document', required: true }],
  options: { ...IF_DIGEST, ...DRY_RUN },
  arguments: ([id]) => ({ id }),
  print(answer, { terminal }) {
    const done = answer['operation'] === undefined ? 'Would delete' : 'Deleted'
    terminal.out(`${done} ${cleanLine(textOf(answer['deleted']))}\n`)
    printBroken(answer, terminal)
  },
})

const SELECT = {
  since: text('since', 'WHEN', 'Only changes since, as 2026-01-31T10:00'),
  by: text('by', 'NAME', 'Only changes of this client or user'),
} as const satisfies OptionTable

export const history = toolCommand({
  tool: 'history',
  summary: 'Show what was changed, by whom and when.',
  example: 'cairn history --folder examples/handbook',
  positionals: [{ name: 'ID', summary: 'Only changes of this document', required: false }],
  options: { ...SELECT, ...limitOption(20), ...CURSOR_OPTION },
  arguments: ([id]) => ({ action: 'list', ...(id !== undefined && { id }) }),
  print(answer, context) {
    const { terminal } = context
    const operations = answersOf(answer['operations'])
    if (operations.length === 0) terminal.err('Nothing was changed yet.\n')
    const rows = operations.map((operation) => [
      textOf(operation['at']).replace('T', ' ').slice(0, 19),
      textOf(operation['id']),
      textOf(operation['action']),
      cleanLine(documentsOf(operation)),
      cleanLine(textOf(operation['principal']) || textOf(operation['client'])),
      operation['undone_by'] === undefined ? textOf(operation['state']) : 'undone',
    ])
    for (const line of columns(rows)) terminal.out(`${line}\n`)
    seeMore(answer, context)
  },
})

export const undo = toolCommand({
  tool: 'history',
  name: 'undo',
  summary: 'Take back the last change, one by its id, or all since a moment.',
  example: 'cairn undo --since 2026-01-31T10:00 --dry-run --folder examples/handbook',
  positionals: [
    {
      name: 'ID',
      summary: 'A change, as "cairn history" shows it, or a document',
      required: false,
    },
  ],
  options: { ...SELECT, ...DRY_RUN },
  arguments: ([id]) => ({ action: 'undo', ...(id !== undefined && { id }) }),
  print: printChange,
})

function printChange(answer: Answer, { terminal }: CommandContext): void {
  terminal.out(clean(textOf(answer['diff'])))
  const rewritten = textOf(answer['links_rewritten'])
  if (rewritten !== '') terminal.err(`${rewritten} links were rewritten.\n`)
  printBroken(answer, terminal)
  const warnings = answer['warnings']
  for (const warning of Array.isArray(warnings) ? warnings : []) {
    terminal.err(`warning: ${cleanLine(textOf(warning))}\n`)
  }
  const operation = textOf(answer['operation'])
  terminal.err(
    operation === '' ? 'Nothing was changed.\n' : `Done; undo with: cairn undo ${operation}\n`,
  )
}

function printBroken(answer: Answer, terminal: CommandContext['terminal']): void {
  for (const { id, target } of answersOf(answer['broken_links'])) {
    terminal.err(`Now leads nowhere: ${cleanLine(`${textOf(target)} in ${textOf(id)}`)}\n`)
  }
}

function documentsOf(operation: Answer): string {
  const documents = operation['documents']
  const names = Array.isArray(documents) ? documents.map(textOf) : []
  const more = names.length - 1 + Number(operation['more'] ?? 0)
  return more > 0 ? `${names[0]} and ${more} more` : (names[0] ?? '')
}
