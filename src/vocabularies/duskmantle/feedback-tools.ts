/** Votes on what a search has shown, and what is learned from them. */
import { z } from 'zod'
import { changedBy } from '../../core/operations/keeping/learn-feedback.ts'
import type { Judged } from '../../core/operations/keeping/learn-feedback.ts'
import type { ChunkHit } from './operations/search-chunks.ts'
import { text } from './fields.ts'
import { row } from './row.ts'
import type { DuskmantleRow, Payload } from './row.ts'
import type { Duskmantle } from './subject.ts'

const MOST_NOTE = 4_000
const MOST_CONTEXT = 16 * 1024

const feedbackSubmit = row({
  name: 'km-feedback-submit',
  title: 'Say how good a result was',
  description:
    'Keep a vote on one result of a search: -1 wrong, 1 right. Example: {"request_id": "…", "chunk_id": "docs/a.md::0", "vote": 1}',
  details:
    'Required: request_id (metadata.request_id of the search), chunk_id. Optional: vote (-1 to 1), note, context (object); needs a maintainer. Example: /sys mcp run duskmantle km-feedback-submit --request-id 1f… --chunk-id docs/a.md::0 --vote 1',
  scope: 'maintainer',
  input: z.object({
    request_id: text('request_id', 'metadata.request_id of the search').max(200),
    chunk_id: text('chunk_id', 'chunk_id of the result').max(4_200),
    vote: z
      .number({ error: 'vote must be a number from -1 to 1' })
      .min(-1, { error: 'vote must be from -1 to 1' })
      .max(1, { error: 'vote must be from -1 to 1' })
      .optional(),
    note: z
      .string({ error: 'note must be a string' })
      .max(MOST_NOTE, { error: `note is longer than ${MOST_NOTE} characters` })
      .optional(),
    context: z
      .record(z.string(), z.json(), { error: 'context must be an object' })
      .refine((value) => JSON.stringify(value).length <= MOST_CONTEXT, {
        error: `context is longer than ${MOST_CONTEXT} characters`,
      })
      .optional(),
  }),
  async run(
    { keeping: { feedback } },
    { request_id: request, chunk_id: chunk, vote, note, context },
  ) {
    const shown = feedback.find(request.trim(), chunk.trim())
    const record = {
      request_id: request.trim(),
      chunk_id: chunk.trim(),
      vote: vote ?? null,
      note: note ?? null,
      context: context ?? null,
      timestamp: new Date().toISOString(),
      source: 'mcp.manual',
    }
    feedback.addVote({
      ...record,
      ...(shown && {
        query: shown.query,
        document: shown.document,
        rank: shown.rank,
        signals: shown.signals,
      }),
    })
    return { ...record, known: shown !== undefined }
  },
  present: (record) => record,
})

interface Found {
  readonly hits: readonly ChunkHit[]
  readonly [more: string]: unknown
}

/**
 * The same search, whose results are remembered, so that votes can say what they are about. Votes on
 * questions like this one move a result a little, and say so.
 */
export function withFeedback(search: DuskmantleRow): DuskmantleRow {
  return {
    ...search,
    async run(subject, input, call) {
      const found = (await search.run(subject, input, call)) as Found
      const judged = subject.keeping.learned().judge(String(input['query']))
      const hits = reranked(subject, found.hits, judged, input['sort_by_vector'] === true)
      const { requestId } = call
      return { found: { ...found, hits: hits.map(({ hit }) => hit) }, subject, hits, requestId }
    },
    present({ found, subject, hits, requestId }, input) {
      const shown = named(search.present(found, input) as Shown, requestId)
      const results = shown.results.map((result, at) => {
        const { judged, change } = hits[at] as Reranked
        return judged
          ? { ...result, scoring: { ...result.scoring, feedback: { ...judged, change } } }
          : result
      })
      remember(subject as Duskmantle, String(input['query']), { ...shown, results })
      return { ...shown, results }
    },
  }
}

/** Under the name that the request has on its wire. */
function named(shown: Shown, requestId: string | undefined): Shown {
  if (requestId === undefined) return shown
  return { ...shown, metadata: { ...shown.metadata, request_id: requestId } }
}

interface Shown extends Payload {
  readonly results: readonly {
    readonly chunk: { readonly chunk_id: string; readonly artifact_path: string }
    readonly scoring: { readonly signals: Payload; readonly [more: string]: unknown }
  }[]
  readonly metadata: { readonly request_id: string }
}

interface Reranked {
  readonly hit: ChunkHit
  readonly judged: Judged | undefined
  readonly change: number
}

function reranked(
  { repository }: Duskmantle,
  hits: readonly ChunkHit[],
  judged: ReadonlyMap<string, Judged>,
  byVector: boolean,
): readonly Reranked[] {
  const changed = hits.map((hit) => {
    const known = judged.get(`${repository.source}/${hit.artifact.path}`)
    const change = changedBy(hit.score.adjusted, known)
    const score = { ...hit.score, adjusted: hit.score.adjusted + change }
    return { hit: known ? { ...hit, score } : hit, judged: known, change }
  })
  // The order stays as it is where it was asked for, and where nobody voted.
  if (byVector || judged.size === 0) return changed
  return changed.toSorted((a, b) => b.hit.score.adjusted - a.hit.score.adjusted)
}

function remember({ repository, keeping }: Duskmantle, query: string, shown: Shown): void {
  const { request_id } = shown.metadata
  keeping.feedback.addShown(
    shown.results.map(({ chunk, scoring: { signals, ...scores } }, at) => ({
      request_id,
      query,
      chunk_id: chunk.chunk_id,
      document: `${repository.source}/${chunk.artifact_path}`,
      rank: at + 1,
      scores,
      signals,
    })),
  )
}

export const feedbackTools = [feedbackSubmit]
