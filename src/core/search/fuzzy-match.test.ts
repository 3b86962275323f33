import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzzyMatch, letterMask, mostForLetters, soughtName, wholeMatch } from './fuzzy-match.ts'

const TITLES = [
  'Roll back a release',
  'Release checklist',
  'Service Worker API',
  'Worker',
  'Promise',
  'Proxy',
  'CSS grid layout',
  'On call',
]

function best(query: string): string[] {
  const sought = soughtName(query)
  return TITLES.map((title) => ({ title, match: fuzzyMatch(title, title.toLowerCase(), sought) }))
    .filter(({ match }) => match !== undefined)
    .toSorted((a, b) => b.match!.score - a.match!.score)
    .map(({ title }) => title)
}

describe('a name that is being typed', () => {
  it.each([
    ['worker', 'Worker'],
    ['serv work', 'Service Worker API'],
    ['promi', 'Promise'],
    ['rel', 'Release checklist'],
    ['rbr', 'Roll back a release'],
    ['grid', 'CSS grid layout'],
    ['cgl', 'CSS grid layout'],
  ])('%s means %s', (query, title) => expect(best(query)[0]).toBe(title))

  it('is not found where letters are missing or out of order', () => {
    expect(best('xyz')).toEqual([])
    expect(fuzzyMatch('Promise', 'promise', soughtName('esimorp'))).toBeUndefined()
  })

  it('marks the letters', () => {
    const sought = soughtName('serv work')
    const match = fuzzyMatch('Service Worker API', 'service worker api', sought)
    expect(match?.marks.map(({ start, end }) => 'Service Worker API'.slice(start, end))).toEqual([
      'Serv',
      'Work',
    ])
  })

  it('never misses a match because of its mask', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abcz019 -é') })
    fc.assert(
      fc.property(
        text,
        text.filter((query) => query.trim() !== ''),
        (name, query) => {
          const may = (letterMask(query) & ~letterMask(name)) === 0
          if (!may) expect(fuzzyMatch(name, name, soughtName(query))).toBeUndefined()
        },
      ),
    )
  })

  it('is worth less by its letters than is said, and none by its whole where that is little', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abc -'), minLength: 1 })
    fc.assert(
      fc.property(text, text, fc.integer({ min: -20, max: 600 }), (name, query, least) => {
        const sought = soughtName(query)
        const whole = wholeMatch(name, name, sought)
        const found = fuzzyMatch(name, name, sought)
        if (whole) expect(found).toEqual(whole)
        else if (found) expect(found.score).toBeLessThanOrEqual(mostForLetters(sought))
        const kept = wholeMatch(name, name, sought, least)
        expect(kept).toEqual(whole && whole.score >= least ? whole : undefined)
      }),
    )
  })
})
