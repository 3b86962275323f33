import { expect, it } from 'vitest'
import { createKeptReplies } from './kept-replies.ts'
import type { Lasting } from './kept-replies.ts'

const call = { signal: new AbortController().signal, progress: () => {} }
const subject = {}
const question = { key: 'search tea', subject }
const lasting = (again = true): Lasting => ({ again: async () => again })
const answer = (text: string) => ({ texts: [text] })

it('knows what was asked before, save for what is very long', () => {
  const kept = createKeptReplies()
  expect([kept.wasAsked(question), kept.wasAsked(question)]).toEqual([false, true])
  const long = { key: 'search '.repeat(100), subject }
  expect([kept.wasAsked(long), kept.wasAsked(long)]).toEqual([false, false])
})

it('gives a reply again to who asks the same of the same, where it still holds', async () => {
  const kept = createKeptReplies()
  kept.keep(question, lasting(false), answer('old'))
  expect(await kept.find(question, call)).toBeUndefined()
  kept.keep(question, lasting(), answer('new'))
  expect(await kept.find(question, call)).toEqual(answer('new'))
  expect(await kept.find({ key: 'search pot', subject }, call)).toBeUndefined()
  expect(await kept.find({ ...question, subject: {} }, call)).toBeUndefined()
})

it('keeps some forms of one reply, the latest first', async () => {
  const kept = createKeptReplies()
  const tried: number[] = []
  for (let form = 1; form <= 14; form++) {
    const again = async () => {
      tried.push(form)
      return false
    }
    kept.keep(question, { again }, answer(String(form)))
  }
  await kept.find(question, call)
  expect(tried).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
})

it('keeps no more than there is room for, and what was used last', async () => {
  const kept = createKeptReplies()
  const large = answer('x'.repeat(700_000))
  const at = (number: number) => ({ key: String(number), subject })
  for (const number of [1, 2]) kept.keep(at(number), lasting(), large)
  await kept.find(at(1), call)
  kept.keep(at(3), lasting(), large)
  const found = await Promise.all([1, 2, 3].map((number) => kept.find(at(number), call)))
  expect(found.map((each) => each !== undefined)).toEqual([true, false, true])
})

it('holds on to nothing of what it was given', async () => {
  const kept = createKeptReplies()
  const given = { texts: ['tea'], structured: { results: [{ id: 'tea.md' }] } }
  kept.keep(question, lasting(), given)
  const found = await kept.find(question, call)
  expect(found).toEqual(given)
  expect(found!.structured).not.toBe(given.structured)
})
