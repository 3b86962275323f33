import { invalid, quoted } from '../../domain/error.ts'
import { clean, cleanLine } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

export const fetchDocuments = toolCommand({
  tool: 'fetch',
  summary: 'Print documents, or a section or some lines of one.',
  example: 'cairn fetch handbook/runbooks/roll-back-a-release.md --folder examples/handbook',
  positionals: [
    { name: 'ID', summary: 'Id, path, title or alias of a document', required: true, many: true },
  ],
  options: {
    section: {
      kind: 'text',
      placeholder: 'HEADING',
      argument: 'section',
      summary: 'Only the part under this heading',
    },
    lines: { kind: 'text', placeholder: 'A-B', argument: 'lines', summary: 'Only these lines' },
    include: {
      kind: 'list',
      placeholder: 'PART',
      choices: ['links', 'backlinks', 'relations', 'symbols', 'metadata'],
      argument: 'include',
      summary: 'Add to the JSON answer; may be repeated',
    },
    'max-tokens': {
      kind: 'integer',
      min: 1,
      placeholder: 'N',
      argument: 'max_tokens',
      summary: 'Cut the text after about so many tokens',
    },
  },
  arguments(ids) {
    const empty = ids.find((id) => id.trim() === '')
    if (empty !== undefined)
      throw invalid(`${quoted(empty)} is no id.`, 'List documents with "cairn list".')
    return ids.length === 1 ? { id: ids[0] } : { ids }
  },
  print(answer, context) {
    const { terminal } = context
    const items = Array.isArray(answer['items']) ? answersOf(answer['items']) : [answer]
    for (const item of items) {
      if (items.length > 1)
        terminal.out(`${terminal.style.bold(`==> ${cleanLine(textOf(item['id']))} <==`)}\n`)
      terminal.out(documentText(item, terminal.outIsTerminal))
      if (items.length > 1) seeMore(item, context)
    }
    const missing = answer['missing']
    if (Array.isArray(missing) && missing.length > 0) {
      terminal.err(
        `Not found: ${missing.map((id) => cleanLine(typeof id === 'string' ? id : JSON.stringify(id))).join(', ')}\n`,
      )
    }
    seeMore(answer, context)
  },
})

/** A file or pipe gets the text as it is; a screen gets what is safe to show. */
function documentText(item: Answer, onScreen: boolean): string {
  const text = textOf(item['text'])
  const shown = onScreen ? clean(text) : text
  return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`
}
