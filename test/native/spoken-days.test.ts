/** `since` and `until`: passages that speak of some days, told apart from when their files changed. */
import { expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

const idsOf = ({ results }: Record<string, any>): string[] =>
  results.map(({ id, lines }: any) => `${id}:${lines}`).toSorted()

const LOG = [
  '# Brewing log',
  '',
  '## 2026-03-05',
  '',
  'The kettle was descaled.',
  '',
  '## 2026-04-12',
  '',
  'The kettle leaks at the lid.',
  '',
  '## 2027',
  '',
  'The kettle is sold.',
  '',
].join('\n')

it('finds what speaks of a day by sentence, heading, front matter or name, and nothing by its file', async () => {
  const files = {
    'log.md': LOG,
    'daily/2026-03-07.md': 'Bought a kettle for the attic.\n',
    'front.md': '---\ndate: 2026-03-20\n---\nA kettle of copper.\n',
    'sentence.md': 'As of 11 March 2026, the kettle takes 2 litres.\n',
    'german.md': 'Der kettle wurde am 9. März 2026 geliefert.\n',
    'russian.md': 'Этот kettle куплен 8 марта 2026 г.\n',
    'chinese.md': '这个 kettle 是 2026年3月6日 买的。\n',
    'french.md': 'Le kettle est arrivé le 12 mars 2026.\n',
    'spanish.md': 'El kettle llegó el 13 de marzo de 2026.\n',
    'undated.md': 'A kettle of nobody knows when.\n',
    'other.md': 'The kettle of 14 March 2024 was green.\n',
  }
  const { call } = await openTestBase(files)
  const found = await call('search', {
    query: 'kettle',
    since: '2026-03',
    until: '2026-03',
    limit: 20,
  })
  expect(idsOf(found)).toEqual([
    'notes/chinese.md:1-1',
    'notes/daily/2026-03-07.md:1-1',
    'notes/french.md:1-1',
    'notes/front.md:4-4',
    'notes/german.md:1-1',
    'notes/log.md:3-5',
    'notes/russian.md:1-1',
    'notes/sentence.md:1-1',
    'notes/spanish.md:1-1',
  ])
  expect(found['note']).toContain('not those of files')
  // One section of the log is of that year, and its passage alone is shown.
  const [later] = (await call('search', { query: 'kettle', since: '2026-06' }))['results']
  expect([later.id, later.snippet]).toEqual(['notes/log.md', 'The kettle is sold.'])
  expect(idsOf(await call('search', { query: 'kettle', until: '2025' }))).toEqual([
    'notes/other.md:1-1',
  ])
  // All files were made just now.
  const changed = await call('search', { query: 'kettle', updated_after: '2026-06-01', limit: 20 })
  expect(idsOf(changed)).toContain('notes/undated.md:1-1')
  const path = await call('search', {
    query: 'kettle',
    since: '2026-03',
    until: '2026-03',
    path: 'daily/',
  })
  expect(idsOf(path)).toEqual(['notes/daily/2026-03-07.md:1-1'])
})

it('answers from such passages alone, and pages through them', async () => {
  const days = Array.from({ length: 9 }, (_, at) => `2026-05-0${at + 1}`)
  const { call } = await openTestBase({
    ...Object.fromEntries(
      days.map((day) => [`${day}.md`, `Tea of the day, number ${day.at(-1)}.\n`]),
    ),
    'old.md': 'As of 2019-05-01, the office of the team is in Ulm.\n',
    'new.md': 'As of 2026-05-01, the office of the team is in Bonn.\n',
  })
  const asked = { question: 'Where is the office of the team?', until: '2020' }
  const { claims } = await call('ask', asked)
  expect(claims[0].text).toContain('Ulm')
  const query = { query: 'tea of the day', since: '2026-05-03', until: '2026-05-07', limit: 3 }
  const first = await call('search', query)
  const second = await call('search', { ...query, cursor: first['next_cursor'] })
  const ids = [...idsOf(first), ...idsOf(second)]
  expect(ids.toSorted()).toEqual(days.slice(2, 7).map((day) => `notes/${day}.md:1-1`))
})

it('says what does not go together, and what is no day', async () => {
  const { call } = await openTestBase({ 'a.md': 'Tea.' })
  const refused = async (args: object) => {
    const { error } = await call('search', { query: 'tea', ...args })
    return `${error.code} ${error.message}`
  }
  expect(await refused({ since: '2026-05', until: '2026-04' })).toContain(
    'since is later than until',
  )
  expect(await refused({ since: 'whenever' })).toContain('since is not a moment')
  expect(await refused({ since: '2026', as_of: '2026' })).toContain('do not go together')
  expect(await refused({ since: '2026', match: 'regex' })).toContain('words alone')
  const { results, relevant } = await call('search', { query: 'tea', since: '1000', until: '9999' })
  expect([results, relevant]).toEqual([[], false])
})
