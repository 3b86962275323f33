import { beforeAll, expect, it, vi } from 'vitest'
import { haveNoMoreThreads } from '../../../test/support/failing-threads.ts'
import { TermMatrixBuilder } from '../models/corpus/term-matrix.ts'
import type { TermMatrix } from '../models/corpus/term-matrix.ts'
import { learnAlone, learnTogether, openLearning } from './learn-together.ts'
import type { Learning } from './learn-together.ts'

vi.mock('node:worker_threads', async (original) => {
  const { failing } = await import('../../../test/support/failing-threads.ts')
  return failing(original)
})

const WORDS =
  'tea kettle water leaf cup steam stove boil pour garden rain soil seed plant bloom Wasserkocher teabase kettlewright'.split(
    ' ',
  )

/** So many passages that they are embedded in several batches. */
function lesson(): TermMatrix {
  const builder = new TermMatrixBuilder()
  const word = (n: number): string => WORDS[n % WORDS.length]!
  for (let doc = 0; doc < 1_200; doc++) {
    const passages = Array.from({ length: 1 + (doc % 7) }, (_, at) =>
      Array.from({ length: 8 }, (__, n) => word(doc * 5 + at * n + n * n)),
    )
    builder.addDocument([word(doc), `name${doc % 50}`], passages)
  }
  return builder.build()
}

async function learned(learning: Learning, matrix: TermMatrix) {
  try {
    const model = (await learning.learn(matrix))!
    const batches: (readonly Uint8Array[])[] = []
    for await (const rows of learning.rows(model, matrix)) batches.push(rows)
    return { id: model.embedder.id, model: model.serialise(), batches }
  } finally {
    await learning.close()
  }
}

let matrix: TermMatrix
let alone: Awaited<ReturnType<typeof learned>>

beforeAll(async () => {
  matrix = lesson()
  alone = await learned(learnAlone(), matrix)
})

it('learns and embeds on two threads what one gives, byte for byte and in the same order', async () => {
  expect(alone.batches.length).toBeGreaterThan(1)
  expect(await learned(learnTogether(), matrix)).toEqual(alone)
})

it('goes on alone where the other thread ends before it has begun', async () => {
  const learning = learnTogether()
  await learning.close()
  expect(await learned(learning, matrix)).toEqual(alone)
})

it('makes what the other thread has taken and not given', async () => {
  const learning = learnTogether()
  const model = (await learning.learn(matrix))!
  const rows = learning.rows(model, matrix)[Symbol.asyncIterator]()
  const batches = [(await rows.next()).value]
  await learning.close()
  for (let more = await rows.next(); !more.done; more = await rows.next()) batches.push(more.value)
  expect(batches).toEqual(alone.batches)
})

it('learns alone where no thread can be started', async () => {
  haveNoMoreThreads()
  expect(await learned(openLearning(10_000), matrix)).toEqual(alone)
})
