import { expect, it } from 'vitest'
import { onePer } from './one-per.ts'

it('makes one for each object, once', () => {
  const asked: object[] = []
  const placeOf = onePer((key: object) => asked.push(key))
  const [a, b] = [{}, {}]
  expect([placeOf(a), placeOf(b), placeOf(a)]).toEqual([1, 2, 1])
})

it('remembers that there is none', () => {
  const asked: object[] = []
  const find = onePer((key: object): string | undefined => void asked.push(key))
  const key = {}
  expect([find(key), find(key)]).toEqual([undefined, undefined])
  expect(asked).toEqual([key])
})
