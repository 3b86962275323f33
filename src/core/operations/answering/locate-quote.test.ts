import { describe, expect, it } from 'vitest'
import { locateQuote } from './locate-quote.ts'

describe('a quote', () => {
  it.each([
    ['as it stands', 'Milk goes in last.', 'goes in', 'goes in'],
    ['over lines', 'Milk goes\r\n  in last.', 'Milk goes in last.', 'Milk goes\r\n  in last.'],
    ['with more space than the text', 'a b', ' a \n\t b ', 'a b'],
    [
      'with marks of patterns',
      'Use f(x) [a-z]* {2} ^$ a|b \\d?',
      '[a-z]* {2} ^$ a|b \\d?',
      '[a-z]* {2} ^$ a|b \\d?',
    ],
    ['of another script', '牛奶最后加。', '最后加', '最后加'],
    ['after a place that has half of it', 'ten teas, tea', 'tea', 'tea'],
    ['before a genitive', 'It is Ada’s tea.', 'It is Ada', 'It is Ada'],
    ['between marks', '(tea)-time, `tea`', 'tea', 'tea'],
    ['in the first place of several', 'one two one two', 'one two', 'one two'],
  ])('is found %s', (_name, text, quote, expected) => {
    const place = locateQuote(text, quote)
    expect(place && text.slice(place.start, place.end)).toBe(expected)
  })

  it.each([
    ['other words', 'Milk goes in last.', 'Milk goes in first.'],
    ['another case', 'Milk goes in.', 'milk goes in.'],
    ['words left out', 'Milk, if any, goes in.', 'Milk goes in.'],
    ['marks that were dropped', 'Milk **always** last.', 'Milk always last.'],
    ['joined words', 'Milk goes', 'Milkgoes'],
    ['half a word at the end', 'They can’t stop.', 'They can'],
    ['half a word at the beginning', 'It is unsafe here.', 'safe here.'],
    ['half a number', 'A limit of 100 MB.', 'A limit of 10'],
    ['the whole part of a number', 'A limit of 1.5 MB.', 'A limit of 1'],
    ['the decimals of a number', 'A limit of 1.5 MB.', '5 MB.'],
    ['a number without its sign', 'At -5 degrees.', '5 degrees.'],
    ['nothing', 'Milk', ' \n '],
  ])('is not found with %s', (_name, text, quote) => {
    expect(locateQuote(text, quote)).toBeUndefined()
  })

  it('is looked for in a part of a text, and its place is one of the whole', () => {
    expect(locateQuote('tea tea tea', 'tea', 1, 9)).toEqual({ start: 4, end: 7 })
    expect(locateQuote('tea milk', 'milk', 0, 6)).toBeUndefined()
  })
})
