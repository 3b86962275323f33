/** Keeps what somebody thinks of a document as an answer to a question. */
import { documentId } from '../../core/domain/document.ts'
import { unavailable } from '../../core/domain/error.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { rankDocuments } from '../../core/operations/searching/rank-documents.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { Keeping } from '../../core/operations/keeping/keeping.ts'

export interface VoteRequest {
  readonly query: string
  readonly id: string
  readonly vote: number
  readonly note: string | undefined
  readonly source: string
}

export interface KeptVote {
  readonly id: string
  readonly vote: number
  /** Where the document stands for this question now, from 1; undefined where it is not found. */
  readonly rank: number | undefined
  readonly votes: number
  /** Whether votes change the order of results yet. */
  readonly learning: boolean
}

/** So far down it is looked for. */
const DEEPEST = 100

export async function castVote(kb: View, request: VoteRequest): Promise<KeptVote> {
  const { feedback, learned } = keepingOf(kb)
  const { query, vote, note, source } = request
  const record = await resolveDocument(kb, request.id)
  const { hits } = await rankDocuments(kb, query, { limit: DEEPEST })
  const at = hits.findIndex(({ doc }) => doc === record.no)
  const hit = hits[at]
  const id = documentId(record)
  feedback.addVote({
    request_id: null,
    chunk_id: null,
    vote,
    note: note ?? null,
    context: null,
    timestamp: new Date().toISOString(),
    source,
    query,
    document: id,
    rank: hit ? at + 1 : null,
    ...(hit && { signals: { ...hit.signals } }),
  })
  const { active, votes } = learned()
  return { id, vote, rank: hit ? at + 1 : undefined, votes, learning: active }
}

export function keepingOf({ keeping }: Pick<View, 'keeping'>): Keeping {
  if (keeping) return keeping
  throw unavailable(
    'This base has no place for feedback, backups and recipes.',
    'Open it with a state folder.',
  )
}
