/** The tool that answers a question, with quotes that prove the answer. */
import { z } from 'zod'
import { askQuestion } from '../../operations/answering/ask-question.ts'
import type { AnswerClaim } from '../../operations/answering/ask-question.ts'
import { tool } from '../tool.ts'
import {
  RARE_SELECTION,
  limitField,
  maxTokensField,
  rows,
  pathField,
  selectionFields,
  selectionOf,
  whereField,
} from './fields.ts'
import { askText } from './lean-text.ts'
import { compact } from './present.ts'

export const askTool = tool({
  name: 'ask',
  title: 'Ask',
  description:
    'Answer a question from the documents: claims with verbatim quotes and their lines, and the gaps.',
  access: 'read',
  rare: [...RARE_SELECTION, 'max_sources'],
  input: z.strictObject({
    question: z.string().describe('A whole sentence'),
    ...selectionFields,
    path: pathField,
    where: whereField,
    max_tokens: maxTokensField,
    max_sources: limitField(5, 20),
  }),
  output: z.object({
    answer: z.string(),
    claims: rows,
    relevant: z.boolean(),
  }),
  run: (kb, { question, max_sources: maxSources, ...selection }, { signal }) =>
    askQuestion(kb, question, { ...selectionOf(selection), maxSources, signal }),
  present: ({ claims, notes, ...answer }) =>
    compact({
      ...answer,
      claims: claims.map(presentClaim),
      note: notes.join(' ') || undefined,
    }),
  text: askText,
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
