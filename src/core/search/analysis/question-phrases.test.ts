import { expect, it } from 'vitest'
import { withoutAsking } from './question-phrases.ts'

const left = (question: string): string => withoutAsking(question).replaceAll(/\s+/g, ' ').trim()

it.each([
  ['How many commits are on main?', 'How commits are on main?'],
  ['wie viele Server laufen in Halle 2', 'wie Server laufen in Halle 2'],
  ['How old is Mara?', 'How is Mara?'],
  ['Could you please give me a short summary of my budget across our chats?', 'my budget ?'],
  ['Kannst du mir erklären, was in unseren Gesprächen zum Ofen stand?', ', was zum Ofen stand?'],
  [
    'Can you list the order in which I brought up different aspects of my garden throughout our conversations, in order? Mention only five items.',
    'my garden , ?',
  ],
  ['How many shoe sizes have I mentioned across my messages?', 'How shoe sizes ?'],
  ['我们的对话中提到的花园预算', '提到的花园预算'],
])('what only asks is no word of it: %s', (question, rest) => expect(left(question)).toBe(rest))

it.each([
  'a packing list for the trip in order',
  'messages in our queue',
  'show me the order of sessions',
  'Can you list the tags?',
  'as long as it takes',
  '"how many" tickets',
  'how often',
  'Which notes mention only Postgres?',
  'Fix timeouts during my SSH sessions',
  'How to remove duplicates from our Kafka messages',
  'what is the retention of our audit messages',
])('everything else stays: %s', (query) => expect(withoutAsking(query)).toBe(query))

it('keeps every place where it was', () => {
  const question = 'In our chats, how many kettles did we discuss?'
  expect(withoutAsking(question)).toHaveLength(question.length)
  expect(withoutAsking(question).indexOf('kettles')).toBe(question.indexOf('kettles'))
})
