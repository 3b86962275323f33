import { describe, expect, it } from 'vitest'
import { analyseText } from '../../search/analysis/analyser.ts'
import type { AnswerPassage } from './answer-passages.ts'
import { pickSentences, scoreSentences } from './extract-answer.ts'
import type { Asked } from './extract-answer.ts'

/** Words of a question as search understands them; `rare:` ones weigh five times as much. */
function asked(question: string): Asked {
  const words = question.split(' ').map((given) => {
    const word = given.replace('rare:', '')
    const terms = analyseText(word).map(({ term }) => term)
    return { spelling: word, terms, match: 'exact' as const, weight: given === word ? 1 : 5 }
  })
  return { words, languages: ['english'], question: question.replaceAll('rare:', '') }
}

function passage(number: number, text: string, { title = '', score = 1 } = {}): AnswerPassage {
  const chunks = [{ start: 0, end: text.length, lineStart: 1, lineEnd: 1, headingPath: [] }]
  const found = { live: { text, record: { title } }, chunks, hit: { score } }
  return { number, start: 0, end: text.length, found } as unknown as AnswerPassage
}

function picked(question: string, passages: readonly AnswerPassage[], most = 1): string[] {
  const words = asked(question)
  return pickSentences(scoreSentences(passages, words), words, { most }).map(
    ({ passage: from, start, end }) => from.found.live.text.slice(start, end),
  )
}

function best(question: string, passages: readonly AnswerPassage[]): string | undefined {
  const [first] = scoreSentences(passages, asked(question))
  return first?.passage.found.live.text.slice(first.start, first.end)
}

describe('the best sentence', () => {
  it.each([
    [
      'has more of the words',
      'milk fridge',
      'The milk is white and good. The milk is in the fridge.',
      'The milk is in the fridge.',
    ],
    [
      'has the rare word',
      'kitchen rare:samovar',
      'The kitchen is large and bright. The samovar is old and bright.',
      'The samovar is old and bright.',
    ],
    [
      'has them close together',
      'milk fridge',
      'Now to the white things. The milk and what else came with the last boat on Monday is not in the fridge. The milk fridge is blue and old.',
      'The milk fridge is blue and old.',
    ],
    [
      'stands under a heading with the word',
      'milk rare:last',
      '# Sugar\n\nIt goes in last, they say.\n\n# Milk\n\nGoes in last, they say.',
      'Goes in last, they say.',
    ],
    [
      'has a name where a person is asked for',
      'who milk fridge',
      'Some put the milk into the fridge at night. It was Ada Lovelace who put the milk away.',
      'It was Ada Lovelace who put the milk away.',
    ],
    [
      'has a time where one is asked for',
      'when milk bought',
      'The milk was bought by a farmer. The milk was bought in 1984.',
      'The milk was bought in 1984.',
    ],
    [
      'has a number where one is asked for',
      'how many bottles of milk',
      'The milk is in the bottles there. The milk came in 12 bottles.',
      'The milk came in 12 bottles.',
    ],
    [
      'has the word that the others lack',
      'milk tea rare:samovar',
      'Milk tea is good. Milk tea is hot. Milk tea is here. Milk tea is old. A samovar is by the door.',
      'A samovar is by the door.',
    ],
    [
      'is no question',
      'milk last',
      'Does the milk go in last? Some pour the milk in last.',
      'Some pour the milk in last.',
    ],
    [
      'is no menu',
      'milk tea',
      'Milk tea\nGreen tea\nBlack tea with things\n\nFor tea the milk is warmed.',
      'For tea the milk is warmed.',
    ],
    ['is no heading', 'milk tea', '# Milk tea\n\nIt is warm and sweet.', 'It is warm and sweet.'],
  ])('%s', (_name, question, text, expected) => {
    expect(best(question, [passage(1, text)])).toBe(expected)
  })

  it('is in the document that search puts first, where both say the same', () => {
    const text = (n: number) => `Some pour the milk in at ${n} degrees.`
    const passages = [passage(1, text(1), { score: 1 }), passage(2, text(2), { score: 0.5 })]
    expect(picked('milk', passages)).toEqual([text(1)])
    expect(picked('milk', passages.toReversed())).toEqual([text(1)])
  })

  it('is found by meaning where no word of the question is in any', () => {
    const one = passage(1, 'The rain falls all day long. The automobile stands in the yard.')
    const words = asked('car')
    expect(scoreSentences([one], words)).toEqual([])
    const [best] = scoreSentences([one], words, ({ start }) => (start > 0 ? 0.9 : 0.1))
    expect(best?.start).toBe(29)
  })
})

describe('the first quote', () => {
  it('holds what stands around its sentence, as far as one reads at a glance', () => {
    const long = `${'This says nothing of it. '.repeat(30)}`.trim()
    const text = `${long} The kettle is made of copper. He bought it in Leeds. ${long}`
    const [first = ''] = picked('kettle copper rare:price', [passage(1, text)])
    expect(first).toContain('He bought it in Leeds.')
    expect(first.length).toBeLessThanOrEqual(640)
    expect(picked('kettle', [passage(1, 'The kettle boils.\n\nAnother thing.')])).toEqual([
      'The kettle boils.',
    ])
  })

  it.each([
    [
      'what happened',
      '# Outage\n\n**What happened.** The disk was full at night.',
      'disk was full',
    ],
    ['steps release', 'The steps of a release:\n\n- tag it\n- push it\n', '- push it'],
    ['phone numbers', '# Phone numbers\n\n- Ada: 555-1234\n- Bob: 555-9876\n', 'Bob: 555-9876'],
    [
      'opening hours',
      '# Opening hours\n\n| day | from |\n| --- | --- |\n| Monday | 9 |\n| Friday | 11 |\n',
      'Friday',
    ],
  ])('is never a lead-in alone: %s', (question, text, expected) => {
    expect(picked(question, [passage(1, text)])[0]).toContain(expected)
  })
})

describe('several sentences', () => {
  it('say different things, and leave out what is far worse', () => {
    const text =
      'The milk is in the fridge.\n\nThe cow is in the fridge too.\n\nThe sky is blue today.'
    expect(picked('milk cow fridge', [passage(1, text)], 5)).toEqual([
      'The milk is in the fridge.',
      'The cow is in the fridge too.',
    ])
  })

  it('are at most three of a document', () => {
    const text = (n: number) => ['one', 'two', 'three', 'four'].map((w) => `Milk is ${w}${n}, see.`)
    const passages = [1, 2].map((n) => passage(n, text(n).join('\n\n')))
    const found = picked('milk', passages, 9)
    expect(found.filter((each) => /1,/.test(each))).toHaveLength(3)
    expect(found).toHaveLength(6)
  })

  it('never overlap', () => {
    const text = 'Milk is white and sweet. It is milk from the white cow.'
    expect(picked('milk white', [passage(1, text)], 5).join(' ')).toBe(text)
  })
})
