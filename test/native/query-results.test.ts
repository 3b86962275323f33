/** `fetch` with the results of the queries that a document holds, for those who see all and a part. */
import { expect, it } from 'vitest'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { answerQuery } from '../../src/core/operations/querying/answer-queries.ts'
import { narrowBase } from '../../src/core/operations/view/narrow-base.ts'
import { fetchDocument } from '../../src/core/operations/reading/fetch-document.ts'
import { showResults } from '../../src/serve/native/query-results.ts'
import { openTestBase } from '../support/open-test-base.ts'

const FILES = {
  'tea.md': '---\nkind: drink\nprice: 3\nmaker: "[[ann]]"\n---\n# Tea\n- [ ] buy it\n',
  'milk.md': '---\nkind: drink\nprice: 1\n---\n# Milk\n[[tea]]\n',
  'people/ann.md': '---\nage: 40\n---\n# Ann\n',
  'drinks.base':
    'filters: kind == "drink"\nviews:\n  - {type: table, name: All, order: [file.name, price]}\n  - {type: cards, name: Dear, filters: price > 2}\n',
  'shop.md':
    '# Shop\n```dataview\nTABLE price WHERE kind = "drink" SORT price\n```\n\n```dataview\nTASK\n```\n\n## Rest\n![[drinks.base#Dear]]\n\n```dataview\nSHOW x\n```\n\n```dataviewjs\ndv.pages()\n```\n',
}

it('gives what queries find, of the lines that were fetched, and nothing unless asked', async () => {
  const { call, bugs } = await openTestBase(FILES)
  expect(await call('fetch', { id: 'shop' })).not.toHaveProperty('results')
  const { results } = await call('fetch', { id: 'shop', include: ['results'] })
  expect(results).toEqual([
    {
      line: 2,
      language: 'dataview',
      columns: ['File', 'price'],
      rows: [
        { id: 'notes/milk.md', cells: ['notes/milk.md', '1'] },
        { id: 'notes/tea.md', cells: ['notes/tea.md', '3'] },
      ],
      total: 2,
    },
    {
      line: 6,
      language: 'dataview',
      columns: [],
      rows: [{ id: 'notes/tea.md', line: 7, mark: ' ', text: 'buy it' }],
      total: 1,
    },
    {
      line: 11,
      language: 'base',
      view: 'Dear',
      columns: ['name'],
      rows: [{ id: 'notes/tea.md', cells: ['notes/tea.md'] }],
      total: 1,
    },
    {
      line: 13,
      language: 'dataview',
      not_understood: 'A query begins with LIST, TABLE, TASK or CALENDAR, and not with “SHOW”.',
    },
  ])
  const rest = await call('fetch', { id: 'shop', section: 'Rest', include: ['results'] })
  expect(rest['results']).toHaveLength(2)
  const views = await call('fetch', { id: 'drinks.base', include: ['results'] })
  expect(views['results'].map(({ view, total }: any) => [view, total])).toEqual([
    ['All', 2],
    ['Dear', 1],
  ])
  expect((await call('fetch', { id: 'tea', include: ['results'] }))['results']).toEqual([])
  expect(bugs).toEqual([])
})

it('shows the blocks of a note that is full of values, and these behind them', async () => {
  const values = Array.from({ length: 30 }, (_, at) => `\`= this.n + ${at}\``).join('\n')
  const { call } = await openTestBase({
    ...FILES,
    'q.md': `---\nn: 1\n---\n${values}\n\n\`\`\`dataview\nLIST FROM "people"\n\`\`\`\n`,
  })
  const { results } = await call('fetch', { id: 'q', include: ['results'] })
  expect(results).toHaveLength(21)
  expect(results[0].rows).toEqual([{ id: 'notes/people/ann.md', cells: ['notes/people/ann.md'] }])
  expect(results.slice(1).map(({ rows }: any) => rows[0].cells[0])).toEqual(
    Array.from({ length: 20 }, (_, at) => String(at + 1)),
  )
})

it('keeps to the budget, and says how many rows are left', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [
      `many/note-${at}.md`,
      `---\nn: ${at}\n---\n# Note ${at}\n`,
    ]),
  )
  const { call } = await openTestBase({
    ...many,
    'q.md': '```dataview\nTABLE n FROM "many"\n```\n',
  })
  const { results } = await call('fetch', { id: 'q', include: ['results'], max_tokens: 500 })
  const [{ rows, total, more }] = results
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.length).toBeLessThan(60)
  expect([total, more]).toEqual([400, 400 - rows.length])
})

it('shows nobody what is hidden: no row, no link, no property behind a link', async () => {
  const { base } = await openTestBase(FILES)
  const sees = ({ path }: { readonly path: string }): boolean =>
    !path.startsWith('people/') && path !== 'milk.md'
  const caller = { principal: 'x', may: ['read'] as const, sees } as never
  const kb = viewFor(narrowBase(base, caller), undefined)
  const of = async (text: string) => {
    const block = { language: 'dataview', line: 1, end: 1, text } as const
    const { result } = await answerQuery(kb, block, {})
    return result!.groups.flatMap(({ rows }) => rows.map(({ cells }) => cells))
  }
  const tea = { text: 'tea', id: 'notes/tea.md' }
  expect(await of('LIST WHERE kind')).toEqual([[tea]])
  expect(await of('LIST FROM [[tea]]')).toEqual([])
  expect(await of('LIST FROM [[ann]]')).toEqual([])
  expect(await of('TABLE maker, maker.age, file.inlinks, file.outlinks FROM "tea.md"')).toEqual([
    [tea, { text: 'ann' }, null, [], []],
  ])
})

it('masks what looks like a secret, in texts as in properties', async () => {
  const key = ['AKIA', 'IOSFODNN7', 'EXAMQLE'].join('')
  const { call } = await openTestBase({
    'a.md': `---\nkey: ${key}\n---\nToken:: ${key}\n- [ ] use ${key}\n`,
    'q.md': '```dataview\nTABLE key, token, file.tasks.text FROM "a.md"\n```\n',
  })
  const found = JSON.stringify(await call('fetch', { id: 'q', include: ['results'] }))
  expect(found).not.toContain(key)
  expect(found).toContain('use ')
})

it('works out nothing more when nobody waits for it', async () => {
  const { base } = await openTestBase(FILES)
  const kb = viewFor(base, undefined)
  const shop = await fetchDocument(kb, 'shop')
  const asked = (signal: AbortSignal) => showResults(kb, shop, { maxTokens: 1_000, signal })
  expect(await asked(new AbortController().signal)).toHaveLength(4)
  await expect(asked(AbortSignal.abort())).rejects.toThrow(/abort/i)
})
