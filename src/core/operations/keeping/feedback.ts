/** Votes on results, as tools and commands work with them. */
import type { FeedbackLog, Vote } from '../../history/feedback-log.ts'
import { learnFeedback } from './learn-feedback.ts'
import type { LearnedFeedback } from './learn-feedback.ts'

export type { FeedbackLog, ShownResult, Vote } from '../../history/feedback-log.ts'

/** Learned anew when there is a new vote. */
export function openLearning(log: Pick<FeedbackLog, 'votes'>): () => LearnedFeedback {
  let last: { readonly votes: readonly Vote[]; readonly learned: LearnedFeedback } | undefined
  return () => {
    const votes = log.votes()
    if (last?.votes !== votes) last = { votes, learned: learnFeedback(votes) }
    return last.learned
  }
}

export interface FeedbackReport {
  readonly votes: number
  readonly positive: number
  readonly negative: number
  /** Whether votes change the order of results yet, and how many are needed. */
  readonly active: boolean
  readonly needed: number
  /** Questions whose results were found wrong, the worst first. */
  readonly questions: readonly {
    readonly query: string
    readonly votes: number
    readonly mean: number
    readonly wrong: readonly string[]
    readonly right: readonly string[]
    readonly notes: readonly string[]
  }[]
}

const MOST_QUESTIONS = 50
const MOST_NAMED = 5

export function reportFeedback(
  votes: readonly Vote[],
  { active, votes: usable }: LearnedFeedback,
  enough: number,
): FeedbackReport {
  const judged = votes.filter(({ vote }) => typeof vote === 'number' && vote !== 0)
  const byQuery = Map.groupBy(
    votes.filter(({ query }) => query !== undefined),
    ({ query }) => query!.trim().toLowerCase(),
  )
  const questions = [...byQuery.values()].map((group) => {
    const values = group.flatMap(({ vote }) => vote ?? [])
    const named = (sign: number): string[] =>
      [
        ...new Set(
          group.flatMap(({ vote, document }) => ((vote ?? 0) * sign > 0 ? (document ?? []) : [])),
        ),
      ].slice(0, MOST_NAMED)
    return {
      query: group[0]!.query!,
      votes: values.length,
      mean: values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length,
      wrong: named(-1),
      right: named(1),
      notes: group.flatMap(({ note }) => note ?? []).slice(-MOST_NAMED),
    }
  })
  return {
    votes: votes.length,
    positive: judged.filter(({ vote }) => vote! > 0).length,
    negative: judged.filter(({ vote }) => vote! < 0).length,
    active,
    needed: Math.max(0, enough - usable),
    questions: questions
      .toSorted((a, b) => a.mean - b.mean || b.votes - a.votes)
      .slice(0, MOST_QUESTIONS),
  }
}
