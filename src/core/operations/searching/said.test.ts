import { expect, it } from 'vitest'
import { createSaid } from './said.ts'

it('knows what was said by itself, and as sentences that follow each other', () => {
  const said = createSaid()
  said.add(['warmthepotbeforeyoubegin', 'pourthewater'])
  said.add(['', 'waitforfourminutes'])
  const cases: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['pourthewater', true],
    ['warmthepotbeforeyoubeginpourthewater', true],
    // Across what was added apart.
    ['pourthewaterwaitforfourminutes', true],
    ['warmthepotbeforeyoubeginpourthewaterwaitforfourminutes', true],
    // What begins or ends inside of a sentence is another one.
    ['thepotbeforeyoubeginpourthewater', false],
    ['warmthepotbeforeyoubeginpourthe', false],
    ['warmthepotbeforeyoubeginwaitforfourminutes', false],
    ['warmthepotbeforeyoubeginpourthewaterandwait', false],
    // Short ones may be lines that something needs.
    ['waterwait', false],
  ]
  for (const [sentence, expected] of cases)
    expect([sentence, said.has(sentence)]).toEqual([sentence, expected])
})
