import { expect, it } from 'vitest'
import { scoreRun } from './score-run.ts'

const judged = (rows: Record<string, Record<string, number>>) =>
  new Map(Object.entries(rows).map(([question, docs]) => [question, new Map(Object.entries(docs))]))

it('agrees with an example worked by hand', () => {
  const judgements = judged({ q1: { a: 2, b: 1, c: 1, z: 0 }, q2: { d: 1 }, q3: { e: 0 } })
  const { mean, byQuestion } = scoreRun(judgements, new Map([['q1', ['x', 'a', 'b', 'y']]]))
  const found = 2 / Math.log2(3) + 1 / Math.log2(4)
  const ideal = 2 + 1 / Math.log2(3) + 1 / Math.log2(4)
  expect(byQuestion.get('q1')).toEqual({
    ndcg10: found / ideal,
    recall10: 2 / 3,
    recall100: 2 / 3,
    mrr10: 1 / 2,
    success1: 0,
    success5: 1,
    all10: 0,
  })
  // q2 is not in the run and counts as 0; q3 has nothing relevant and does not count.
  expect([...byQuestion.keys()]).toEqual(['q1', 'q2'])
  expect(mean.ndcg10).toBeCloseTo(found / ideal / 2, 12)
})

it('sees the eleventh place only where it counts', () => {
  const late = [...Array.from({ length: 10 }, (_, index) => `x${index}`), 'a']
  const { mean } = scoreRun(judged({ q: { a: 1 } }), new Map([['q', late]]))
  expect(mean).toEqual({
    ndcg10: 0,
    recall10: 0,
    recall100: 1,
    mrr10: 0,
    success1: 0,
    success5: 0,
    all10: 0,
  })
})
