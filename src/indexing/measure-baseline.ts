/**
 * How similar does an embedder find texts that have nothing to do with each other? Some models put
 * all cosines near .8; measured from there, the rest tells as much as with any other model. The texts
 * are fixed, so that it is a constant of the model and no note can change it.
 */
import type { EmbedOptions, Embedder } from '../models/embedder.ts'

const PASSAGES = [
  'Preheat the oven and grease a round baking tin with butter.',
  'The court rejected the appeal because it had been filed too late.',
  'Glaciers carve wide valleys as they move down from the mountains.',
  'The striker scored twice in the second half of the match.',
  'Rotate the encryption keys and revoke the old certificate.',
  'She learned to play the violin at the age of five.',
  'The engine loses power when the fuel filter is blocked.',
  'Rents in the old town have doubled within ten years.',
]

const QUESTIONS = [
  'how do bees find their way back to the hive',
  'who painted the ceiling of the chapel',
  'what does a kidney do',
  'when was the railway to the coast opened',
]

export async function measureBaseline(embedder: Embedder, options: EmbedOptions): Promise<number> {
  const documents = PASSAGES.map((text) => ({ title: '', passages: [{ text, headingPath: [] }] }))
  const passages = (await embedder.embedDocuments(documents, options)).flat()
  let sum = 0
  for (const question of QUESTIONS) {
    const asked = await embedder.embedQuery(question, options)
    for (const passage of passages) sum += cosine(asked, passage)
  }
  return Math.max(0, sum / (QUESTIONS.length * passages.length))
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
