/** Parts of notes by address, dates of notes, what notes are called, and links of front matter. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { showNote } from '../../src/explorer/operations/show-note.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).toSorted()

const TEA = `# Tea

## Water

Boil it.
Twice. ^boil

- one
- two ^second

## Leaves

Green.

^leaves
`

it('fetches a heading or a block by its address', async () => {
  const { call } = await openTestBase({ 'tea.md': TEA, 'c#.md': 'A language.\n' })
  const text = async (id: string) => (await call('fetch', { id }))['text']
  expect(await text('tea#Leaves')).toBe('## Leaves\n\nGreen.\n\n^leaves\n')
  expect(await text('notes/tea.md#water')).toMatch(/^## Water\n[^]*two \^second\n\n$/)
  expect(await text('tea#^boil')).toBe('Boil it.\nTwice. ^boil\n')
  expect(await text('tea#^second')).toBe('- two ^second\n')
  expect(await text('Tea#^leaves')).toBe('Green.\n\n^leaves\n')
  expect(await text('kb://notes/tea.md#Leaves')).toMatch(/^## Leaves/)
  expect(await text('c#')).toBe('A language.\n')
  expect((await call('fetch', { id: 'tea#Nope' }))['error'].message).toContain('no section')
  expect((await call('fetch', { id: 'tea#^nope' }))['error'].message).toContain('no block')
  expect((await call('fetch', { id: 'nope#Water' }))['error'].code).toBe('not_found')
})

it('takes the date that a note gives itself before that of its file', async () => {
  const base = await openTestBase({
    'old.md': '---\ndate: 2020-05-01\n---\nx\n',
    'made.md': '---\ncreated: 2021-05-01T10:00:00\n---\nx\n',
    'kept.md': '---\ncreated: 2019-01-01\nupdated: 2022-05-01\n---\nx\n',
    'file.md': 'x\n',
  })
  const { items } = await base.call('list', { sort: 'updated' })
  expect(items.map(({ id, updated }: any) => `${id} ${updated}`)).toEqual([
    expect.stringMatching(/^notes\/file\.md 20/),
    'notes/kept.md 2022-05-01T00:00:00.000Z',
    'notes/made.md 2021-05-01T10:00:00.000Z',
    'notes/old.md 2020-05-01T00:00:00.000Z',
  ])
  expect((await base.call('list', { updated_after: '2021-01-01' }))['total']).toBe(3)
})

it('calls a daily note by its day, and no note by a heading far down', async () => {
  const { call } = await openTestBase({
    'journal/2026-11-14.md': 'Rain.\n',
    'long.md': `${'Much is said before.\n'.repeat(20)}\n# An aside\n`,
  })
  const { items } = await call('list')
  expect(items.map(({ title }: any) => title)).toEqual(['2026-11-14', 'Long'])
})

it('makes edges of links in front matter, with their key as type', async () => {
  const { call } = await openTestBase({
    'index.md': 'Start.\n',
    'a.md': '---\nup: "[[index]]"\nrelated: ["[[b]]", "[[gone]]"]\n---\nText.\n',
    'b.md': 'Text.\n',
  })
  const up = await call('neighbors', { id: 'a', types: ['RELATES:up'] })
  expect(idsOf(up['neighbors'])).toEqual(['notes/index.md'])
  const all = await call('neighbors', { id: 'a' })
  expect(idsOf(all['neighbors'])).toEqual(['notes/b.md', 'notes/index.md'])
  expect(all['unresolved_links']).toEqual(['gone'])
})

it('reports links to headings and blocks that are gone', async () => {
  const base = await openTestBase({
    'tea.md': `${TEA}\n## Water\n\n<a id="by-hand"></a>\n`,
    'a.md': [
      '[[tea#Leaves]] [[tea#water]] [[Tea#Tea#Leaves]] [[tea#^boil]] [t](tea.md#water-1)',
      '[b](tea.md#by-hand) [[tea]]',
      '[[tea#Gone]]',
      '[m](tea.md#not-here) [[tea#^lost]] [[nowhere#x]]',
    ].join('\n'),
  })
  const { items, total } = await base.call('insights', { report: 'broken_links' })
  expect([items, total]).toEqual([
    [
      { from: 'notes/a.md', line: 4, target: 'nowhere' },
      { from: 'notes/a.md', line: 3, target: 'tea#Gone' },
      { from: 'notes/a.md', line: 4, target: 'tea.md#not-here' },
      { from: 'notes/a.md', line: 4, target: 'tea#^lost' },
    ],
    4,
  ])
  const second = await base.call('insights', { report: 'broken_links', limit: 2 })
  const rest = { report: 'broken_links', limit: 2, cursor: second['next_cursor'] }
  expect((await base.call('insights', rest))['items']).toEqual(items.slice(2))
  writeFiles(base.folder, { 'tea.md': `${TEA}\n## Gone\n` })
  await base.sync()
  // Another is gone instead: the anchor made by hand and the second heading went with the text.
  const after = await base.call('insights', { report: 'broken_links' })
  expect(after['items'].map(({ target }: any) => target)).not.toContain('tea#Gone')
  expect(after['items'].map(({ target }: any) => target)).toContain('tea.md#by-hand')
})

it('takes links of front matter along when a note moves, each once', async () => {
  const { call, folder } = await openTestBase({
    'plan/index.md': 'Start.\n',
    'a.md': '---\nup: "[[plan/index]]"\n---\n[[plan/index|here]]\n',
  })
  const moved = await call('write', { action: 'move', id: 'plan/index', to: 'start/begin.md' })
  expect(moved['broken_links']).toBeUndefined()
  const text = readFileSync(join(folder, 'a.md'), 'utf8')
  expect(text).toBe('---\nup: "[[start/begin]]"\n---\n[[start/begin|here]]\n')
  const up = await call('neighbors', { id: 'a', types: ['RELATES:up'] })
  expect(idsOf(up['neighbors'])).toEqual(['notes/start/begin.md'])
})

it('calls pictures, files and canvases no links that lead nowhere', async () => {
  const { call, kb } = await openTestBase({
    'a.md': '![[pic.png]] [[plan.canvas]] [pdf](files/x.pdf) [[gone]]\n',
    'b.md': 'See [[a]].\n',
  })
  expect((await call('neighbors', { id: 'a' }))['unresolved_links']).toEqual(['gone'])
  expect((await showNote(kb, 'a', {})).links).toEqual({ outgoing: 0, broken: 1 })
  const { items } = await call('insights', { report: 'broken_links' })
  expect(items.map(({ target }: any) => target)).toEqual(['gone'])
})
