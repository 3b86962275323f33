import { expect, it } from 'vitest'
import { combine } from './combine.ts'
import type { Evidence } from './combine.ts'

const byNumber = (a: number, b: number): number => a - b

const word = (doc: number, score: number, together = 0.5) => ({
  doc,
  score,
  coverage: together,
  together,
  chunk: 0,
})

const near = (doc: number, similarity: number) => ({ doc, chunk: 0, similarity })

function order(evidence: Partial<Evidence>): number[] {
  const all = {
    words: [],
    wordCount: 8,
    meaning: [],
    understood: 1,
    linked: undefined,
    ...evidence,
  }
  return combine(all, byNumber).map(({ doc }) => doc)
}

it('lets a model have its say whose cosines all lie near .8', () => {
  const words = [word(1, 10), word(2, 9)]
  const meaning = [near(1, 0.8), near(2, 0.86)]
  expect(order({ words, meaning })).toEqual([1, 2])
  expect(order({ words, meaning, baseline: 0.79 })).toEqual([2, 1])
})

it('trusts a best match less that has little of the question, where general meanings answer', () => {
  const words = [word(1, 10, 0.25), word(2, 8, 0.25)]
  const meaning = [near(3, 0.5), near(1, 0.16)]
  expect(order({ words, meaning, baseline: 0.15 })[0]).toBe(1)
  expect(order({ words, meaning, baseline: 0.15, general: 1 })[0]).toBe(3)
})

it('shows what is nearest where words find nothing, however far it is', () => {
  expect(order({ meaning: [near(1, 0.05), near(2, 0.1)], baseline: 0.15 })).toEqual([2, 1])
})

it('never lets words, meaning or links push a name down', () => {
  const words = [word(1, 10, 1), word(2, 1, 0.1)]
  const meaning = [near(1, 0.9)]
  const linked = (doc: number) => (doc === 2 ? [] : [{ doc: 3, forward: true }])
  const named = new Map([
    [2, 'alias' as const],
    [4, 'title' as const],
  ])
  expect(order({ words, meaning, linked, named })).toEqual([4, 2, 1])
})

it('lets links decide less where source files are among the best', () => {
  const words = [word(1, 10), word(2, 8)]
  const links = (imported: boolean) => (doc: number) =>
    doc === 1 ? [{ doc: 2, forward: true, imported }] : []
  expect(order({ words, linked: links(false) })).toEqual([2, 1])
  expect(order({ words, linked: links(true) })).toEqual([1, 2])
})

it('counts every mention, also where more documents are weighed than ever before', () => {
  const mentioned = new Map<number, { share: number; common: number }>()
  for (let doc = 0; doc < 5_000; doc++) mentioned.set(doc, { share: 1, common: 1 })
  expect(order({ mentioned })).toHaveLength(5_000)
})

it('lifts what is only mentioned up to who mentions it, and not past it', () => {
  const words = [word(1, 10), word(2, 9), word(3, 2), word(4, 1)]
  const linked = (mentioned: boolean) => (doc: number) =>
    doc === 1 ? [{ doc: 4, forward: true, mentioned }] : []
  expect(order({ words })).toEqual([1, 2, 3, 4])
  expect(order({ words, linked: linked(true) })).toEqual([1, 2, 4, 3])
  const near = [word(1, 10), word(4, 9), word(3, 2)]
  expect(order({ words: near, linked: linked(false) })).toEqual([4, 1, 3])
  expect(order({ words: near, linked: linked(true) })).toEqual([1, 4, 3])
})
