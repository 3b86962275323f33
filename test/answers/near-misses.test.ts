/** A quote with the words of the question is no answer when it says something else. */
import { expect, it } from 'vitest'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTES = {
  'house.md': '# The house on Elm Street\n\nThe house on Elm Street has 3 floors and a garden.\n',
  'mill.md': '# The mill\n\nThe mill has 4 rooms and a cellar.\n',
  'call.md':
    '# Call\n\nOn April 7 Carla showed us her checklist during the call. It took an hour.\n',
  'servers.md': `# Servers

| Name    | Port | Owner       |
| ------- | ---- | ----------- |
| staging | 5433 | Mara Lind   |
| archive | 5499 | Ines Vidal  |
`,
  'picnic.md': `# Picnic

Ada: I will bring cake to the picnic.

Ben: I will bring lemonade to the picnic, and my drum.

Ada: Good.
`,
}

async function ask(question: string) {
  const { kb } = await openTestBase(NOTES)
  return askQuestion(kb, question)
}

it('does not answer with the number of another thing', async () => {
  const { claims, answer } = await ask('How many rooms does the house on Elm Street have?')
  expect(claims.filter(({ text }) => text.includes('3 floors'))).toEqual([])
  expect(answer).not.toContain('3 floors')
  const mill = await ask('How many rooms does the mill have?')
  expect(mill.claims[0]?.text).toContain('4 rooms')
})

it('does not say of one note what another one says of its own subject', async () => {
  const footer = 'This note in Obsidian: edit it with Git.'
  const people = Array.from({ length: 20 }, (_, at) => [
    `people/${at}.md`,
    `# Person ${at}\n\nHello.\n\n${footer}\n`,
  ])
  const { kb } = await openTestBase({
    'obsidian-git.md': `# Obsidian Git\n\nCopies your vault.\n\n${footer}\n`,
    'pieces.md': `# Pieces\n\nMara Lind develops Pieces.\n\n${footer}\n`,
    ...Object.fromEntries(people),
  })
  const { claims } = await askQuestion(kb, 'Who develops Obsidian Git?')
  expect(claims.map(({ text }) => text).join()).not.toContain('Mara')
  const other = await askQuestion(kb, 'Who develops Pieces?')
  expect(other.claims[0]?.text).toContain('Mara Lind')
})

it('says that the event is told, and the detail is not', async () => {
  const { claims, gaps } = await ask('What advice did Carla give during the call on April 7?')
  expect(claims).toEqual([])
  expect(gaps).toContain('advice')
})

it('reads a table: the row with the names of its columns', async () => {
  const { claims } = await ask('Which port does staging have?')
  expect(claims[0]?.text).toBe('Name: staging; Port: 5433; Owner: Mara Lind')
  expect(claims[0]?.citations[0]).toMatchObject({
    quote: '| staging | 5433 | Mara Lind   |',
    lines: [5, 5],
  })
  const owner = await ask('Who is the owner of the archive?')
  expect(owner.claims[0]?.text).toContain('Owner: Ines Vidal')
})

it('lets those speak who are asked for', async () => {
  const { claims } = await ask('What will Ada bring to the picnic?')
  expect(claims[0]?.text).toContain('cake')
  const drum = await ask('Will Ada bring a drum to the picnic?')
  expect(drum.claims[0]?.text ?? '').not.toContain('drum')
})

it('says when a question is in another language than what was found', async () => {
  const { notes } = await ask('Wo ist der Port von staging und wer hat das beschrieben?')
  expect(notes.join()).toContain('The question is in German')
  expect((await ask('Which port does staging have?')).notes).toEqual([])
})

it('answers from a list of names and values, which is no conversation', async () => {
  const { kb } = await openTestBase({
    'ports.md': '# Ports\n\nGrafana: port 3000\nPrometheus: port 9090\nLoki: port 3100\n',
  })
  const { claims } = await askQuestion(kb, 'What port is Grafana on?')
  expect(claims[0]?.text).toContain('3000')
})

it('answers from a sentence that leans on the one before it', async () => {
  const { kb } = await openTestBase({
    'alice.md': '# Alice\n\nAlice is an engineer.\n',
    'phones.md': "# Phones\n\nAlice's phone is 555. She lives in Ulm.\n\nBob lives in Bonn.\n",
  })
  const { claims } = await askQuestion(kb, 'Where does Alice live?')
  expect(claims.map(({ text }) => text).join()).toContain('Ulm')
  expect(claims.map(({ text }) => text).join()).not.toContain('Bonn')
})
