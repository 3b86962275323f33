/** Search: exactly the text that is asked for, in order; and by words where nobody wrote it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldCase } from '../../src/core/operations/reading/fold-case.ts'
import { openPageTexts } from '../../src/vocabularies/nexus/operations/page-texts.ts'
import { createNexusView } from '../../src/vocabularies/nexus/view.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { note, openNexusServer } from './open-nexus.ts'

const slugs = (found: readonly { slug: string }[]) => found.map(({ slug }) => slug)

it('shows the text around a hit', async () => {
  verifies('nexus:check-5-search-excerpt', 'nexus:search')
  const content = `${'a'.repeat(60)}needle${'b'.repeat(200)}`
  const { result } = await openNexusServer({ 'x.md': note('X', '2025-01-01', content) })
  expect(await result('search', { query: ' NEEDLE ' })).toEqual([
    { slug: 'x', title: 'X', excerpt: `...${'a'.repeat(50)}needle${'b'.repeat(100)}...` },
  ])
})

it('shows the beginning when only the title has it', async () => {
  verifies('nexus:check-6-search-title-only', 'nexus:search')
  const { result } = await openNexusServer({
    'a.md': note('Orchid', '2025-01-01', 'x'.repeat(151)),
    'b.md': note('Orchids', '2025-01-01', 'y'.repeat(150)),
    'c.md': note('My orchid', '2025-01-01', ''),
  })
  expect(await result('search', { query: 'orchid' })).toEqual([
    { slug: 'a', title: 'Orchid', excerpt: `${'x'.repeat(150)}...` },
    { slug: 'b', title: 'Orchids', excerpt: 'y'.repeat(150) },
    { slug: 'c', title: 'My orchid', excerpt: '' },
  ])
})

it('finds twenty at most, and takes every character for itself', async () => {
  verifies('nexus:check-7-search-cap-and-literal', 'nexus:search-cap')
  const many = Array.from({ length: 25 }, (_, i) => [`n${i}.md`, `Some zeta ${i}.`])
  const { result } = await openNexusServer({
    ...Object.fromEntries(many),
    'percent.md': 'It is 100% sure.',
    'hundred.md': 'It is 100 times, 1000 even.',
    'other.md': 'a_b (c), d*e [f] g\\h',
  })
  expect(await result('search', { query: 'zeta' })).toHaveLength(20)
  expect(slugs(await result('search', { query: '100%' }))).toEqual(['percent'])
  for (const query of ['a_b', '(c)', 'c), d', '*e [f]', 'g\\h']) {
    expect([query, slugs(await result('search', { query }))]).toEqual([query, ['other']])
  }
  for (const query of ['absent', 'a%b', 'a.b', '1000%', '[e]', '.*']) {
    expect([query, await result('search', { query })]).toEqual([query, []])
  }
})

it('puts titles first, whole titles before that, then what stands earlier, then the newest', async () => {
  const { result } = await openNexusServer({
    'late.md': note('Late', '2025-01-09', `${'x'.repeat(20)} tea`),
    'early.md': note('Early', '2025-01-01', 'x tea'),
    'same.md': note('Same', '2025-01-02', 'x tea'),
    'title.md': note('Green tea', '2025-01-05', 'No.'),
    'start.md': note('Tea time', '2025-01-04', 'No.'),
    'whole.md': note('TEA', '2025-01-01', 'No.'),
  })
  const found = slugs(await result('search', { query: 'tea' }))
  expect(found).toEqual(['whole', 'start', 'title', 'same', 'early', 'late'])
})

it('searches the words when nobody has the phrase, and not when somebody has', async () => {
  const files = {
    'release.md': note('Release', '2025-01-01', 'How to roll back a release quickly.'),
    'other.md': note('Other', '2025-01-01', 'Nothing of the kind.'),
  }
  const { result } = await openNexusServer(files)
  const found = await result('search', { query: 'release roll' })
  expect(slugs(found)).toEqual(['release'])
  expect(found[0].excerpt).toContain('roll back')
  expect(await result('search', { query: 'xylophone zebra' })).toEqual([])
  expect(await result('search', { query: '???' })).toEqual([])
})

it('compares letters of every script without case, at their places', async () => {
  const { result } = await openNexusServer({
    'a.md': note('A', '2025-01-01', `İİİ ${'é'.repeat(60)} GRÖSSE ΟΔΟΣ 🍵 end`),
  })
  for (const query of ['ÉÉ', 'οδος', 'ΟΔΟΣ 🍵', 'İİ']) {
    expect([query, slugs(await result('search', { query }))]).toEqual([query, ['a']])
  }
  const [{ excerpt }] = await result('search', { query: 'grösse' })
  expect(excerpt).toBe(`...${'é'.repeat(49)} GRÖSSE ΟΔΟΣ 🍵 end`)
})

it('sees a change as soon as it is indexed, and forgets what is gone', async () => {
  const { result, base } = await openNexusServer({ 'a.md': 'apple', 'b.md': 'banana' })
  expect(slugs(await result('search', { query: 'apple' }))).toEqual(['a'])
  writeFiles(base.folder, { 'b.md': 'more apple' })
  await base.sync()
  expect(slugs(await result('search', { query: 'apple' }))).toEqual(['a', 'b'])
  expect(await result('search', { query: 'banana' })).toEqual([])
})

it('keeps every place when it folds case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(foldCase(text)).toHaveLength(text.length)
    }),
  )
})

it('finds what an obvious search finds, whatever is remembered', async () => {
  const words = ['Tea', 'kettle', 'ÉTÉ', 'to', 'ea', 'te', '100%']
  const text = (seed: number) =>
    Array.from({ length: 12 }, (_, at) => words[(seed * 7 + at * at * 3) % words.length]).join(' ')
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`n${at}.md`, `${text(at)}\n`]),
  )
  const { base } = await openSmallBase(files)
  const { wiki } = createNexusView(base)
  const pages = await wiki.names.now()
  const needles = ['tea', 'ea te', 'é', 't', '0% ', 'none', 'tle té']
  for (const bound of [0, 400, 1_000_000]) {
    const texts = openPageTexts(wiki, bound)
    for (const needle of needles) {
      const found = await texts.find(pages, needle)
      const places = Object.fromEntries([...found].map(([page, at]) => [page.path, at]))
      const obvious = Object.entries(files)
        .map(([path, each]) => [path, each.trimEnd().toLowerCase().indexOf(needle)] as const)
        .filter(([, at]) => at >= 0)
      expect([needle, places]).toEqual([needle, Object.fromEntries(obvious)])
    }
  }
})

it('shows of a very long hit its beginning', async () => {
  const page = 'a long page '.repeat(5_000)
  const { result } = await openNexusServer({ 'a.md': page, 'b.md': `x ${page}` })
  const found = await result('search', { query: page.trim() })
  expect(found.map(({ slug }: { slug: string }) => slug)).toEqual(['a', 'b'])
  for (const { excerpt } of found) {
    expect(excerpt).toContain('a long page a long page')
    expect(excerpt.length).toBeLessThan(3_000)
  }
})
