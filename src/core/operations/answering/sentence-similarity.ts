/** How close in meaning is a sentence to the question? Asked where words alone say little. */
import { splitSentences } from '../../parsing/split-sentences.ts'
import { cosine } from '../../search/vectors/cosine.ts'
import type { View } from '../view/view.ts'
import type { AnswerPassage, Quoted } from './answer-passages.ts'

const MOST_SENTENCES = 200

export type SimilarityOf = (quoted: Quoted) => number

/** Undefined where nothing has been learned, or comparing would take long. */
export async function sentenceSimilarity(
  kb: View,
  question: string,
  passages: readonly AnswerPassage[],
): Promise<SimilarityOf | undefined> {
  const meaning = await (await kb.index.look()).meaning()
  if (!meaning || meaning.embedder.slow) return undefined
  const vector = await meaning.embedder.embedQuery(question)
  const places = passages
    .flatMap((passage) =>
      splitSentences(passage.found.live.text, passage.start, passage.end)
        .filter(({ kind }) => kind !== 'heading')
        .map(({ start, end }) => ({ passage, start, end })),
    )
    .slice(0, MOST_SENTENCES)
  const texts = places.map(({ passage, start, end }) => ({
    text: passage.found.live.text.slice(start, end),
    headingPath: [],
  }))
  const [rows = []] = await meaning.embedder.embedDocuments([{ title: '', passages: texts }])
  const known = new Map(
    places.map((place, index) => [keyOf(place), cosine(vector, rows[index] ?? [])]),
  )
  return (quoted) => known.get(keyOf(quoted)) ?? 0
}

function keyOf({ passage, start }: Quoted): string {
  return `${passage.number}:${start}`
}
