import { expect, it } from 'vitest'
import { planQuery } from './plan-query.ts'
import { parseQuery } from './query.ts'

it('asks for a phrase once, however often it is written', () => {
  const { required } = planQuery(
    parseQuery('"green tea" "green tea" title:"green tea" "green tea"'),
  )
  expect(required.map((each) => each.kind === 'phrase' && each.field)).toEqual([undefined, 'title'])
})
