import { invalid, quoted } from '../../../core/domain/error.ts'
import { clean, cleanLine } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { Answer, ToolCaller, ToolPresentation } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

/** The largest piece the tool gives at once. */
const PIECE_TOKENS = 20_000

export const fetchDocuments: ToolPresentation = {
  tool: 'fetch',
  group: 'find',
  summary: 'Print documents, or a section or some lines of one.',
  example: 'cairn fetch handbook/runbooks/roll-back-a-release.md --folder examples/handbook',
  words: [
    {
      name: 'ID',
      argument: 'ids',
      summary: 'Path, id, title or alias of a document',
      required: true,
      many: true,
      isDocument: true,
    },
  ],
  fixed: { id: undefined },
  spellings: {
    section: { placeholder: 'HEADING', summary: 'Only the part under this heading' },
    lines: { placeholder: 'A-B', summary: 'Only these lines' },
    at: {
      placeholder: 'WHEN',
      summary: 'As it stood: at a moment or the end of a day, after an operation or a commit',
    },
    include: {
      placeholder: 'PART',
      choices: ['links', 'backlinks', 'relations', 'picture'],
      summary: 'Add to the JSON answer; may be repeated',
    },
    max_tokens: { summary: 'Cut the text after about so many tokens (default: print all of it)' },
  },
  prepare({ ids, ...args }) {
    const all = ids as readonly string[]
    const empty = all.find((id) => id.trim() === '')
    if (empty !== undefined) {
      throw invalid(`${quoted(empty)} is no id.`, 'List documents with "cairn list".')
    }
    return all.length === 1 ? { ...args, id: all[0] } : { ...args, ids: all }
  },
  async complete(answer, call, { args }) {
    if (args.options['max-tokens'] !== undefined) return answer
    const { at } = args.options
    if (!Array.isArray(answer['items'])) return whole(answer, call, at)
    const items = []
    for (const item of answersOf(answer['items'])) items.push(await whole(item, call, at))
    return { ...answer, items }
  },
  print(answer, context) {
    const { terminal } = context
    const several = Array.isArray(answer['items'])
    for (const item of several ? answersOf(answer['items']) : [answer]) {
      const name = cleanLine(textOf(item['id']))
      if (several) terminal.out(`${terminal.style.bold(`==> ${name} <==`)}\n`)
      terminal.out(documentText(item, terminal.outIsTerminal))
      if (textOf(item['next']) !== '') terminal.err(`${name} is longer; the text was cut here.\n`)
    }
    for (const { id, reason } of answersOf(answer['missing'])) {
      terminal.err(`Not printed: ${cleanLine(`${textOf(id)}: ${textOf(reason)}`)}\n`)
    }
    seeMore(answer, context)
  },
}

/** Follows `next` to the end: a budget protects a model's context, and a pipe has none. */
async function whole(item: Answer, call: ToolCaller, at: unknown): Promise<Answer> {
  let text = textOf(item['text'])
  let next = nextLines(item)
  while (next !== undefined) {
    const then = at === undefined ? {} : { at }
    const piece = await call({ id: item['id'], lines: next, max_tokens: PIECE_TOKENS, ...then })
    text += textOf(piece['text'])
    next = nextLines(piece)
  }
  const { next: _, ...rest } = item
  return { ...rest, text }
}

/**
 * The reply names the call that reads on, such as `fetch(id="…", lines="201-900")`, or
 * `lines="201:5000-900"` inside a long line.
 */
function nextLines(item: Answer): string | undefined {
  const next = textOf(item['next'])
  const lines = /lines="(\d+(?::\d+)?-\d*)"/.exec(next)?.[1]
  // Ending here would pass a part for the whole.
  if (next !== '' && lines === undefined) throw new Error(`cannot read on from ${quoted(next)}`)
  return lines
}

/** A file or pipe gets the text as it is; a screen gets what is safe to show. */
function documentText(item: Answer, onScreen: boolean): string {
  const text = textOf(item['text'])
  const shown = onScreen ? clean(text) : text
  return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`
}
