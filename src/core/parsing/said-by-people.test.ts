import { expect, it } from 'vitest'
import { saidByPeople } from './said-by-people.ts'

const said = (text: string): string[] =>
  saidByPeople(text, 0).map(({ start, end }) => text.slice(start, end).trim())

it('reads what people said to an assistant, up to its answer', () => {
  expect(
    said('User: I moved to Ulm.\n\nAssistant: Nice!\n\nWhat now?\n\nUser: Nothing.\n'),
  ).toEqual(['I moved to Ulm.', 'Nothing.'])
  expect(said('**Human:** One line.\nAnd more.\n**Claude:** I see.\n')).toEqual([
    'One line.\nAnd more.',
  ])
})

it.each([
  'User: a field of the form.\nPassword: another.\n',
  'Alice: Hello.\nBob: Hello.\n',
  '# Assistant\n\nWhat an assistant does.\n',
  'Assistant: Nobody asked.\nUser: Nobody answered.\n',
  'user: root\nassistant: none\nuser: nobody\n',
  '',
])('finds nothing in what is no conversation with one: %j', (text) =>
  expect(said(text)).toEqual([]),
)
