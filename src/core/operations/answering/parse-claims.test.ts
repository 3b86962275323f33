import { describe, expect, it } from 'vitest'
import { parseClaims } from './parse-claims.ts'

const CLAIM = { text: 'Milk goes in last.', citations: [{ passage: 1, quote: 'goes in last' }] }
const ONE = { claims: [CLAIM], missing: [] }
const json = (value: unknown) => JSON.stringify(value)

describe('claims', () => {
  it.each([
    ['as asked for', json({ claims: [CLAIM], missing: ['sugar'] }), { ...ONE, missing: ['sugar'] }],
    [
      'in a fence, with prose around',
      `Sure!\n\`\`\`json\n${json({ claims: [CLAIM] })}\n\`\`\`\nBye`,
      ONE,
    ],
    ['as a bare list', json([CLAIM]), ONE],
    [
      'after thinking aloud',
      `<think>{"claims": [{}]} hm</think>\n${json({ claims: [CLAIM] })}`,
      ONE,
    ],
    ['cut short', `{"claims": [${json(CLAIM)}, {"text": "Sug`, ONE],
    [
      'with one citation instead of a list',
      json({ claims: [{ ...CLAIM, citations: CLAIM.citations[0] }] }),
      ONE,
    ],
    [
      'with the number as text',
      json({ claims: [{ ...CLAIM, citations: [{ passage: '[1]', quote: 'goes in last' }] }] }),
      ONE,
    ],
    [
      'without sources that they name themselves',
      json({ claims: [{ ...CLAIM, text: '[3] Milk goes in last. [2][1, 2]' }] }),
      ONE,
    ],
    [
      'behind more citations than claims',
      `{"claims": [${json({ text: '', citations: Array(13).fill(CLAIM.citations[0]) })}, ${json(CLAIM)}, {"te`,
      ONE,
    ],
    [
      'with places in lists as they are',
      json({ claims: [{ ...CLAIM, text: 'Use list[0].' }] }),
      { ...ONE, claims: [{ ...CLAIM, text: 'Use list[0].' }] },
    ],
    ['that are none', json({ claims: [], missing: ['milk'] }), { claims: [], missing: ['milk'] }],
  ])('are read %s', (_name, answer, expected) => {
    expect(parseClaims(answer)).toEqual(expected)
  })

  it.each([
    ['prose', 'Milk goes in last.'],
    ['nothing', ''],
    ['other JSON', json({ answer: 'Milk' })],
    ['a number', '42'],
    ['null', 'null'],
    ['broken brackets', '{[}]{"'.repeat(1_000)],
    ['deep brackets', '['.repeat(90_000)],
    ['deep objects', '{"a":'.repeat(18_000)],
    ['a book', json({ claims: [CLAIM], note: 'x'.repeat(1_000_000) })],
  ])('are not found in %s', (_name, answer) => {
    expect(parseClaims(answer)).toBeUndefined()
  })

  it('are bounded in number and length, and keep no control characters', () => {
    const many = Array.from({ length: 20 }, () => ({
      text: `a\u001b[31m\n${'b'.repeat(2_000)}`,
      citations: Array.from({ length: 6 }, () => ({ passage: 1, quote: 'c' })),
    }))
    many[0]!.citations[0]!.quote = 'c'.repeat(2_001)
    const { claims } = parseClaims(json({ claims: many }))!
    expect(claims.length).toBeLessThanOrEqual(12)
    expect(claims[0]!.text.length).toBeLessThanOrEqual(600)
    expect(claims[0]!.text).not.toMatch(/[\u0000-\u001f]/)
    expect(claims[0]!.citations.length).toBeLessThanOrEqual(4)
    expect(claims[0]!.citations[0]!.quote).toBe('')
  })

  it('of the wrong types lose what is wrong', () => {
    const odd = [
      null,
      7,
      'x',
      {},
      { text: 5 },
      { text: 'a', citations: [null, 1, { passage: {} }] },
    ]
    expect(parseClaims(json({ claims: odd, missing: [1, null, 'b'] }))).toEqual({
      claims: [{ text: 'a', citations: [{ passage: Number.NaN, quote: '' }] }],
      missing: ['b'],
    })
  })
})
