import { expect, it } from 'vitest'
import { tableEmbedder } from '../../indexing/table-embedder.ts'

const embedder = tableEmbedder()!

const documentOf = (title: string, ...texts: string[]) => ({
  title,
  passages: texts.map((text) => ({ text, headingPath: [] })),
})

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, k) => sum + value * b[k]!, 0)
}

it('says of a passage the same beside any other', async () => {
  const tea = documentOf('Tea', 'Boil the water in a kettle, then pour it over the leaves.')
  const [alone] = await embedder.embedDocuments([tea])
  const others = await embedder.embedDocuments([documentOf('Law', 'The court sits.'), tea])
  expect(others[1]).toEqual(alone)
})

it('finds what means the same in other words', async () => {
  const [[tea], [bike]] = (await embedder.embedDocuments([
    documentOf('Tea', 'Boil the water in a kettle, then pour it over the leaves.'),
    documentOf('Bicycle', 'Pump up the tyre and oil the chain before the ride.'),
  ])) as [[Float32Array], [Float32Array]]
  const asked = await embedder.embedQuery('a hot drink')
  expect(cosine(asked, tea)).toBeGreaterThan(cosine(asked, bike) + 0.1)
})

it('leaves alone what it cannot read, in a document that it can read elsewhere', async () => {
  const [[english, german]] = (await embedder.embedDocuments([
    documentOf(
      '',
      'Boil the water in a kettle, then pour it over the leaves.',
      'Wasserkocher einschalten, Teeblätter übergießen, anschließend ziehen lassen.',
    ),
  ])) as [[Float32Array, Float32Array]]
  expect(english.some((value) => value !== 0)).toBe(true)
  expect(german.every((value) => value === 0)).toBe(true)
  const unread = embedder.read!('Teeblätter übergießen', 100)
  expect([unread.understood, unread.general, unread.nearEnough]).toEqual([0, 0, undefined])
})

it('trusts itself less among more documents', () => {
  const among = (documents: number) => embedder.read!('a hot drink', documents)
  expect(among(10_000).general).toBeLessThan(among(10).general)
  expect(among(10_000).nearEnough).toBeGreaterThan(among(10).nearEnough!)
})
