/** Commands that change documents, show what was changed, and take it back. */
import type { CommandContext } from '../command.ts'
import type { Places } from '../places.ts'
import { baseWords, shellLine } from '../shell-words.ts'
import { sayWhen } from '../parse-when.ts'
import { clean, cleanLine, columns } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { Answer, ArgumentWord, ToolPresentation } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

const ID: ArgumentWord = {
  name: 'ID',
  argument: 'id',
  summary: 'The document: path, id, title or alias',
  required: true,
  isDocument: true,
}

/** Actions that take a text: what is piped in is meant where none is given. */
const TEXTS = new Set(['create', 'replace', 'append', 'prepend', 'edit_section'])

export const changeDocument: ToolPresentation = {
  tool: 'write',
  group: 'change',
  summary: 'Create or change a document, and nothing else in it.',
  example:
    'cairn write append handbook/index.md "One more line." --dry-run --folder examples/handbook',
  words: [
    {
      name: 'ACTION',
      argument: 'action',
      summary: 'create, replace, append, prepend, edit_section, find_replace, set_metadata or move',
      required: true,
    },
    { ...ID, summary: 'The document; for create its path' },
    {
      name: 'CONTENT',
      argument: 'content',
      summary: 'The text to write; - or a pipe reads it from standard input',
      required: false,
      mayBeInput: true,
      isOptionToo: true,
    },
  ],
  spellings: {
    content: { mayBeInput: true, summary: 'The same as CONTENT' },
    section: { placeholder: 'HEADING', summary: 'The section to edit or add to' },
    create_section: { summary: 'Make the section when there is none' },
    find: { mayBeInput: true, summary: 'For find_replace: what to replace' },
    replace: { mayBeInput: true, mayBeEmpty: true, summary: 'For find_replace: what to put there' },
    count: { summary: 'How often the text must be there (default: 1)' },
    metadata: { summary: 'For set_metadata: front matter keys; null removes one' },
    tags: { summary: 'A tag to set, "+tag" to add or "=-tag" to remove; may be repeated' },
    to: { placeholder: 'PATH', summary: 'For move: the new path; links follow' },
  },
  // A shell runs several commands; `edits` is for calls.
  fixed: { edits: undefined },
  async prepare({ action, ...args }, { input }) {
    // People type hyphens where the tool has underscores.
    const named = { ...args, action: String(action).replaceAll('-', '_') }
    const isPiped = args['content'] === undefined && !input.isTerminal && TEXTS.has(named.action)
    const piped = isPiped ? await input.text() : ''
    return piped === '' ? named : { ...named, content: piped }
  },
  print: printChange,
}

export const deleteDocument: ToolPresentation = {
  tool: 'delete',
  group: 'change',
  summary: 'Delete a document; "cairn undo" brings it back.',
  example: 'cairn delete handbook/index.md --dry-run --folder examples/handbook',
  words: [ID],
  print(answer, context, places) {
    const done = answer['operation'] === undefined ? 'Would delete' : 'Deleted'
    context.terminal.out(`${done} ${places.shown(textOf(answer['deleted']))}\n`)
    printBroken(answer, context.terminal)
    sayUndo(answer, context)
  },
}

export const history: ToolPresentation = {
  tool: 'history',
  group: 'change',
  summary: 'Show what was changed, by whom and when.',
  example: 'cairn history --folder examples/handbook',
  words: [{ ...ID, summary: 'Only changes of this document', required: false }],
  fixed: { action: 'list', dry_run: undefined },
  found: (answer) => ['operations', 'commits'].some((key) => answersOf(answer[key]).length > 0),
  print(answer, context) {
    const { terminal } = context
    const operations = answersOf(answer['operations'])
    const commits = answersOf(answer['commits'])
    if (operations.length + commits.length === 0) terminal.err('Nothing was changed yet.\n')
    const rows = operations.map((operation) => [
      terminal.outIsTerminal
        ? sayWhen(textOf(operation['at']), context.now())
        : textOf(operation['at']).replace('T', ' ').slice(0, 19),
      textOf(operation['id']),
      textOf(operation['action']),
      cleanLine(documentsOf(operation)),
      cleanLine(textOf(operation['principal']) || textOf(operation['client'])),
      operation['undone_by'] === undefined ? textOf(operation['state']) : 'undone',
    ])
    for (const { at, commit, author, message } of commits) {
      rows.push([
        terminal.outIsTerminal
          ? sayWhen(textOf(at), context.now())
          : textOf(at).replace('T', ' ').slice(0, 19),
        textOf(commit),
        'commit',
        cleanLine(textOf(message)),
        cleanLine(textOf(author)),
        'git',
      ])
    }
    for (const line of columns(rows)) terminal.out(`${line}\n`)
    printWarnings(answer, terminal)
    seeMore(answer, context)
  },
}

export const undo: ToolPresentation = {
  tool: 'history',
  name: 'undo',
  group: 'change',
  summary: 'Take back the last change, one by its id, or all since a moment.',
  example: 'cairn undo --since 2026-01-31T10:00 --dry-run --folder examples/handbook',
  words: [
    {
      ...ID,
      summary: 'A change, as "cairn history" shows it, or a document',
      required: false,
    },
  ],
  fixed: { action: 'undo', sentence: undefined, limit: undefined, cursor: undefined },
  print: printChange,
}

function printChange(answer: Answer, context: CommandContext, _places: Places): void {
  const { terminal } = context
  terminal.out(clean(textOf(answer['diff'])))
  const rewritten = textOf(answer['links_rewritten'])
  if (rewritten !== '') terminal.err(`${rewritten} links were rewritten.\n`)
  printBroken(answer, terminal)
  printWarnings(answer, terminal)
  if (textOf(answer['operation']) === '') terminal.err('Nothing was changed.\n')
  else sayUndo(answer, context)
}

function printWarnings(answer: Answer, terminal: CommandContext['terminal']): void {
  const warnings = answer['warnings']
  for (const warning of Array.isArray(warnings) ? warnings : []) {
    terminal.err(`warning: ${cleanLine(textOf(warning))}\n`)
  }
}

/** The command that takes it back, for the same base. */
function sayUndo(answer: Answer, { terminal, words }: CommandContext): void {
  const operation = textOf(answer['operation'])
  if (operation === '') return
  const line = shellLine(['cairn', 'undo', operation, ...baseWords(words)])
  terminal.err(`Done; undo with: ${clean(line)}\n`)
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
