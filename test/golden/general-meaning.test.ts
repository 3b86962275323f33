/** What words mean in general: a few notes, and questions that share no word with them. */
import { expect, it } from 'vitest'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { judge, namesOf } from './judge.ts'

judge(
  'three notes',
  {
    'deep-learning': '# Deep learning\n\nNeural networks with many layers, trained on examples.',
    bread: '# Bread\n\nFlour, water, salt and a sourdough starter.',
    garden: '# The garden\n\nTomatoes want sun; the beans climb along the fence.',
  },
  [
    {
      query: 'artificial intelligence',
      first: ['deep-learning'],
      because: 'no word is shared, and three notes teach nothing',
      modes: ['auto'],
    },
    {
      query: 'what do I need to bake a loaf',
      first: ['bread'],
      because: 'the same for a question',
      modes: ['auto'],
    },
    {
      query: 'growing vegetables',
      first: ['garden'],
      because: 'and for two words',
      modes: ['auto'],
    },
    { query: 'flour', only: ['bread'], because: 'a word that is there is found by words' },
  ],
)

judge(
  'a team handbook',
  {
    rollback: '# Roll back a release\n\nDeploy the tag before it, then tell the channel.',
    holidays: '# Holidays\n\nThirty days a year. Enter them in the calendar two weeks ahead.',
    secrets: '# Secrets\n\nRotate keys every quarter. Never commit one; revoke what was leaked.',
    expenses: '# Expenses\n\nKeep receipts. Finance pays on the last Friday of the month.',
    oncall: '# On call\n\nOne week each. The pager goes to your phone, also at night.',
    onboarding: '# First week\n\nA laptop, accounts, and lunch with everybody on the team.',
  },
  [
    {
      query: 'how do I revert to the previous version after a bad upgrade',
      first: ['rollback'],
      because: 'revert, version and upgrade are other words for it',
      modes: ['auto'],
    },
    {
      query: 'how much vacation do we get',
      first: ['holidays'],
      because: 'vacation means holidays',
      modes: ['auto'],
    },
    {
      query: 'somebody published a password by accident',
      first: ['secrets'],
      because: 'a leaked secret in other words',
      modes: ['auto'],
    },
    {
      query: 'getting reimbursed for a train ticket',
      first: ['expenses'],
      because: 'receipts and finance',
      modes: ['auto'],
    },
  ],
)

it('answers the same on every run, in another process and after a rebuild', async () => {
  const files = {
    'a.md': '# Deep learning\n\nNeural networks with many layers.',
    'b.md': '# Bread\n\nFlour and water.',
    'c.md': '# Zorblax\n\nThe zorblax engine needs oil.',
  }
  const ask = async (): Promise<unknown> => {
    const { kb } = await openSmallBase(files, { learns: true })
    const answer = await searchDocuments(kb, 'machine intelligence and motors')
    return [namesOf(answer), answer.hits.map(({ score }) => score)]
  }
  expect(await ask()).toEqual(await ask())
})
