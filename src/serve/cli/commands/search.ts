import type { CommandContext, OptionTable } from '../command.ts'
import { factLines } from '../facts.ts'
import type { Places } from '../places.ts'
import { cleanLine, wrap } from '../terminal.ts'
import type { Style, Terminal } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { Answer, ToolPresentation } from '../tool-command.ts'
import { seeMore } from './see-more.ts'

/** `--since yesterday` is what people type for `--updated-after`. */
export const SINCE_OPTION: OptionTable = {
  since: {
    kind: 'text',
    placeholder: 'WHEN',
    argument: 'updated_after',
    isDate: true,
    summary: 'The same as --updated-after',
  },
}

/** In a shell `--since` goes by the time of files, as in other programs; these by what is said. */
export const SPEAKS_SINCE = {
  flag: 'speaks-since',
  placeholder: 'DAY',
  summary: 'Only passages that speak of this day or later ones: 2026-03, "2 weeks ago"',
} as const

export const SPEAKS_UNTIL = {
  flag: 'speaks-until',
  placeholder: 'DAY',
  summary: 'Only passages that speak of this day or earlier ones',
} as const

export const PATHS_OPTION: OptionTable = {
  'paths-only': { kind: 'flag', short: 'l', summary: 'Print only the paths of the files' },
}

export const search: ToolPresentation = {
  tool: 'search',
  group: 'find',
  summary: 'Find the passages that answer a question or match some words.',
  example: 'cairn search "how do we roll back a release" --folder examples/handbook',
  words: [
    {
      name: 'QUERY',
      argument: 'query',
      summary: 'A question or some words',
      required: true,
      many: true,
    },
  ],
  spellings: {
    also: { placeholder: 'QUESTION', summary: 'Ask this as well; may be repeated' },
    in: {
      placeholder: 'WHAT',
      summary: 'Only documents, entities, code, symbols, subsystems or pictures',
    },
    detail: { placeholder: 'LEVEL', summary: 'Length of the passages' },
    mode: { placeholder: 'MODE', summary: 'What to search by' },
    explain: { summary: 'Add to the JSON answer what each score is made of' },
    since: SPEAKS_SINCE,
    until: SPEAKS_UNTIL,
    explain_missing: { placeholder: 'ID', summary: 'Say why this document was not found' },
  },
  options: { ...SINCE_OPTION, ...PATHS_OPTION },
  found: (answer) =>
    [answer, ...answersOf(answer['answers'])].some((each) => answersOf(each['results']).length > 0),
  print(answer, context, places) {
    const several = answersOf(answer['answers'])
    if (several.length === 0) printResults(answer, context, places)
    for (const [index, each] of several.entries()) {
      const query = cleanLine(textOf(each['query']))
      const head = context.terminal.style.bold(`# ${query}`)
      if (context.args.options['paths-only'] !== true) {
        context.terminal.out(`${index > 0 ? '\n' : ''}${head}\n`)
      }
      printResults(each, context, places, query)
    }
    explainMissing(answer, context)
    seeMore(answer, context)
  },
}

function printResults(
  answer: Answer,
  context: CommandContext,
  places: Places,
  query = context.args.positionals.join(' '),
): void {
  const { terminal, args } = context
  const results = answersOf(answer['results'])
  if (results.length === 0) terminal.err('Nothing found.\n')
  else if (answer['relevant'] === false)
    terminal.err('Nothing clearly relevant; these come nearest.\n')
  if (args.options['paths-only'] === true) {
    printPaths(results, context, places)
    return
  }
  const words = wordsOf(query)
  for (const [index, result] of results.entries()) {
    const lines = resultLines(index + 1, result, words, terminal, places)
    terminal.out(`${index > 0 ? '\n' : ''}${lines.join('\n')}\n`)
  }
}

/** One path a line, each once: for `xargs` and editors. */
export function printPaths(
  items: readonly Answer[],
  { terminal }: CommandContext,
  places: Places,
): void {
  const paths = new Set(items.map((item) => places.shown(textOf(item['id']))))
  for (const path of paths) terminal.out(`${path}\n`)
}

function explainMissing(answer: Answer, { terminal }: CommandContext): void {
  const { missing } = answer
  if (typeof missing !== 'object' || missing === null) return
  for (const line of factLines(missing as Answer)) terminal.err(`${line}\n`)
}

/**
 *  1. Release checklist
 *     handbook/runbooks/release.md:12 · Release › Rolling back
 *     Stop the rollout first, then …
 */
function resultLines(
  rank: number,
  result: Answer,
  words: readonly string[],
  { style, columns: width }: Terminal,
  places: Places,
): string[] {
  if (result['subsystem'] !== undefined) return subsystemLines(rank, result, style)
  const line = firstLine(result['line'] ?? result['lines'])
  const place = style.cyan(places.link(textOf(result['id']), line))
  const heading = headingOf(result['heading'] ?? (result['symbol'] && result['kind']))
  // As it is written: a list is a list, and code is code.
  const written = textOf(result['snippet'])
    .split('\n')
    .filter((text) => text.trim() !== '')
  const snippet = written.flatMap((text) => wrap(cleanLine(text), width - 4))
  return [
    `${`${rank}.`.padStart(3)} ${style.bold(cleanLine(textOf(result['title'] ?? result['symbol'])))}`,
    `    ${place}${heading === '' ? '' : style.dim(` · ${heading}`)}`,
    ...snippet.map((text) => `    ${highlight(text, words, style)}`),
  ]
}

function subsystemLines(rank: number, result: Answer, style: Style): string[] {
  const { subsystem, description, source_files: code, tests, documents, files } = result
  const counts = `${textOf(code)} source files, ${textOf(tests)} tests, ${textOf(documents)} documents`
  return [
    `${`${rank}.`.padStart(3)} ${style.bold(cleanLine(textOf(subsystem)))}`,
    `    ${[cleanLine(textOf(description)), counts].filter((part) => part !== '').join(' · ')}`,
    ...(Array.isArray(files) ? files.map((file) => `    ${style.cyan(textOf(file))}`) : []),
  ]
}

/** Line ranges may be written `12-30`, `[12, 30]` or `{ start: 12, end: 30 }`. */
function firstLine(lines: unknown): number | undefined {
  if (typeof lines === 'number') return lines
  if (typeof lines === 'object' && lines !== null) {
    const [first] = Object.values(lines)
    return typeof first === 'number' ? first : undefined
  }
  const first = Number.parseInt(textOf(lines), 10)
  return Number.isNaN(first) ? undefined : first
}

function headingOf(heading: unknown): string {
  return cleanLine(Array.isArray(heading) ? heading.map(textOf).join(' › ') : textOf(heading))
}

function wordsOf(query: string): string[] {
  return (query.match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, 32)
}

function highlight(text: string, words: readonly string[], style: Style): string {
  if (words.length === 0) return text
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu'), style.bold)
}
