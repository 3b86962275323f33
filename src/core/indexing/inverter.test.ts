import { expect, it, vi } from 'vitest'
import { haveNoMoreThreads } from '../../../test/support/failing-threads.ts'
import type { IndexableDocument } from '../search/contract.ts'
import { SegmentBuilder } from '../search/segment/segment-builder.ts'
import { invertHere, openInverter } from './inverter.ts'
import type { WrittenDocument } from './inverter.ts'

vi.mock('node:worker_threads', async (original) => {
  const { failing } = await import('../../../test/support/failing-threads.ts')
  return failing(original)
})

/** Words that sort by more than their first letters, in several scripts. */
const WORDS =
  'tea teapot teapots kettle kettles Wasser wässern über zebra zeb z éclair été 茶 お茶 чай 😀tea a ab abc abcd abcde abcdf foo_bar fooBar HTTPServer \uffee'.split(
    ' ',
  )

function documents(from: number, count: number): WrittenDocument[] {
  return Array.from({ length: count }, (_, at) => {
    const doc = from + at
    const word = (n: number): string => WORDS[(doc * 7 + n * n) % WORDS.length]!
    const text = Array.from({ length: 30 }, (__, n) => `${word(n)}${n % 5 === 0 ? doc : ''}`).join(
      ' ',
    )
    return {
      doc,
      title: `${word(1)} ${doc}`,
      aliases: [word(2)],
      tags: [],
      path: `${word(3)}/n${doc}.md`,
      text,
      bodyStart: 0,
      headings: [{ start: 0, end: 8, text: text.slice(0, 8) }],
      chunkStarts: [0],
    }
  })
}

function alone(batch: readonly IndexableDocument[]) {
  const builder = new SegmentBuilder()
  for (const document of batch) builder.add(document)
  return builder.finish()
}

const BATCHES = [documents(1, 120), documents(121, 80), documents(201, 3)]

it.each([
  ['here', invertHere],
  ['on a thread', () => openInverter(1_000_000)],
])(
  'makes the segments that a new builder makes of each batch, byte for byte, %s',
  async (_, open) => {
    const inverter = open()
    try {
      const finished = BATCHES.map((batch) => {
        inverter.add(batch.slice(0, 50))
        inverter.add(batch.slice(50))
        return inverter.finish()
      })
      for (const [at, { streams, failed }] of (await Promise.all(finished)).entries()) {
        expect(failed.size).toBe(0)
        expect(streams).toEqual(alone(BATCHES[at]!))
      }
    } finally {
      await inverter.close()
    }
  },
)

it('loses one document to a builder that cannot read it, and tells which', async () => {
  const inverter = invertHere()
  const [first, second, third] = documents(1, 3)
  // What comes behind its text cannot be read.
  const bad = { ...third!, title: undefined as unknown as string }
  inverter.add([first!, bad, second!])
  const { streams, failed } = await inverter.finish()
  expect([...failed.keys()]).toEqual([3])
  expect(streams).toEqual(alone(documents(1, 2)))
})

it('sorts words here where no thread can be started', async () => {
  haveNoMoreThreads()
  const inverter = openInverter(10_000)
  const [batch = []] = BATCHES
  inverter.add(batch)
  expect((await inverter.finish()).streams).toEqual(alone(batch))
  await inverter.close()
})
