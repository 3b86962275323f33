/** Has the corpus moved so far from what a model was trained on that it should learn again? */
import type { CorpusModel } from './corpus-model.ts'

export interface CorpusChange {
  /** Documents there are now. */
  readonly documents: number
  /** Documents added, changed or removed since the model was trained. */
  readonly changed: number
  /** Mean of `unknownShareOf` over the added and changed ones. */
  readonly unknownShare: number
}

/** From here on training again is worth it. Trained on four fifths of a corpus, nothing is lost yet. */
export const RETRAIN_AT = 0.2

/**
 * 0 for an unchanged corpus, 1 for another one. It is the part of the documents the model has not
 * seen; words it does not know weigh more, since a note on a new subject cannot be placed at all.
 */
export function corpusDrift(
  model: Pick<CorpusModel, 'documents' | 'unknownShare'>,
  change: CorpusChange,
): number {
  const most = Math.max(model.documents, change.documents)
  if (most === 0) return 0
  const strangeness = Math.max(0, change.unknownShare - model.unknownShare)
  return Math.min(1, (change.changed / most) * (1 + STRANGE_WEIGHT * strangeness))
}

/** A note whose words are all unknown counts like so many more that are changed. */
const STRANGE_WEIGHT = 4
