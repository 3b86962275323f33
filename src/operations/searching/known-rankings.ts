/**
 * The order of documents for questions that were asked a moment ago. Clients repeat themselves, and
 * many clients of one server ask the same; nothing about a ranking changes before the index does.
 */
import { BoundedMap } from '../../domain/bounded-map.ts'
import { onePer } from '../../domain/one-per.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'
import type { Stamps } from '../../store/store.ts'
import { derived } from '../view/derived.ts'
import type { View } from '../view/view.ts'
import { rankDocuments } from './rank-documents.ts'
import type { Ranking, RankOptions } from './rank-documents.ts'

export interface SelectedOptions extends Omit<RankOptions, 'filter'> {
  readonly selection: Selection
  /** A look at the index that was taken already. */
  readonly stamps?: Stamps
}

/** Hits of all together; a page of ten is asked for with eleven, and keeps some 20 KB. */
const MAX_HITS = 3_000

export async function rankSelected(
  kb: View,
  query: string,
  { selection, stamps, ...options }: SelectedOptions,
): Promise<Ranking> {
  // Votes count at once, without the index changing.
  const votes = kb.keeping?.learned()
  // A condition may speak of today.
  const keeps = selection.where === undefined
  const rankings = rankingsOf(kb)
  const known = keeps ? await (stamps ? rankings.at(stamps) : rankings.now()) : undefined
  const key = JSON.stringify([query, options, selection])
  const found = known?.get(key)
  if (found && found.votes === votes) return found.ranking
  const filter = await selectDocuments(kb, selection)
  const ranking = await rankDocuments(kb, query, { ...options, filter })
  // What failed is tried again.
  if (ranking.withoutMeaning === undefined) known?.set(key, { ranking, votes })
  return ranking
}

interface Known {
  readonly ranking: Ranking
  readonly votes: unknown
}

const rankingsOf = onePer((kb: View) =>
  derived(kb.base.store, {
    on: ['generation', 'graph', 'vectors'],
    load: async () =>
      new BoundedMap<string, Known>(MAX_HITS, ({ ranking }) => ranking.hits.length + 1),
  }),
)
