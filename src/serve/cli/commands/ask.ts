/** The command that answers a question, and prints what proves the answer. */
import type { CommandContext } from '../command.ts'
import type { Places } from '../places.ts'
import { cleanLine, wrap } from '../terminal.ts'
import { answersOf, textOf } from '../tool-command.ts'
import type { Answer, ToolPresentation } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { SINCE_OPTION, SPEAKS_SINCE, SPEAKS_UNTIL } from './search.ts'

export const ask: ToolPresentation = {
  tool: 'ask',
  group: 'find',
  summary: 'Answer a question with quotes from the documents.',
  example: 'cairn ask "who may approve a release?" --folder examples/handbook',
  words: [
    {
      name: 'QUESTION',
      argument: 'question',
      summary: 'What to answer',
      required: true,
      many: true,
    },
  ],
  spellings: {
    max_sources: { summary: 'Answer from at most so many documents' },
    since: SPEAKS_SINCE,
    until: SPEAKS_UNTIL,
  },
  options: SINCE_OPTION,
  found: (answer) => answersOf(answer['claims']).length > 0,
  print(answer, context, places) {
    const { terminal } = context
    const claims = answersOf(answer['claims'])
    if (claims.length === 0) terminal.err(`${cleanLine(textOf(answer['answer']))}\n`)
    for (const [index, claim] of claims.entries()) {
      terminal.out(`${index > 0 ? '\n' : ''}${claimLines(claim, context, places).join('\n')}\n`)
    }
    const sources = answersOf(answer['sources'])
    if (claims.length === 0 && sources.length > 0) {
      const nearest = sources.map(({ id }) => places.shown(textOf(id))).join(', ')
      terminal.err(`Nearest: ${nearest}\n`)
    }
    const gaps = Array.isArray(answer['gaps']) ? answer['gaps'].map(textOf) : []
    if (gaps.length > 0) terminal.err(`\nNot answered: ${cleanLine(gaps.join(', '))}\n`)
    const mode = textOf(answer['mode'])
    if (mode !== 'extractive') terminal.err(`Worded by ${cleanLine(mode)}; every quote checked.\n`)
    seeMore(answer, context)
  },
}

/**
 *  Every release has two approvals.
 *    examples/handbook/runbooks/release.md:12 · Release › Before
 *    "Two people approve a release …"
 */
function claimLines(
  claim: Answer,
  { terminal: { style, columns } }: CommandContext,
  places: Places,
): string[] {
  const text = cleanLine(textOf(claim['text']))
  const proofs = answersOf(claim['citations']).flatMap((citation) => {
    const heading = cleanLine(textOf(citation['heading']))
    const quote = cleanLine(textOf(citation['quote']))
    return [
      `  ${style.cyan(placeOf(citation, places))}${heading === '' ? '' : style.dim(` · ${heading}`)}`,
      // Where the sentence itself is the answer, it need not be said twice.
      ...(quote === text
        ? []
        : wrap(`"${quote}"`, columns - 4).map((line) => style.dim(`  ${line}`))),
    ]
  })
  return [...wrap(text, columns), ...proofs]
}

function placeOf(citation: Answer, places: Places): string {
  const line = Number.parseInt(textOf(citation['lines']), 10)
  return places.link(textOf(citation['id']), Number.isNaN(line) ? undefined : line)
}
