/** What an answer quotes is lit in its note: at the very words, whatever Markdown stands in them. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { litQuote } from '../support/lit-quotes.ts'
import { openSmallBase, openSmallBaseAt } from '../support/open-small-base.ts'

const QUESTIONS = [
  'When may we roll back a release?',
  'Who is on call?',
  'How are credentials rotated?',
  'What does the nightly canary do?',
  'Where do alerts go?',
  'What happens on the first day?',
  'How do we write a decision down?',
  'Which customers have a station?',
  'How is a backup restored?',
  'What does a green test run need?',
]

it('lights every quote of answers over the sample handbook', async () => {
  const handbook = resolve(import.meta.dirname, '../../examples/handbook')
  const { kb, sync } = await openSmallBaseAt(handbook)
  await sync()
  const lit = []
  for (const question of QUESTIONS) {
    const { claims } = await askQuestion(kb, question)
    for (const cited of claims.flatMap(({ citations }) => citations))
      lit.push({ as: await litQuote(kb, cited), ...cited })
  }
  expect(lit.length).toBeGreaterThan(20)
  expect(lit.filter(({ as }) => as === 'lost' || as === 'unconfirmed')).toEqual([])
  expect(lit.filter(({ as }) => as === 'words').length / lit.length).toBeGreaterThanOrEqual(0.95)
})

const NOTE = `# Kettle

The **kettle** boils [water](https://water.example/a_b) in _two_ minutes[^1], says [[Pot|the pot]].

1. Fill it to the \`max\` line.
2. Switch it on & wait.

| part | made of |
| ---- | ------- |
| lid  | *steel* |

> [!note] Mind
> It is hot \u200e afterwards.

[^1]: On a good day.
`

it.each([
  ['The **kettle** boils [water](https://water.example/a_b) in _two_ minutes[^1], says', 3, 3],
  ['says [[Pot|the pot]].', 3, 3],
  ['Fill it to the `max` line.\n2. Switch it on & wait.', 5, 6],
  ['lid  | *steel*', 10, 10],
  ['It is hot \u200e afterwards.', 13, 13],
  ['[^1]: On a good day.', 15, 15],
])('lights %j', async (quote, first, last) => {
  const { kb } = await openSmallBase({ 'kettle.md': NOTE, 'pot.md': '# Pot\n' })
  expect(await litQuote(kb, { id: 'notes/kettle.md', quote, lines: [first, last] })).toBe('words')
})
