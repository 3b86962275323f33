import { describe, expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { askQuestion } from '../answering/ask-question.ts'
import { searchDocuments } from './search-documents.ts'

const filler = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [
    `other-${at}.md`,
    `# Other ${at}\n\nThe kitchen has tea.\n`,
  ]),
)

const dated = (date: string, text: string): string => `---\ndate: ${date}\n---\n${text}\n`

async function first(files: Record<string, string>, question: string) {
  const { kb } = await openSmallBase({ ...filler, ...files })
  const { hits } = await searchDocuments(kb, question)
  return hits.slice(0, 2).map(({ document, earlier }) => [document.path, earlier])
}

const BUDGET = {
  'a.md': dated(
    '2026-03-01',
    '# Kite budget\n\nThe budget of the Kite project is 4000 euros in total.',
  ),
  'b.md': dated('2026-05-01', '# Kite\n\nThe budget of Kite was raised and is now 6500 euros.'),
}

describe('of two statements about the same thing', () => {
  it('the later stands first where what holds now is asked for, the earlier is marked', async () => {
    expect(await first(BUDGET, 'What is the budget of the Kite project?')).toEqual([
      ['b.md', undefined],
      ['a.md', '2026-03-01'],
    ])
  })

  it.each([
    ['words without a question', 'budget of the Kite project'],
    ['a question for the past', 'What was the budget of the Kite project originally?'],
  ])('nothing moves for %s', async (_, question) => {
    expect(await first(BUDGET, question)).toEqual([
      ['a.md', undefined],
      ['b.md', undefined],
    ])
  })

  it.each([
    [
      'What is the deadline of the Falcon rollout?',
      'The deadline of the Falcon rollout is 12 March 2026.',
      'The deadline of the Falcon rollout is 20 March 2026.',
    ],
    [
      'Wann ist die Frist für den Habicht-Umbau?',
      'Stand 5. Januar 2026: Die Frist für den Habicht-Umbau ist der 12. März 2026.',
      'Stand 7. Februar 2026: Die Frist für den Habicht-Umbau ist der 20. März 2026.',
    ],
    [
      'Quelle est l’échéance du projet Mésange ?',
      "L'échéance du projet Mésange est le 12 mars 2026.",
      "L'échéance du projet Mésange est le 20 mars 2026.",
    ],
    [
      '¿Cuál es el plazo del proyecto Colibrí?',
      'El plazo del proyecto Colibrí es el 12 de marzo de 2026.',
      'El plazo del proyecto Colibrí es el 20 de marzo de 2026.',
    ],
    [
      'Какой сейчас срок проекта Синица?',
      'Срок проекта Синица — 12 марта 2026.',
      'Срок проекта Синица — 20 марта 2026.',
    ],
    [
      '蜂鸟项目的截止日期是什么时候？',
      '截至2026年1月5日，蜂鸟项目的截止日期是2026年3月12日。',
      '截至2026年2月7日，蜂鸟项目的截止日期是2026年3月20日。',
    ],
  ])('a sentence with another value needs no word for the change: %s', async (asked, old, now) => {
    const files = {
      'a.md': dated('2026-01-05', `# Monday\n\n${old}`),
      'b.md': dated('2026-02-07', `# Thursday\n\n${now}\n\nThere was cake, too, and much talk.`),
    }
    expect(await first(files, asked)).toEqual([
      ['b.md', undefined],
      ['a.md', '2026-01-05'],
    ])
  })

  it('the same words under another title are about another thing', async () => {
    const files = {
      'a.md': dated('2026-01-05', '# Sick leave\n\nThe notice period is 3 days.'),
      'b.md': dated('2026-02-07', '# Parental leave\n\nThe notice period is 90 days.'),
    }
    expect((await first(files, 'What is the notice period of sick leave?'))[0]).toEqual([
      'a.md',
      undefined,
    ])
  })

  it('notes of one kind are about two things, also where nobody asks for one of them', async () => {
    const files = {
      'a.md': dated('2026-01-05', '# Lease Berlin\n\nThe notice period of the lease is 3 months.'),
      'b.md': dated('2026-02-07', '# Lease Hamburg\n\nThe notice period of the lease is 6 months.'),
    }
    expect((await first(files, 'What is the notice period of the lease?'))[0]).toEqual([
      'a.md',
      undefined,
    ])
  })

  it('nothing moves where the later says nothing of a change', async () => {
    const files = {
      ...BUDGET,
      'b.md': dated('2026-05-01', '# Kite\n\nThe budget of Kite is a secret.'),
    }
    expect((await first(files, 'What is the budget of the Kite project?'))[0]).toEqual([
      'a.md',
      undefined,
    ])
  })

  it('nothing moves where the later tells of a change and no value', async () => {
    const files = {
      ...BUDGET,
      'b.md': dated('2026-05-01', '# Kite\n\nThe budget of Kite has changed on May 3, 2026.'),
    }
    expect((await first(files, 'What is the budget of the Kite project?'))[0]).toEqual([
      'a.md',
      undefined,
    ])
  })

  it('what its author calls superseded stands behind', async () => {
    const files = {
      'a.md':
        '---\nsuperseded_by: "[[b]]"\n---\n# Kite budget\n\nThe budget of the Kite project is 4000.\n',
      'b.md': '# Kite\n\nThe budget of Kite is 6500.\n',
    }
    expect(await first(files, 'What is the budget of the Kite project?')).toEqual([
      ['b.md', undefined],
      ['a.md', 'earlier'],
    ])
  })

  it('a cycle of such notes ends, and loses none', async () => {
    const over = (by: string) =>
      `---\nsuperseded_by: "[[${by}]]"\n---\n# Kite ${by}\n\nThe budget of Kite is 1.\n`
    const found = await first(
      { 'a.md': over('b'), 'b.md': over('a') },
      'What is the budget of Kite?',
    )
    expect(found.map(([path]) => path).toSorted()).toEqual(['a.md', 'b.md'])
  })
})

it('gives the same order page by page', async () => {
  const { kb } = await openSmallBase({ ...filler, ...BUDGET })
  const question = 'What is the budget of the Kite project?'
  const paths: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 3; page++) {
    const answer = await searchDocuments(kb, question, { limit: 1, ...(cursor && { cursor }) })
    paths.push(...answer.hits.map(({ document }) => document.path))
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  const { hits } = await searchDocuments(kb, question, { limit: 3 })
  expect(paths).toEqual(hits.map(({ document }) => document.path).slice(0, paths.length))
  expect(paths.slice(0, 2)).toEqual(['b.md', 'a.md'])
})

it('adds up: what the place gave or took is one of the signals', async () => {
  const { kb } = await openSmallBase({ ...filler, ...BUDGET })
  const { hits } = await searchDocuments(kb, 'What is the budget of the Kite project?')
  for (const { signals } of hits) {
    const { words, meaning, links, name, later = 0, total } = signals
    expect(words + meaning + links + name + later).toBeCloseTo(total, 9)
  }
  expect(hits[0]!.score).toBeGreaterThanOrEqual(hits[1]!.score)
})

it('counts what people said to an assistant before what it answered', async () => {
  const chat = (user: string, assistant: string) => `User: ${user}\n\nAssistant: ${assistant}\n`
  const long = 'Routing tables of switches can be planned in many ways. '.repeat(6)
  const found = await first(
    {
      'chat-1.md': chat('How do I cook rice?', `${long} The routing table has entries.`),
      'chat-2.md': chat('My routing table has 12 entries.', 'Good to know.'),
    },
    'routing table entries',
  )
  expect(found[0]![0]).toBe('chat-2.md')
})

describe('ask', () => {
  it('quotes both sides where one note denies what another reports', async () => {
    const { kb } = await openSmallBase({
      ...filler,
      'chat-1.md': dated(
        '2026-03-01',
        'User: I have never written any Flask routes in this project.\n\nAssistant: Here is how routes work in Flask.',
      ),
      'chat-2.md': dated(
        '2026-04-01',
        "User: I've added 3 Flask routes to this project and they handle requests.\n\nAssistant: Well done.",
      ),
    })
    const { claims, notes } = await askQuestion(kb, 'Have I written Flask routes in this project?')
    const cited = claims.slice(0, 2).flatMap(({ citations }) => citations.map(({ id }) => id))
    expect(cited.map((id) => id.split('/').at(-1))).toEqual(['chat-1.md', 'chat-2.md'])
    expect(notes.join(' ')).toMatch(/differ/)
  })

  it('says nothing of sides where nobody denies anything', async () => {
    const { kb } = await openSmallBase({ ...filler, ...BUDGET })
    const { notes } = await askQuestion(kb, 'Is the budget of Kite 6500 euros?')
    expect(notes.join(' ')).not.toMatch(/differ/)
  })
})

describe('dates of statements', () => {
  const question = 'What is the budget of the Kite project?'
  const old = 'The budget of the Kite project is 4000 euros in total.'
  const now = 'The budget of Kite was raised and is now 6500 euros.'

  it.each<[string, string, string, string]>([
    [
      'their headings',
      `# Log\n\n## 2026-03-01\n\n${old}`,
      `# Diary\n\n## 1 May 2026\n\n${now}`,
      '2026-03-01',
    ],
    ['what they say', `As of March 2026: ${old}`, `As of May 2026: ${now}`, '2026-03-01'],
    [
      'what they say in German',
      `Stand 1. März 2026: ${old}`,
      `Stand 1. Mai 2026: ${now}`,
      '2026-03-01',
    ],
    ['an end', `Valid until 1 May 2020: ${old}`, now, 'earlier'],
    [
      'a heading, before the note',
      `---\ndate: 2026-06-01\n---\n\n## 2026-03-01\n\n${old}`,
      `---\ndate: 2026-05-01\n---\n${now}`,
      '2026-03-01',
    ],
  ])('are read from %s', async (_, a, b, day) => {
    expect(await first({ 'a.md': a, 'b.md': b }, question)).toEqual([
      ['b.md', undefined],
      ['a.md', day],
    ])
  })

  it('say nothing where they are not of the statement', async () => {
    const files = {
      'a.md': `${old} We meet on 2026-03-01.`,
      'b.md': `${now} We met on 2026-05-01.`,
    }
    expect((await first(files, question))[0]).toEqual(['a.md', undefined])
  })
})
