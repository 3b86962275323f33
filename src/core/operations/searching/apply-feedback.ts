/** Lets votes on questions like this one move what was found, a little. */
import type { DocNo } from '../../domain/document.ts'
import { parsePlace } from '../../domain/document.ts'
import type { CombinedHit } from '../../search/combine.ts'
import { changedBy } from '../keeping/learn-feedback.ts'
import type { Judged, LearnedFeedback } from '../keeping/learn-feedback.ts'
import type { View } from '../view/view.ts'

/** By document, where votes say something of this question; undefined for almost every question. */
export async function judgedDocuments(
  kb: View,
  learned: LearnedFeedback,
  query: string,
): Promise<ReadonlyMap<DocNo, Judged> | undefined> {
  const judged = learned.judge(query)
  if (judged.size === 0) return undefined
  const found = new Map<DocNo, Judged>()
  for (const [id, each] of judged) {
    const place = parsePlace(id)
    const record = place && (await kb.store.findByPath(place.source, place.path))
    if (record) found.set(record.no, each)
  }
  return found.size > 0 ? found : undefined
}

/** What bears the question as its name stays first: nobody can vote a title away. */
export function applyFeedback(
  hits: readonly CombinedHit[],
  judged: ReadonlyMap<DocNo, Judged>,
): readonly CombinedHit[] {
  if (hits.some(({ name }) => name > 0)) return hits
  const changed = hits.map((hit) => {
    const feedback = changedBy(hit.total, judged.get(hit.doc))
    return feedback === 0 ? hit : { ...hit, feedback, total: hit.total + feedback }
  })
  return changed.toSorted((a, b) => b.total - a.total)
}
