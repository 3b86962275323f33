import { invalid, quoted } from '../../domain/error.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'
import { PATHS_OPTION } from './search.ts'

/** A line is shown to about here. */
const LINE_SHOWN = 300

export const grep: Command = {
  name: 'grep',
  group: 'find',
  summary: 'Find lines that match a pattern, in every document of the base.',
  example: 'cairn grep "roll(ing)? back" --folder examples/handbook',
  positionals: [
    { name: 'PATTERN', summary: 'A regular expression, or a text with -F', required: true },
    { name: 'PATH', summary: 'Only documents whose path contains this', required: false },
  ],
  options: {
    'fixed-strings': { kind: 'flag', short: 'F', summary: 'The pattern is a text as it stands' },
    'ignore-case': { kind: 'flag', short: 'i', summary: 'Small and capital letters are the same' },
    word: { kind: 'flag', short: 'w', summary: 'Only whole words' },
    ...PATHS_OPTION,
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, args, json } = context
      const [pattern = '', part = ''] = args.positionals
      const expression = expressionOf(pattern, args.options)
      const places = await context.places()
      const matches: { id: string; line: number; text: string }[] = []
      for await (const { id, text } of base.texts()) {
        if (!id.includes(part)) continue
        for (const [index, line] of text.split('\n').entries()) {
          expression.lastIndex = 0
          if (!expression.test(line)) continue
          matches.push({ id, line: index + 1, text: line.replace(/\r$/, '') })
          if (args.options['paths-only'] === true) break
        }
      }
      if (json) terminal.out(toJson({ matches }))
      else
        for (const { id, line, text } of matches) {
          if (args.options['paths-only'] === true) terminal.out(`${places.shown(id)}\n`)
          else {
            const shown = cleanLine(text.slice(0, LINE_SHOWN)).replace(expression, (hit) =>
              hit === '' ? '' : terminal.style.red(terminal.style.bold(hit)),
            )
            terminal.out(`${terminal.style.cyan(places.link(id, line))}: ${shown}\n`)
          }
        }
      return matches.length > 0 ? 0 : 1
    }),
}

function expressionOf(pattern: string, options: Readonly<Record<string, unknown>>): RegExp {
  const source = options['fixed-strings'] === true ? escaped(pattern) : pattern
  const whole =
    options['word'] === true ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source
  try {
    return new RegExp(whole, options['ignore-case'] === true ? 'giu' : 'gu')
  } catch (error) {
    throw invalid(
      `${quoted(pattern)} is no regular expression: ${error instanceof Error ? error.message : ''}`,
      'Add -F to look for the text as it stands.',
    )
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
