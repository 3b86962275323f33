/** What links add: the second hop of a question, and nothing where there are none. */
import { describe, expect, it } from 'vitest'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { judge, namesOf, sharedBase } from './judge.ts'

const PEOPLE = {
  'films/the-lighthouse-road': `# The Lighthouse Road\n\nA film of 1974, directed by [[Marta Lindqvist]]. It was shot on the coast in one summer.`,
  'people/marta-lindqvist': `# Marta Lindqvist\n\nBorn in Uppsala in 1931, she studied architecture before she made films.`,
  'people/marta-berg': `# Marta Berg\n\nBorn in Oslo. She directed plays.`,
  'people/jonas-falk': `# Jonas Falk\n\nBorn in Malmö in 1940. He directed three comedies for television.`,
  'films/the-road': `# The Road North\n\nA film of 1981, directed by [[Jonas Falk]]. A lighthouse is seen once.`,
  'films/winter': `# Winter Harbour\n\nA film of 1969, directed by [[Jonas Falk]].`,
  'places/uppsala': `# Uppsala\n\nA city with a cathedral and a university.`,
  'places/malmo': `# Malmö\n\nA city by the sound.`,
  'lists/directors': `# Directors\n\n[[Jonas Falk]], [[Marta Berg]], [[Marta Lindqvist]] and others.`,
  'lists/towns': `# Towns\n\nWhere directors were born: many places.`,
}

judge('questions of two hops', PEOPLE, [
  {
    query: 'where was the director of The Lighthouse Road born',
    order: ['films/the-lighthouse-road', 'people/marta-lindqvist', 'people/jonas-falk'],
    because: 'the film names her, and only its link tells which of the directors is meant',
  },
  {
    query: 'where was the director of Winter Harbour born',
    order: ['films/winter', 'people/jonas-falk', 'people/marta-lindqvist'],
    because: 'the same with another film leads to the other director',
  },
  {
    query: 'Marta Lindqvist',
    first: ['people/marta-lindqvist'],
    because: 'a name asked for stays first, whoever links to it',
  },
  {
    query: 'director of The Lighthouse Road',
    first: ['films/the-lighthouse-road'],
    because: 'links lift what is second, they do not unseat what is first',
  },
  {
    query: 'cathedral',
    only: ['places/uppsala'],
    because: 'links are no match by themselves',
  },
])

describe('without links between the notes', () => {
  const plain = Object.fromEntries(
    Object.entries(PEOPLE).map(([path, text]) => [path, text.replaceAll(/\[\[|\]\]/g, '')]),
  )
  const base = sharedBase(plain)

  it.for(['lexical', 'semantic', 'hybrid'] as const)(
    'ranks the same with links on and off (%s)',
    async (mode) => {
      for (const query of [
        'where was the director of The Lighthouse Road born',
        'Marta',
        'a film of 1969 by the sound',
      ]) {
        const on = await searchDocuments(base().kb, query, { mode, links: true })
        const off = await searchDocuments(base().kb, query, { mode, links: false })
        expect(on).toEqual(off)
        expect(namesOf(on).length).toBeGreaterThan(0)
      }
    },
  )
})

it('a hub that links to everything recommends nothing in particular', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`n${i}.md`, `# Note ${i}\n\nAbout tea, part ${i}.`]),
  )
  const links = Array.from({ length: 30 }, (_, i) => `[[Note ${i}]]`).join(' ')
  const { kb } = await openSmallBase({ ...notes, 'hub.md': `# All about tea\n\n${links}` })
  const before = await searchDocuments(kb, 'tea part 7', { links: false })
  const after = await searchDocuments(kb, 'tea part 7')
  expect(namesOf(after)[0]).toBe('n7')
  expect(namesOf(before)[0]).toBe('n7')
})

it('finds the second hop of a page of ten as deep as of a hundred', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 170 }, (_, i) => [
      `other-${i}.md`,
      `# Part ${i}\n\nThe harbour museum. Who asked about the harbour museum, part ${i}.`,
    ]),
  )
  const { kb } = await openSmallBase({
    ...others,
    'museum.md': '# The harbour museum\n\nFounded by [[Ines Dahl]].',
    'ines.md': `# Ines Dahl\n\n${'Born in the north, she collected maps. '.repeat(20)}A museum.`,
  })
  const query = 'who founded the harbour museum'
  const ten = await searchDocuments(kb, query, { limit: 10, mode: 'lexical' })
  const hundred = await searchDocuments(kb, query, { limit: 100, mode: 'lexical' })
  expect(namesOf(ten)).toContain('ines')
  expect(namesOf(hundred).slice(0, 10)).toEqual(namesOf(ten))
})
