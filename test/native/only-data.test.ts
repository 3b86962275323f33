/** A program that reads the structured reply alone, such as the command line, is not made a text. */
import { expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

it('gives a program the same facts, and nothing that a model would read', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`n${at}.md`, `# Note ${at}\n\nTea in kettle ${at}.\n`]),
  )
  const { surface, bugs } = await openTestBase(notes, { learns: true })
  const call = { signal: new AbortController().signal, progress: () => {} }
  for (const [tool, args] of [
    ['search', { query: 'how is tea made' }],
    ['search', { query: 'tea', also: ['kettle'] }],
    ['list', { limit: 3 }],
    ['fetch', { ids: ['notes/n1.md'] }],
  ] as const) {
    const whole = await surface.call(tool, args, call)
    const data = await surface.call(tool, args, { ...call, onlyData: true })
    expect([whole.isError, data.isError]).toEqual([undefined, undefined])
    expect(whole.texts.join('').length).toBeGreaterThan(20)
    expect(data).toEqual({ ...whole, texts: [] })
  }
  expect(bugs).toEqual([])
})
