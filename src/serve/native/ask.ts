/** The tool that answers a question, with quotes that prove the answer. */
import { z } from 'zod'
import type { AnswerClaim } from '../../core/operations/answering/ask-question.ts'
import { estimateTokens } from '../../core/operations/reading/tokens.ts'
import { tool } from '../door/tool.ts'
import {
  RARE_SELECTION,
  againField,
  asOfField,
  daysFields,
  daysOf,
  limitField,
  maxTokensField,
  mayReadPast,
  readsPast,
  rows,
  pathField,
  selectionFields,
  selectionOf,
  whereField,
} from './fields.ts'
import { KNOWN_LENGTH, askText } from './lean-text.ts'
import { compact } from './present.ts'

export const askTool = tool({
  name: 'ask',
  title: 'Ask',
  description: 'Answer a question: claims with verbatim quotes and their lines, and the gaps.',
  access: 'read',
  rare: [...RARE_SELECTION, 'max_sources', 'max_tokens', 'again', 'as_of', 'since', 'until'],
  input: z.strictObject({
    question: z.string().describe('A whole sentence'),
    ...selectionFields,
    path: pathField,
    where: whereField,
    max_tokens: maxTokensField,
    again: againField,
    max_sources: limitField(5, 20),
    as_of: asOfField,
    ...daysFields,
  }),
  output: z.object({
    answer: z.string(),
    claims: rows,
    relevant: z.boolean(),
  }),
  run: async (
    kb,
    { question, max_sources: maxSources, again, as_of: asOf, since, until, ...selection },
    call,
  ) => {
    const { signal } = call
    if (asOf !== undefined) mayReadPast(call.caller)
    // Loaded when somebody asks: a question from a shell, and most servers, only search.
    const { askQuestion } = await import('../../core/operations/answering/ask-question.ts')
    const answer = await askQuestion(kb, question, {
      ...selectionOf(selection),
      maxSources,
      signal,
      asOf,
      readsPast: readsPast(call.caller),
      days: daysOf({ since, until, as_of: asOf }),
    })
    const { repeatedQuotes } = await import('../../core/operations/answering/repeated-quotes.ts')
    const seen = call.seen?.about(question, { again })
    const repeated = seen && repeatedQuotes(answer, seen)
    // Nobody reads the reply to a call that was given up.
    if (!signal.aborted) seen?.told()
    return { answer, repeated }
  },
  present: ({ answer: { claims, notes, ...answer } }) =>
    compact({
      ...answer,
      claims: claims.map(presentClaim),
      note: notes.join(' ') || undefined,
    }),
  saved: ({ answer, repeated }) =>
    [...(repeated?.claims ?? [])].reduce((sum, claim) => {
      const from = claim === answer.claims[0] ? KNOWN_LENGTH : 0
      return sum + estimateTokens(claim.text.slice(from))
    }, 0),
  text: ({ answer, repeated }, input) => askText(answer, input, repeated),
})

function presentClaim({ text, citations }: AnswerClaim) {
  return {
    text,
    citations: citations.map(({ id, title, headingPath, lines, quote, digest }) =>
      compact({
        id,
        title,
        heading: headingPath.join(' > ') || undefined,
        lines: lines.join('-'),
        quote,
        digest,
      }),
    ),
  }
}
