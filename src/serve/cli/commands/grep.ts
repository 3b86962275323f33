import type { patternOf } from '../../../core/operations/searching/find-occurrences.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'
import type { Style } from '../terminal.ts'
import { PATHS_OPTION } from './search.ts'

type LinePattern = ReturnType<typeof patternOf>

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
      const { patternOf } = await import('../../../core/operations/searching/find-occurrences.ts')
      const expression = patternOf(pattern, args.options['fixed-strings'] ? 'text' : 'regex', {
        ignoreCase: args.options['ignore-case'] === true,
        wholeWord: args.options['word'] === true,
      })
      const places = await context.places()
      const matches: { id: string; line: number; text: string }[] = []
      for await (const { id, text } of base.texts()) {
        if (!id.includes(part)) continue
        if (!text.includes(expression.needs)) continue
        for (const [index, raw] of text.split('\n').entries()) {
          const line = raw.replace(/\r$/, '')
          if (!expression.test(line)) continue
          matches.push({ id, line: index + 1, text: line })
          if (args.options['paths-only'] === true) break
        }
      }
      if (json) terminal.out(toJson({ matches }))
      else
        for (const { id, line, text } of matches) {
          if (args.options['paths-only'] === true) terminal.out(`${places.shown(id)}\n`)
          else {
            const shown = highlight(
              cleanLine(text.slice(0, LINE_SHOWN)),
              expression,
              terminal.style,
            )
            terminal.out(`${terminal.style.cyan(places.link(id, line))}: ${shown}\n`)
          }
        }
      return matches.length > 0 ? 0 : 1
    }),
}

/** The matches of a line in colour. */
function highlight(line: string, { spans }: LinePattern, style: Style): string {
  let at = 0
  const parts: string[] = []
  for (const [start, end] of spans(line)) {
    parts.push(line.slice(at, start), style.red(style.bold(line.slice(start, end))))
    at = end
  }
  return [...parts, line.slice(at)].join('')
}
