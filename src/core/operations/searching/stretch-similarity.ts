/**
 * How close in meaning is a stretch of a document to a question? By the vectors that its passages
 * were indexed with; of what has none, by the words it shares.
 */
import { termCounts, wordCosine } from '../../search/word-cosine.ts'
import { chunksOf } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import type { View } from '../view/view.ts'
import { understand } from './rank-documents.ts'

/** A cosine, for the characters of the document from start to end. */
export type StretchSimilarity = (live: LiveDocument, start: number, end: number) => number

export async function stretchSimilarity(
  kb: View,
  query: string,
  lives: readonly LiveDocument[],
): Promise<StretchSimilarity> {
  const { meaning, vector } = await understand(kb, await kb.index.look(), query)
  const rows = vector && meaning?.vectors.eachSimilarity(vector, docsOf(lives))
  const known = new Map(lives.map((live, at) => [live, rows?.[at]]))
  const chunks = await chunksOf(kb, rows ? lives : [])
  const asked = termCounts(query)
  return (live, start, end) => {
    const similarities = live.changed ? undefined : known.get(live)
    if (!similarities) {
      return wordCosine(asked, termCounts(`${live.record.path}\n${live.text.slice(start, end)}`))
    }
    let [sum, length] = [0, 0]
    for (const [at, chunk] of chunks.get(live)!.entries()) {
      const shared = Math.min(end, chunk.end) - Math.max(start, chunk.start)
      if (shared <= 0) continue
      sum += shared * (similarities[at] ?? 0)
      length += shared
    }
    return length === 0 ? 0 : sum / length
  }
}

function docsOf(lives: readonly LiveDocument[]): number[] {
  return lives.map(({ record }) => record.no)
}
