/**
 * What votes change: half of them teach and the other half judges, and then the other way round, so
 * that nothing is judged by what taught it.
 */
import { documentId } from '../../core/domain/document.ts'
import { invalid } from '../../core/domain/error.ts'
import { sync } from '../../core/indexing/indexer.ts'
import { openFeedbackLog } from '../../core/history/feedback-log.ts'
import type { Vote } from '../../core/history/feedback-log.ts'
import { ENOUGH_VOTES, learnFeedback } from '../../core/operations/keeping/learn-feedback.ts'
import type { LearnedFeedback } from '../../core/operations/keeping/learn-feedback.ts'
import { rankDocuments } from '../../core/operations/searching/rank-documents.ts'
import { scoreRun } from './score-run.ts'
import type { Scores } from './score-run.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import type { Config } from '../../serve/config/config.ts'
import { formatOf } from '../../serve/parts/formats.ts'
import { openKeeping } from '../open-keeping.ts'
import { openKnowledge } from '../../serve/parts/open-knowledge.ts'
import { openSources } from '../../serve/parts/sources.ts'
import { leaseOwner } from '../../serve/lifecycle/start-indexing.ts'
import { openStore } from '../../serve/parts/stores.ts'

export interface FeedbackEvaluation {
  readonly votes: number
  readonly questions: number
  /** Whether half of the votes are enough to learn from. */
  readonly active: boolean
  readonly without: Scores
  readonly with: Scores
}

const DEPTH = 100

export async function evaluateFeedback(config: Config): Promise<FeedbackEvaluation> {
  const votes = openFeedbackLog(config.state).votes().filter(isUsable)
  if (votes.length === 0) {
    throw invalid(
      'There are no votes to learn from yet.',
      'Vote with "cairn feedback QUESTION DOCUMENT --vote 1", or with km-feedback-submit.',
    )
  }
  const sources = openSources(config, { contents: () => opened.contents })
  const opened = await openStore(config)
  const { store } = opened
  const owner = leaseOwner()
  try {
    const lease = await store.acquireLease(owner, 60_000)
    if (lease) await sync({ store, sources: [...sources.values()], formatOf, lease })
    let learned: LearnedFeedback = learnFeedback([])
    const keeping = {
      ...openKeeping({ sources, writing: undefined }, config),
      learned: () => learned,
    }
    const kb = wholeView(openKnowledge({ config, store, sources, keeping }))
    const rank = async (text: string): Promise<string[]> => {
      const { hits } = await rankDocuments(kb, text, { limit: DEPTH })
      return (await store.paths(hits.map(({ doc }) => doc))).map(documentId)
    }
    const runs = { without: new Map<string, string[]>(), with: new Map<string, string[]>() }
    const judgements = new Map<string, Map<string, number>>()
    let active = false
    for (const half of [0, 1]) {
      const teaching = learnFeedback(votes.filter((_, at) => at % 2 !== half))
      active ||= teaching.active
      for (const [query, group] of groups(votes.filter((_, at) => at % 2 === half))) {
        const right = rightOnes(group)
        if (right.size === 0) continue
        const id = `${half} ${query}`
        judgements.set(id, right)
        learned = learnFeedback([])
        runs.without.set(id, await rank(query))
        learned = teaching
        runs.with.set(id, await rank(query))
      }
    }
    return {
      votes: votes.length,
      questions: judgements.size,
      active,
      without: scoreRun(judgements, runs.without).mean,
      with: scoreRun(judgements, runs.with).mean,
    }
  } finally {
    await store.releaseLease(owner)
    await store.close()
  }
}

export { ENOUGH_VOTES }

function isUsable({ vote, query, document }: Vote): boolean {
  return typeof vote === 'number' && vote !== 0 && query !== undefined && document !== undefined
}

function groups(votes: readonly Vote[]): ReadonlyMap<string, readonly Vote[]> {
  return Map.groupBy(votes, ({ query }) => query!.trim())
}

/** Documents of which more votes say that they are right. */
function rightOnes(votes: readonly Vote[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { vote, document } of votes) sums.set(document!, (sums.get(document!) ?? 0) + vote!)
  return new Map([...sums].filter(([, sum]) => sum > 0).map(([id]) => [id, 1]))
}
