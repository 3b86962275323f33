import { expect, it } from 'vitest'
import { stemEnglish } from './stem-english.ts'

/** From the vocabulary published with the algorithm, grouped by the rule they exercise. */
const STEMS: Readonly<Record<string, string>> = {
  // short words and words that are left alone
  is: 'is',
  sky: 'sky',
  news: 'news',
  // irregular
  skies: 'sky',
  dying: 'die',
  early: 'earli',
  // plurals and possessives
  caresses: 'caress',
  ties: 'tie',
  cries: 'cri',
  gas: 'gas',
  gaps: 'gap',
  kiwis: 'kiwi',
  "dog's": 'dog',
  "dogs'": 'dog',
  // past and progressive
  agreed: 'agre',
  hopping: 'hop',
  hoping: 'hope',
  luxuriated: 'luxuri',
  fizzed: 'fizz',
  bled: 'bled',
  sing: 'sing',
  // finished after the plural
  inning: 'inning',
  proceeds: 'proceed',
  succeeded: 'succeed',
  // y
  cry: 'cri',
  by: 'by',
  say: 'say',
  youth: 'youth',
  boyish: 'boyish',
  // derivations
  consistency: 'consist',
  consistently: 'consist',
  conspiracy: 'conspiraci',
  generalizations: 'general',
  generically: 'generic',
  communism: 'communism',
  hopefulness: 'hope',
  relational: 'relat',
  geology: 'geolog',
  kindly: 'kind',
  // suffixes
  adjustable: 'adjust',
  replacement: 'replac',
  adoption: 'adopt',
  knightly: 'knight',
  knots: 'knot',
  // last letters
  controlling: 'control',
  rate: 'rate',
  cease: 'ceas',
  // not English words
  "o'neil": "o'neil",
  x86: 'x86',
  größe: 'größe',
}

it.each(Object.entries(STEMS))('%s → %s', (word, stem) => {
  expect(stemEnglish(word)).toBe(stem)
})
