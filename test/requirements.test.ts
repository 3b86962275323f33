/** Every requirement of a compatibility surface has a test. */
import { expect, it } from 'vitest'
import { requirements } from './support/requirements.ts'
import { uncitedRequirements } from './support/verifies.ts'

const surfaces = Object.keys(requirements) as (keyof typeof requirements)[]

it.each(surfaces)('every requirement of %s is verified by a test', (surface) => {
  expect(uncitedRequirements(surface)).toEqual([])
})
