/** Which parts of an answer stand in the conversation already? */
import { sentencesIn } from '../searching/shown-before.ts'
import type { Shown } from '../searching/shown-before.ts'
import type { AnswerClaim, QuestionAnswer } from './ask-question.ts'

export interface Repeated {
  /** Claims whose quotes were shown, every sentence of them. */
  readonly claims: ReadonlySet<AnswerClaim>
  /** Documents without a claim that were named. */
  readonly sources: ReadonlySet<string>
}

/** What is not repeated counts as shown from now on. */
export function repeatedQuotes({ claims, sources }: QuestionAnswer, seen: Shown): Repeated {
  const repeated = claims.filter(({ citations }) => {
    const said = citations.flatMap(({ id, quote }) =>
      sentencesIn(quote).map((sentence) => ({ id, sentence })),
    )
    if (said.every(({ id, sentence }) => seen.has(id, sentence))) return true
    for (const { id, sentence } of said) seen.add(id, sentence)
    return false
  })
  const named = sources.map(({ id }) => id).filter((id) => seen.names(id))
  return { claims: new Set(repeated), sources: new Set(named) }
}
