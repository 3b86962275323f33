import { cleanLine, wrap } from '../terminal.ts'
import type { Style } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { CURSOR_OPTION, SELECTION_OPTIONS, limitOption } from './tool-options.ts'

export const search = toolCommand({
  tool: 'search',
  summary: 'Find the passages that answer a question or match some words.',
  example: 'cairn search "how do we roll back a release" --folder examples/handbook',
  positionals: [{ name: 'QUERY', summary: 'A question or some words', required: true, many: true }],
  options: {
    ...limitOption(10),
    ...SELECTION_OPTIONS,
    in: {
      kind: 'text',
      placeholder: 'WHAT',
      choices: ['documents', 'entities'],
      argument: 'in',
      summary: 'Only documents, or only entities of a graph',
    },
    detail: {
      kind: 'text',
      placeholder: 'LEVEL',
      choices: ['concise', 'detailed'],
      argument: 'detail',
      summary: 'Length of the passages',
    },
    ...CURSOR_OPTION,
  },
  arguments: (words) => ({ query: words.join(' ') }),
  print(answer, context) {
    const { terminal, args } = context
    const results = answersOf(answer['results'])
    if (results.length === 0) terminal.err('Nothing found.\n')
    else if (answer['relevant'] === false)
      terminal.err('Nothing clearly relevant; these come nearest.\n')
    const words = wordsOf(args.positionals.join(' '))
    for (const [index, result] of results.entries()) {
      const lines = resultLines(index + 1, result, words, terminal.style, terminal.columns)
      terminal.out(`${index > 0 ? '\n' : ''}${lines.join('\n')}\n`)
    }
    seeMore(answer, context)
  },
})

/**
 *  1. Release checklist
 *     handbook/runbooks/release.md:12 · Release › Rolling back
 *     Stop the rollout first, then …
 */
function resultLines(
  rank: number,
  result: Answer,
  words: readonly string[],
  style: Style,
  width: number,
): string[] {
  const line = firstLine(result['lines'])
  const place = style.cyan(cleanLine(textOf(result['id'])) + (line === undefined ? '' : `:${line}`))
  const heading = headingOf(result['heading'])
  const snippet = wrap(cleanLine(textOf(result['snippet'])), width - 4)
  return [
    `${`${rank}.`.padStart(3)} ${style.bold(cleanLine(textOf(result['title'])))}`,
    `    ${place}${heading === '' ? '' : style.dim(` · ${heading}`)}`,
    ...snippet.map((text) => `    ${highlight(text, words, style)}`),
  ]
}

/** Line ranges may be written `12-30`, `[12, 30]` or `{ start: 12, end: 30 }`. */
function firstLine(lines: unknown): number | undefined {
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
