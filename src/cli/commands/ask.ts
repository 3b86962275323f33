/** The command that answers a question, and prints what proves the answer. */
import { join, relative } from 'node:path'
import type { CommandContext } from '../command.ts'
import { cleanLine, wrap } from '../terminal.ts'
import { answersOf, textOf, toolCommand } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'
import { seeMore } from './see-more.ts'
import { SELECTION_OPTIONS } from './tool-options.ts'

export const ask = toolCommand({
  tool: 'ask',
  summary: 'Answer a question with quotes from the documents.',
  example: 'cairn ask "who may approve a release?" --folder examples/handbook',
  positionals: [{ name: 'QUESTION', summary: 'What to answer', required: true, many: true }],
  options: {
    'max-sources': {
      kind: 'integer',
      min: 1,
      placeholder: 'N',
      argument: 'max_sources',
      summary: 'Answer from at most so many documents (default: 5)',
    },
    ...SELECTION_OPTIONS,
  },
  arguments: (words) => ({ question: words.join(' ') }),
  complete: async (answer, _call, context) => ({
    ...answer,
    claims: await withFiles(answersOf(answer['claims']), context),
  }),
  print(answer, context) {
    const { terminal } = context
    const claims = answersOf(answer['claims'])
    if (claims.length === 0) terminal.err(`${cleanLine(textOf(answer['answer']))}\n`)
    for (const [index, claim] of claims.entries()) {
      terminal.out(`${index > 0 ? '\n' : ''}${claimLines(claim, context).join('\n')}\n`)
    }
    const sources = answersOf(answer['sources'])
    if (claims.length === 0 && sources.length > 0) {
      const nearest = sources.map(({ id }) => cleanLine(textOf(id))).join(', ')
      terminal.err(`Nearest: ${nearest}\n`)
    }
    const gaps = Array.isArray(answer['gaps']) ? answer['gaps'].map(textOf) : []
    if (gaps.length > 0) terminal.err(`\nNot answered: ${cleanLine(gaps.join(', '))}\n`)
    const mode = textOf(answer['mode'])
    if (mode !== 'extractive') terminal.err(`Worded by ${cleanLine(mode)}; every quote checked.\n`)
    seeMore(answer, context)
  },
})

/**
 *  Every release has two approvals.
 *    examples/handbook/runbooks/release.md:12 · Release › Before
 *    "Two people approve a release …"
 */
function claimLines(claim: Answer, { terminal: { style, columns } }: CommandContext): string[] {
  const text = cleanLine(textOf(claim['text']))
  const proofs = answersOf(claim['citations']).flatMap((citation) => {
    const heading = cleanLine(textOf(citation['heading']))
    const quote = cleanLine(textOf(citation['quote']))
    return [
      `  ${style.cyan(cleanLine(textOf(citation['place'])))}${heading === '' ? '' : style.dim(` · ${heading}`)}`,
      // Where the sentence itself is the answer, it need not be said twice.
      ...(quote === text
        ? []
        : wrap(`"${quote}"`, columns - 4).map((line) => style.dim(`  ${line}`))),
    ]
  })
  return [...wrap(text, columns), ...proofs]
}

/** Puts `path:line` beside every citation, from the current folder: what terminals make a link of. */
async function withFiles(claims: readonly Answer[], context: CommandContext): Promise<Answer[]> {
  const { config } = await context.loadConfig()
  const folders = new Map(config.sources.map(({ name, path }) => [name, path]))
  const placeOf = (citation: Answer): string => {
    const id = textOf(citation['id'])
    const [line] = textOf(citation['lines']).split('-')
    const slash = id.indexOf('/')
    const folder = folders.get(id.slice(0, slash))
    const file = folder === undefined ? id : join(folder, id.slice(slash + 1))
    const near = relative(context.configInput.cwd, file)
    return `${near.startsWith('..') ? file : near}:${line}`
  }
  return claims.map((claim) => ({
    ...claim,
    citations: answersOf(claim['citations']).map((citation) => ({
      ...citation,
      place: placeOf(citation),
    })),
  }))
}
