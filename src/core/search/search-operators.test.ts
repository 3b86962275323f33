/** What the operators of a query find, on a few notes small enough to read. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SegmentReader } from './contract.ts'
import { createLexicalIndex } from './lexical-index.ts'
import type { SearchOptions, SearchResult } from './lexical-index.ts'
import { docSet, makeDocument, TestBase } from '../../../test/search/test-base.ts'

const NOTES = [
  note('Tea', 'Boiling water in the kettle, then the leaves.', ['drink']),
  note('Kettle', 'A kettle for water. Boiling takes a while, and water is patient.'),
  note('Coffee', 'Ground beans. Some say coffee, some say tea.', ['drink', 'morning']),
  note('API', 'Call getUserById with the configuration of version 1.2.3.'),
  note('東京都', '東京都は日本の首都です。'),
  note('To be', 'To be or not to be, that is the question.'),
]

function note(title: string, body: string, tags: readonly string[] = []) {
  return { title, aliases: [], tags, sections: [{ heading: title, body }] }
}

async function search(query: string, options: Partial<SearchOptions> = {}): Promise<SearchResult> {
  const index = await new TestBase(NOTES.map((content, doc) => makeDocument(doc, content))).open()
  return index.search(query, { limit: 10, ...options })
}

/** Titles in the order of rank. */
async function found(query: string): Promise<string[]> {
  return (await search(query)).hits.map(({ doc }) => NOTES[doc]!.title)
}

const CASES: readonly (readonly [query: string, titles: readonly string[], reason: string])[] = [
  ['kettle', ['Kettle', 'Tea'], 'the note about it comes before the note that mentions it'],
  ['tea zeppelin quark', ['Tea', 'Coffee'], 'a word that matches nothing spoils nothing'],
  ['"boiling water"', ['Tea'], 'the words stand together'],
  ['"boiling water" kettle patient', ['Tea'], 'a phrase is required beside other words'],
  [
    'why is it that the "boiling water" takes a while in a patient kettle',
    ['Kettle', 'Tea'],
    'in a question it names something, and others may answer',
  ],
  ['why is it +"boiling water" takes a while', ['Tea'], 'unless it is asked for with a plus'],
  ['+coffee tea', ['Coffee'], 'a required word'],
  ['tea -beans', ['Tea'], 'an excluded word'],
  ['-"boiling water" kettle', ['Kettle'], 'an excluded phrase'],
  ['title:tea', ['Tea'], 'only in the title'],
  ['tag:drink', ['Tea', 'Coffee'], 'only in the tags; the fewer tags the more each says'],
  ['tag:drink beans', ['Coffee', 'Tea'], 'the field is required, the word ranks'],
  ['config*', ['API'], 'a prefix'],
  ['configurati*', ['API'], 'a prefix that is longer than the stem'],
  ['userbyid', [], 'not the beginning of an identifier'],
  ['getuserbyid', ['API'], 'an identifier in another case'],
  ['get_user', ['API'], 'a part of an identifier, written differently'],
  ['"1.2.3"', ['API'], 'a version'],
  ['ketle', ['Kettle', 'Tea'], 'a letter is missing'],
  ['kettel', ['Kettle', 'Tea'], 'letters are swapped'],
  ['cofffee', ['Coffee'], 'a letter too many'],
  ['boilong', ['Tea', 'Kettle'], 'a slip in the ending, which stemming would hide'],
  ['京都', ['東京都'], 'a pair of characters'],
  ['首', ['東京都'], 'a single character'],
  ['"not to be"', ['To be'], 'a phrase of stop words'],
  ['!!! … ---', [], 'nothing but punctuation'],
]

it.each(CASES)('%s finds %j: %s', async (query, titles) => {
  expect(await found(query)).toEqual(titles)
})

it('finds a phrase where it stands, however often its words come again', async () => {
  const said = fc.array(fc.constantFrom('kettle', 'tea', 'bean'), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 6 }),
      said,
      async (texts, phrase) => {
        const index = await new TestBase(
          texts.map((words, doc) => makeDocument(doc, note('N', words.join(' ')))),
        ).open()
        const { hits, relaxed } = await index.search(`"${phrase.join(' ')}"`, { limit: 10 })
        const having = texts.flatMap((words, doc) =>
          ` ${words.join(' ')} `.includes(` ${phrase.join(' ')} `) ? [doc] : [],
        )
        expect(relaxed).toBe(having.length === 0)
        if (!relaxed) expect(hits.map(({ doc }) => doc).toSorted()).toEqual(having)
      },
    ),
    { numRuns: 300 },
  )
})

it('finds a page by a long question with a slip in it', async () => {
  const [first] = await found('how long does the boiling of wster in a kettle usually take me')
  expect(first).toBe('Kettle')
})

it('ranks stop words when there is nothing else', async () => {
  expect((await found('to be or not to be'))[0]).toBe('To be')
})

it('says what it took the words for', async () => {
  const { words } = await search('ketle coff* water zzzzz')
  expect(words.map(({ spelling, terms, match }) => [spelling, match, ...terms])).toEqual([
    ['ketle', 'fuzzy', 'kettl'],
    ['coff', 'prefix', 'coffe'],
    ['water', 'exact', 'water'],
    ['zzzzz', 'none'],
  ])
})

it('completes a beginning with words of documents that are there, however many are gone', async () => {
  const sections = (body: string) => [{ heading: 'Part', body }]
  const page = (doc: number, body: string) =>
    makeDocument(doc, { title: 'Page', aliases: [], tags: [], sections: sections(body) })
  const gone = Array.from({ length: 900 }, (_, n) => page(n, `pre${String(n).padStart(3, '0')}`))
  const base = new TestBase([...gone, page(1_000, 'prezoom')])
  for (let n = 0; n < 900; n++) base.remove(n)
  const { hits } = await (await base.open()).search('pre*', { limit: 10 })
  expect(hits.map(({ doc }) => doc)).toEqual([1_000])
})

it('searches the words of a phrase that nobody wrote, and says so', async () => {
  const { hits, relaxed } = await search('"kettle of tea"')
  expect(relaxed).toBe(true)
  expect(hits.length).toBeGreaterThan(1)
  expect((await search('"boiling water"')).relaxed).toBe(false)
})

it('names the best passage and how much of the query is covered', async () => {
  const sections = ['water', 'leaves and a kettle', 'nothing'].map((body) => ({
    heading: 'Part',
    body,
  }))
  const base = new TestBase([
    makeDocument(1, { title: 'Long', aliases: [], tags: [], sections }),
    makeDocument(2, { title: 'Leaves', aliases: ['Foliage'], tags: [], sections: [] }),
  ])
  const index = await base.open()
  const [long] = (await index.search('kettle leaves', { limit: 5 })).hits
  expect(long).toMatchObject({ doc: 1, chunk: 1, coverage: 1 })
  const [alias] = (await index.search('foliage zeppelin', { limit: 5 })).hits
  expect(alias).toMatchObject({ doc: 2, chunk: undefined })
  expect(alias!.coverage).toBeLessThan(1)
})

it('finds inflected words of other languages, whatever languages stand beside them', async () => {
  const texts = [
    'Die Häuser stehen an der Straße und sind mit roten Ziegeln gedeckt, wie es hier üblich ist.',
    'Les animaux dorment dans la maison et les enfants jouent avec eux pour le plaisir.',
    'The houses are red and the animals sleep in the garden when it is warm.',
    'Эти книги о новых городах и старых домах.',
  ]
  const base = new TestBase(texts.map((text, doc) => makeDocument(doc, note('x', text))))
  const index = await base.open()
  const first = async (query: string): Promise<number | undefined> =>
    (await index.search(query, { limit: 5 })).hits[0]?.doc
  expect(await first('wie ist das Haus')).toBe(0)
  expect(await first('"der Strasse"')).toBe(0)
  expect(await first("où est l'animal")).toBe(1)
  expect(await first('house')).toBe(2)
  expect(await first('книга')).toBe(3)
})

it('finds only what the filter lets through', async () => {
  const { hits } = await search('tea', { filter: docSet([2]) })
  expect(hits.map(({ doc }) => doc)).toEqual([2])
})

it('finds nothing in an empty index', async () => {
  expect((await createLexicalIndex().search('tea', { limit: 5 })).hits).toEqual([])
})

/** An order of documents that is neither that of their numbers nor of their segments. */
function compare(a: number, b: number): number {
  return ((a * 7) % 601) - ((b * 7) % 601)
}

describe('among equals', () => {
  const same = Array.from({ length: 600 }, (_, doc) => ({
    ...makeDocument(doc, note('Same', 'The same words everywhere.')),
    path: 'same.md',
  }))

  it.each([[[600]], [[100, 250, 250]], [[1, 599]]])('cuts at the same place: %j', async (sizes) => {
    const base = new TestBase()
    let from = 0
    for (const size of sizes) base.write(same.slice(from, (from += size)))
    const index = await base.open()
    const { hits } = await index.search('same words', { limit: 5, compare })
    const expected = same.map(({ doc }) => doc).toSorted(compare)
    expect(hits.map(({ doc }) => doc)).toEqual(expected.slice(0, 5))
  })
})

it('fetches all lists of a query in one round trip, and keeps them', async () => {
  const base = new TestBase(NOTES.map((content, doc) => makeDocument(doc, content)))
  const calls: string[] = []
  const sources = base.sources().map((source) => {
    const reader: SegmentReader = {
      resident: (name) => source.reader.resident(name),
      paged: (name, ranges) => {
        calls.push(`${name} ${ranges.length}`)
        return source.reader.paged(name, ranges)
      },
    }
    return { ...source, reader }
  })
  const index = createLexicalIndex()
  await index.setSegments(sources)
  await index.search('kettle water tea', { limit: 5 })
  // The fourth is `kettle` as it is spelt, which is not its stem.
  expect(calls).toEqual(['lists 4'])
  await index.search('tea kettle', { limit: 5 })
  expect(calls.length).toBe(1)
})

describe('fuzziness for every word', () => {
  const titles = async (query: string, options: Partial<SearchOptions> = {}) =>
    (await search(query, options)).hits.map(({ doc }) => NOTES[doc]!.title)

  it('finds neighbours of a word that is there, behind the word itself', async () => {
    expect(await titles('tea')).toEqual(['Tea', 'Coffee'])
    const all = await search('bean', { fuzzy: 'every_word' })
    expect(all.hits.map(({ doc }) => NOTES[doc]!.title)).toEqual(['Coffee'])
    expect(all.words[0]?.match).toBe('exact')
    expect(await titles('ketle', { fuzzy: 'every_word' })).toEqual(['Kettle', 'Tea'])
    expect(await titles('tee', { fuzzy: 'every_word' })).toEqual(['Tea', 'Coffee'])
    expect(await titles('tee')).toEqual([])
  })

  it('never takes a stop word for a neighbour', async () => {
    // `the` is one slip from `then`, `thy` and `toe`, and stands everywhere.
    expect(await titles('toe', { fuzzy: 'every_word' })).toEqual([])
  })

  it('drops stop words altogether when asked', async () => {
    expect(await titles('to be or not')).toEqual(expect.arrayContaining(['To be']))
    expect(await titles('to be or not', { stopWords: 'always' })).toEqual([])
    expect(await titles('to be a kettle', { stopWords: 'always' })).toEqual(['Kettle', 'Tea'])
  })
})
