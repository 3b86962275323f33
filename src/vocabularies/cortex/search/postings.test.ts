import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Postings } from './postings.ts'

it('knows the texts of a word, whenever they came', () => {
  const words = fc.array(fc.nat(5), { maxLength: 6 })
  const texts = fc.array(words, { maxLength: 12 })
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const postings = new Postings()
      const numbers = new Map<number, number>()
      const add = (text: number, some: readonly number[]): void => {
        for (const word of some) {
          const number = numbers.get(word) ?? numbers.size
          numbers.set(word, number)
          postings.add(number, text)
        }
      }
      const all = [...before, ...after]
      const check = (count: number): void => {
        for (const [word, number] of numbers) {
          const having = all.slice(0, count).map((some) => Number(some.includes(word)))
          const marks = new Uint8Array(count)
          postings.mark(number, marks, 1)
          expect([...marks]).toEqual(having)
          expect(postings.count(number)).toBe(having.reduce((sum, each) => sum + each, 0))
        }
      }
      before.forEach((some, text) => add(text, some))
      check(before.length)
      after.forEach((some, text) => add(before.length + text, some))
      check(all.length)
    }),
  )
})

it('raises marks by one step only', () => {
  const postings = new Postings()
  for (const text of [0, 1, 2]) postings.add(0, text)
  const marks = new Uint8Array([0, 1, 2])
  postings.mark(0, marks, 2)
  expect([...marks]).toEqual([0, 2, 2])
})
