/**
 * What do an embedder's similarities mean? Some models put all cosines near .8, others spread them
 * from 0 on. It is asked about texts that have nothing to do with each other, and about questions
 * with their answers in other words. The texts are fixed, so that it is a constant of the model and no
 * note can change it.
 */
import type { EmbedOptions, Embedder } from '../models/embedder.ts'
import type { Similarities } from '../models/ready-made.ts'

const ANSWERED: readonly { readonly question: string; readonly passage: string }[] = [
  {
    question: 'how do I prepare the pan for a cake',
    passage: 'Preheat the oven and grease a round baking tin with butter.',
  },
  {
    question: 'why did the judges turn the case down',
    passage: 'The court rejected the appeal because it had been filed too late.',
  },
  {
    question: 'how did ice shape the landscape',
    passage: 'Glaciers carve wide valleys as they move down from the mountains.',
  },
  {
    question: 'who made the goals in the game',
    passage: 'The striker scored twice in the second half of the match.',
  },
  {
    question: 'how to replace leaked credentials',
    passage: 'Rotate the encryption keys and revoke the old certificate.',
  },
  {
    question: 'when did she start with music',
    passage: 'She learned to play the violin at the age of five.',
  },
  {
    question: 'why is my car so slow',
    passage: 'The engine loses power when the fuel filter is blocked.',
  },
  {
    question: 'is housing in the centre getting more expensive',
    passage: 'Rents in the old town have doubled within ten years.',
  },
]

export async function measureSimilarities(
  embedder: Embedder,
  options: EmbedOptions,
): Promise<Similarities> {
  const documents = ANSWERED.map(({ passage }) => ({
    title: '',
    passages: [{ text: passage, headingPath: [] }],
  }))
  const passages = (await embedder.embedDocuments(documents, options)).flat()
  const related: number[] = []
  const unrelated: number[] = []
  for (const [place, { question }] of ANSWERED.entries()) {
    const asked = await embedder.embedQuery(question, options)
    for (const [other, passage] of passages.entries()) {
      const list = other === place ? related : unrelated
      list.push(cosine(asked, passage))
    }
  }
  return { related: mean(related), unrelated: mean(unrelated) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let k = 0; k < a.length; k++) {
    dot += a[k]! * b[k]!
    squaresA += a[k]! ** 2
    squaresB += b[k]! ** 2
  }
  const lengths = Math.sqrt(squaresA * squaresB)
  return lengths > 0 ? dot / lengths : 0
}
