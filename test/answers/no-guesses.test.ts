/** What merely looks like the question is no answer to it. */
import { expect, it } from 'vitest'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const NOTES = {
  'school.md': '# School\n\nEverybody may learn to swim here. We learn twice a week.\n',
  'leave.md': '# Parental leave\n\nParental leave takes 35 days in the second year.\n',
  'parcels.md': '# Parcels\n\nWe receive parcels at the gate.\n',
}

it('does not answer with a word inside of which the asked one stands', async () => {
  const { kb } = await openSmallBase(NOTES)
  const { claims, relevant } = await askQuestion(kb, 'What do I earn?')
  expect({ claims, relevant }).toEqual({ claims: [], relevant: false })
})

it('still understands a slip', async () => {
  const { kb } = await openSmallBase(NOTES)
  const { claims } = await askQuestion(kb, 'Where do we recieve parcels?')
  expect(claims[0]?.text).toContain('at the gate')
})

it('does not call how long something takes unanswered beside the days that it takes', async () => {
  const { kb } = await openSmallBase(NOTES)
  const { claims, gaps } = await askQuestion(kb, 'How long is parental leave?')
  expect(claims[0]?.text).toContain('35 days')
  expect(gaps).toEqual([])
})
