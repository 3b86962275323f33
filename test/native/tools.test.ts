/** The native tools over a real base, called as a client calls them. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'

const KITCHEN = {
  'tea.md':
    '---\ntitle: How to make tea\ntags: [drink, Hot]\naliases: [chai]\nversion: 1.0\n---\n\n# Tea\n\nBoil water in a [[kettle]] and pour it over the leaves.\n\n## Milk\n\nMilk goes in last.\n\n## Sugar\n\nNever. See [coffee](coffee.md) and [[missing note]].\n',
  'kettle.md': '# Kettle\n\nAn appliance that boils water. #appliance\n',
  'coffee.md': '# Coffee\n\nGrind the beans. Use the [[Kettle]] as for [[chai]].\n',
  'island.md': '# Island\n\nNothing links here.\n',
  'deep/folder/Ünïcode ñote.md': '# Größe\n\nEine Notiz über Wasser.\n',
}

describe('search', () => {
  it('finds the passage, with heading, lines and an address', async () => {
    const { call } = await openTestBase(KITCHEN)
    const { results, relevant } = await call('search', { query: 'when does the milk go in?' })
    expect(relevant).toBe(true)
    expect(results[0]).toMatchObject({
      id: 'notes/tea.md',
      title: 'How to make tea',
      url: 'kb://notes/tea.md',
    })
    expect(results[0].snippet).toContain('Milk goes in last')
    expect(results[0].heading).toContain('Milk')
    expect(results[0].lines).toMatch(/^\d+-\d+$/)
  })

  it('does not repeat title and heading in what it cuts out', async () => {
    const { call } = await openTestBase(KITCHEN)
    const snippets = async (query: string) =>
      (await call('search', { query })).results.map(({ snippet }: { snippet: string }) => snippet)
    expect((await snippets('kettle appliance'))[0]).toBe(
      'An appliance that boils water. #appliance',
    )
    const { call: bare } = await openTestBase({ 'a.md': '# Heading alone\n', 'b.txt': '# b\nb\n' })
    expect((await bare('search', { query: 'heading' })).results[0].snippet).toBe('# Heading alone')
    expect((await bare('search', { query: 'b' })).results[0].snippet).toBe('# b\nb')
  })

  it('satisfies the contract of clients that cite: results with id, title and a non-empty url', async () => {
    const { call } = await openTestBase(KITCHEN, { publicUrl: 'https://wiki.example' })
    const { results } = await call('search', { query: 'water' })
    expect(results.length).toBeGreaterThan(1)
    for (const each of results) {
      expect(each).toMatchObject({ id: expect.any(String), title: expect.any(String) })
      expect(each.url).toMatch(/^https:\/\/wiki\.example\/notes\//)
    }
  })

  it('answers a question of which one word is unknown and one misspelt', async () => {
    const { call } = await openTestBase(KITCHEN)
    const { results } = await call('search', { query: 'which aplliance boils zzzzqqq water' })
    expect(results[0].id).toBe('notes/kettle.md')
  })

  it('says when files cannot be read that it would have shown', async () => {
    const { call, folder } = await openTestBase(KITCHEN)
    rmSync(join(folder, 'kettle.md'))
    const { results, note } = await call('search', { query: 'appliance' })
    expect(results.map(({ id }: { id: string }) => id)).not.toContain('notes/kettle.md')
    expect(note).toMatch(/^1 result was left out/)
  })

  it('filters before the cut', async () => {
    const { call } = await openTestBase(KITCHEN)
    const ids = async (args: object) =>
      (await call('search', { query: 'water kettle beans notiz', ...args })).results.map(
        (each: { id: string }) => each.id,
      )
    expect(await ids({ tags: ['HOT'] })).toEqual(['notes/tea.md'])
    expect(await ids({ tags: ['hot', 'appliance'], tag_mode: 'all' })).toEqual([])
    expect(await ids({ path: 'deep/' })).toEqual(['notes/deep/folder/Ünïcode ñote.md'])
    expect(await ids({ path: 'notes/deep' })).toEqual(['notes/deep/folder/Ünïcode ñote.md'])
    expect((await ids({ path: '*.md' })).toSorted()).toEqual([
      'notes/coffee.md',
      'notes/kettle.md',
      'notes/tea.md',
    ])
    expect(await ids({ sources: ['notes'], limit: 1 })).toHaveLength(1)
    expect(await ids({ updated_after: '2999-01-01' })).toEqual([])
    expect(await ids({ types: ['meeting'] })).toEqual([])
  })

  it('pages through everything exactly once', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 23 }, (_, n) => [`n${n}.md`, `common word number ${n}`]),
    )
    const { call } = await openTestBase(files)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await call('search', { query: 'common word', limit: 5, cursor })
      seen.push(...page.results.map((each: { id: string }) => each.id))
      cursor = page.next_cursor
    } while (cursor)
    expect([seen.length, new Set(seen).size]).toEqual([23, 23])
    const wrong = await call('search', { query: 'other', cursor: 'bm9uc2Vuc2U' })
    expect(wrong.error).toMatchObject({ code: 'invalid' })
  })

  it('gives detail when asked, and less by default', async () => {
    const { call } = await openTestBase(KITCHEN)
    const [concise] = (await call('search', { query: 'tea' })).results
    const [detailed] = (await call('search', { query: 'tea', detail: 'detailed' })).results
    expect(concise.tags).toBeUndefined()
    expect(detailed).toMatchObject({ tags: ['drink', 'Hot'], source: 'notes', type: 'markdown' })
  })

  it('never shows what a file no longer says', async () => {
    const { folder, call } = await openTestBase(KITCHEN)
    writeFileSync(join(folder, 'kettle.md'), 'Quite another text about appliances.\n')
    rmSync(join(folder, 'coffee.md'))
    const { results } = await call('search', { query: 'kettle appliance boils beans' })
    const ids = results.map((each: { id: string }) => each.id)
    expect(ids).not.toContain('notes/coffee.md')
    const kettle = results.find((each: { id: string }) => each.id === 'notes/kettle.md')
    expect(kettle.snippet).toContain('another text')
  })

  it('answers honestly when there is nothing', async () => {
    const { call } = await openTestBase(KITCHEN)
    for (const query of ['xylophone', '...', '!?', '🎺', '""', '---', '+ -']) {
      expect(await call('search', { query })).toMatchObject({ results: [], relevant: false })
    }
    const stop = await call('search', { query: 'the and of' })
    expect(stop.error).toBeUndefined()
    const empty = await openTestBase({})
    expect(await empty.call('search', { query: 'tea' })).toMatchObject({ relevant: false })
  })

  it('takes a query of a megabyte, and any text at all', async () => {
    const { call, bugs } = await openTestBase(KITCHEN)
    const long = await call('search', { query: 'water '.repeat(170_000) })
    expect(long.results[0].id).toBeDefined()
    expect(long.note).toContain('long')
    await call('search', { query: 'x'.repeat(1_000_000) })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (query) => {
        const answer = await call('search', { query })
        expect(answer.error?.code ?? 'invalid').toBe('invalid')
      }),
      { numRuns: 200 },
    )
    expect(bugs).toEqual([])
  })
})

describe('a note that exaggerates', () => {
  const size = async (base: Awaited<ReturnType<typeof openTestBase>>, tool: string, args: object) =>
    JSON.stringify(await base.call(tool, args)).length

  it('with a heading of half a megabyte is indexed, and named in a line', async () => {
    const base = await openTestBase({
      'a.md': `# ${'title '.repeat(80_000)}\n\n${'Sentences of text. '.repeat(20_000)}\n`,
      'b.md': '# B\n\nUnharmed.\n',
    })
    const { items } = await base.call('list')
    expect(items).toHaveLength(2)
    expect(items[0].title.length).toBeLessThanOrEqual(300)
    expect(await size(base, 'search', { query: 'sentences' })).toBeLessThan(3_000)
  })

  it('with ten thousand tags shows some of them', async () => {
    const tags = Array.from({ length: 10_000 }, (_, n) => `#tag${n}`).join(' ')
    const base = await openTestBase({ 'a.md': `# A\n\n${tags}\n`, 'b.md': '# B\n' })
    expect(await size(base, 'fetch', { id: 'a', max_tokens: 50 })).toBeLessThan(5_000)
    expect(await size(base, 'search', { query: 'a', detail: 'detailed' })).toBeLessThan(5_000)
  })

  it('with a front matter of many kilobytes shows the beginning of each value', async () => {
    const base = await openTestBase({ 'a.md': `---\nblob: ${'q'.repeat(60_000)}\n---\n# A\n` })
    expect(await size(base, 'fetch', { id: 'a', lines: '4' })).toBeLessThan(5_000)
  })

  it('with a link of half a megabyte does not fill a reply', async () => {
    const base = await openTestBase({ 'a.md': `[[${'z'.repeat(500_000)}]] and [[missing]].\n` })
    const { unresolved_links: unresolved } = await base.call('neighbors', { id: 'a' })
    expect(unresolved).toEqual(['missing'])
  })
})

describe('fetch', () => {
  it('reads a whole document with its metadata', async () => {
    const { call } = await openTestBase(KITCHEN)
    const document = await call('fetch', { id: 'notes/tea.md', include: ['links', 'backlinks'] })
    expect(document).toMatchObject({
      id: 'notes/tea.md',
      title: 'How to make tea',
      text: KITCHEN['tea.md'],
      url: 'kb://notes/tea.md',
      links: [
        { id: 'notes/kettle.md', title: 'Kettle' },
        { id: 'notes/coffee.md', title: 'Coffee' },
      ],
      unresolved_links: ['missing note'],
      backlinks: [{ id: 'notes/coffee.md', title: 'Coffee' }],
    })
    expect(document.metadata).toMatchObject({
      tags: ['drink', 'Hot'],
      path: 'tea.md',
      backlinks: 1,
    })
  })

  it('keeps numbers, dates and lists of the front matter what they are', async () => {
    const head = 'rating: 4\ndue: 2026-12-01\ndone: false\nsteps: [boil, steep]\naliases: [cha]\n'
    const { call } = await openTestBase({ 'tea.md': `---\n${head}---\n# Tea\n` })
    expect((await call('fetch', { id: 'tea' })).metadata).toMatchObject({
      rating: 4,
      due: '2026-12-01',
      done: false,
      steps: ['boil', 'steep'],
      aliases: ['cha'],
    })
  })

  it('accepts whatever means one document, and echoes its id', async () => {
    const { call } = await openTestBase(KITCHEN)
    const unicode = 'notes/deep/folder/Ünïcode ñote.md'
    const names: [string, string][] = [
      ['notes/tea.md', 'notes/tea.md'],
      ['tea.md', 'notes/tea.md'],
      ['tea', 'notes/tea.md'],
      ['TEA', 'notes/tea.md'],
      ['NOTES/Tea', 'notes/tea.md'],
      ['/tea.md', 'notes/tea.md'],
      ['How to make tea', 'notes/tea.md'],
      ['chai', 'notes/tea.md'],
      ['kb://notes/tea.md', 'notes/tea.md'],
      ['kb://notes/deep/folder/%C3%9Cn%C3%AFcode%20%C3%B1ote.md', unicode],
      ['deep/folder/Ünïcode ñote', unicode],
      ['Größe', unicode],
    ]
    for (const [name, id] of names) expect((await call('fetch', { id: name })).id).toBe(id)
  })

  it('suggests what may have been meant', async () => {
    const { call } = await openTestBase(KITCHEN)
    const { error } = await call('fetch', { id: 'notes/kettles' })
    expect(error).toMatchObject({ code: 'not_found' })
    expect(error.hint).toContain('notes/kettle.md')
  })

  it('asks back when a name means several documents', async () => {
    const { call } = await openTestBase({ 'a/x.md': 'one', 'b/x.md': 'two' })
    const { error } = await call('fetch', { id: 'x' })
    expect(error.message).toContain('notes/a/x.md, notes/b/x.md')
  })

  it('reads a section or some lines', async () => {
    const { call } = await openTestBase(KITCHEN)
    const milk = await call('fetch', { id: 'tea', section: 'Milk' })
    expect(milk.text.trim()).toBe('## Milk\n\nMilk goes in last.')
    const nested = await call('fetch', { id: 'tea', section: 'tea > sugar' })
    expect(nested.text).toContain('Never.')
    expect((await call('fetch', { id: 'tea', lines: '1-2' })).text).toBe(
      '---\ntitle: How to make tea\n',
    )
    const missing = await call('fetch', { id: 'tea', section: 'Honey' })
    expect(missing.error.hint).toContain('"Tea > Milk"')
  })

  it('lists the candidates of an ambiguous heading', async () => {
    const { call } = await openTestBase({ 'a.md': '# A\n## Use\nx\n# B\n## Use\ny\n' })
    const { error } = await call('fetch', { id: 'a', section: 'Use' })
    expect(error.message).toContain('"A > Use", "B > Use"')
    expect((await call('fetch', { id: 'a', section: 'B > Use' })).text).toBe('## Use\ny\n')
  })

  it('cuts at the budget and says how to read on, to the end', async () => {
    const text = Array.from({ length: 400 }, (_, n) => `Line ${n} with some words in it.`).join(
      '\n',
    )
    const { call } = await openTestBase({ 'long.md': text })
    let read = ''
    let lines: string | undefined
    for (let calls = 0; calls < 100; calls++) {
      const part = await call('fetch', { id: 'long', max_tokens: 500, lines })
      read += part.text
      lines = /lines="([^"]+)"/.exec(part.next ?? '')?.[1]
      if (lines === undefined) break
    }
    expect(read).toBe(text)
  })

  it('cuts a line that is longer than the budget, and reads on inside it', async () => {
    const text = `First.\n${'🦦 otters '.repeat(5_000)}\nLast.`
    const { call } = await openTestBase({ 'long.md': text })
    let read = ''
    let lines: string | undefined
    for (let calls = 0; calls < 100; calls++) {
      const part = await call('fetch', { id: 'long', max_tokens: 1_000, lines })
      expect(part.text.length).toBeLessThan(4_000)
      expect(part.text.isWellFormed()).toBe(true)
      read += part.text
      lines = /lines="([^"]+)"/.exec(part.next ?? '')?.[1]
      if (lines === undefined) break
    }
    expect(read).toBe(text)
    const { error } = await call('fetch', { id: 'long', lines: '1:99' })
    expect(error.message).toContain('no character 99')
    const beyond = await call('fetch', { id: 'long', lines: '9-' })
    expect(beyond.error.message).toContain('has 3 lines')
  })

  it('finds a section whose heading contains the marks of a path', async () => {
    const { call } = await openTestBase({
      'a.md': '# Languages\n## C# and F#\nx\n## In > Out\ny\n',
    })
    expect((await call('fetch', { id: 'a', section: 'C# and F#' })).text).toContain('x')
    expect((await call('fetch', { id: 'a', section: 'In > Out' })).text).toContain('y')
  })

  it('reads several at once and lists what is missing', async () => {
    const { call } = await openTestBase(KITCHEN)
    const { items, missing } = await call('fetch', { ids: ['tea', 'nothing', 'kettle'] })
    expect(items.map((each: { id: string }) => each.id)).toEqual([
      'notes/tea.md',
      'notes/kettle.md',
    ])
    expect(missing[0]).toMatchObject({ id: 'nothing' })
  })
})

describe('list', () => {
  it('sorts, filters and pages', async () => {
    const { call } = await openTestBase(KITCHEN)
    const first = await call('list', { sort: 'title', limit: 2 })
    expect(first.items.map((each: { title: string }) => each.title)).toEqual(['Coffee', 'Größe'])
    expect(first.total).toBe(5)
    const second = await call('list', { sort: 'title', limit: 2, cursor: first.next_cursor })
    expect(second.items.map((each: { title: string }) => each.title)).toEqual([
      'How to make tea',
      'Island',
    ])
    expect((await call('list', { tags: ['appliance'] })).items).toHaveLength(1)
    expect((await call('list', { path: '**/folder/*' })).total).toBe(1)
  })
})

describe('the graph', () => {
  it('shows neighbours in each direction and further away', async () => {
    const { call } = await openTestBase(KITCHEN)
    const ids = (answer: Record<string, any>) =>
      answer['neighbors'].map((each: { id: string }) => each.id).toSorted()
    expect(ids(await call('neighbors', { id: 'kettle', direction: 'in' }))).toEqual([
      'notes/coffee.md',
      'notes/tea.md',
    ])
    expect(ids(await call('neighbors', { id: 'kettle', direction: 'out' }))).toEqual([])
    const graph = await call('neighbors', { id: 'tea', as: 'graph' })
    expect(graph['edges']).toContainEqual({ from: 'notes/coffee.md', to: 'notes/kettle.md' })
    expect(graph['unresolved_links']).toEqual(['missing note'])
    expect((await call('neighbors', { id: 'island' })).neighbors).toEqual([])
  })

  it('shows who wants a note that nobody has written yet', async () => {
    const { call } = await openTestBase({
      'a.md': 'See [[No Such Note]].\n',
      'deep/b.md': 'See [that](no such note.md) and [it](<../No Such Note.md>).\n',
      'c.md': 'See [[a]].\n',
    })
    const wanted = await call('neighbors', { id: 'no such note' })
    expect(wanted).toMatchObject({ id: 'No Such Note', exists: false, total: 2 })
    expect(wanted.neighbors).toMatchObject([
      { id: 'notes/a.md', direction: 'in', hops: 1 },
      { id: 'notes/deep/b.md', direction: 'in', hops: 1 },
    ])
    expect((await call('neighbors', { id: 'No Such Note', direction: 'out' })).neighbors).toEqual(
      [],
    )
    expect((await call('neighbors', { id: 'No Such Note', limit: 1 })).next_cursor).toBeDefined()
  })

  it('finds the way between two documents', async () => {
    const { call } = await openTestBase({
      'a.md': '[[b]]',
      'b.md': '[[c]]',
      'c.md': 'x',
      'd.md': '[[c]]',
    })
    const path = await call('path', { from: 'a', to: 'd' })
    expect(path).toMatchObject({ found: true, length: 3 })
    expect(path['path'].map(({ id, via }: { id: string; via: string }) => [id, via])).toEqual([
      ['notes/a.md', undefined],
      ['notes/b.md', 'out'],
      ['notes/c.md', 'out'],
      ['notes/d.md', 'in'],
    ])
    expect(await call('path', { from: 'a', to: 'd', directed: true })).toEqual({
      found: false,
      path: [],
    })
    expect(await call('path', { from: 'a', to: 'a' })).toMatchObject({ found: true, length: 0 })
    expect((await call('path', { from: 'a', to: 'd', max_hops: 2 })).found).toBe(false)
  })

  it('heals a link when its target appears', async () => {
    const { folder, sync, call } = await openTestBase(KITCHEN)
    writeFiles(folder, { 'Missing Note.md': 'here' })
    await sync()
    const answer = await call('neighbors', { id: 'tea', direction: 'out' })
    expect(answer['unresolved_links']).toBeUndefined()
    expect(answer['total']).toBe(3)
  })
})

describe('insights', () => {
  it('gives every report', async () => {
    const { call } = await openTestBase(KITCHEN)
    const report = (name: string, more = {}) => call('insights', { report: name, ...more })
    expect(await call('insights')).toMatchObject({
      report: 'overview',
      summary: { documents: 5, brokenLinks: 1, orphans: 2 },
    })
    expect((await report('hubs')).items[0]).toMatchObject({ id: 'notes/kettle.md', score: 2 })
    const ranks = (await report('hubs', { metric: 'pagerank' })).items
    const sum = ranks.reduce((total: number, { score }: { score: number }) => total + score, 0)
    expect(sum).toBeCloseTo(1, 4)
    expect((await report('orphans')).items.map(({ id }: { id: string }) => id)).toEqual([
      'notes/deep/folder/Ünïcode ñote.md',
      'notes/island.md',
    ])
    expect((await report('broken_links')).items).toEqual([
      { from: 'notes/tea.md', line: 18, target: 'missing note' },
    ])
    expect((await report('tags')).items).toContainEqual({ tag: 'hot', documents: 1 })
    expect((await report('coverage')).summary).toEqual({ indexed: 5, skipped: 0, failed: 0 })
    expect((await report('stale', { limit: 2 })).items).toHaveLength(2)
    expect((await report('duplicates')).items).toEqual([])
    const [one] = (await report('random', { seed: 7 })).items
    expect((await report('random', { seed: 7 })).items).toEqual([one])
    expect((await report('random', { seed: 1e308 })).items).toHaveLength(1)
  })

  it('tells which files were left out and why', async () => {
    const { call } = await openTestBase({
      'good.md': 'text',
      'latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20]),
      'bad.md': '---\ntitle: [unclosed\n---\nbody',
    })
    const { items, summary } = await call('insights', { report: 'coverage', state: 'skipped' })
    expect(summary).toEqual({ indexed: 2, skipped: 1, failed: 0 })
    expect(items[0]).toMatchObject({ file: 'notes/latin.md', state: 'skipped' })
    expect(items[0].reason).toMatch(/UTF-8/)
  })

  it('counts files that are left out by type and by rule', async () => {
    const { call } = await openTestBase({
      'good.md': 'text',
      'a.png': 'x',
      'b.png': 'x',
      'draft.md': 'later',
      '.gitignore': 'draft*\n',
    })
    const { summary } = await call('insights', { report: 'coverage' })
    expect(summary.left_out).toEqual([
      { by: 'type', what: '.png', count: 2 },
      { by: 'rule', what: 'draft* (.gitignore)', count: 1 },
      { by: 'rule', what: 'hidden', count: 1 },
    ])
  })

  it('counts a file that was left out once', async () => {
    const { sync } = await openTestBase(
      { 'good.md': 'text', 'large.md': 'x'.repeat(200), 'latin.md': Buffer.from([0x63, 0xe9]) },
      { maxFileBytes: 100 },
    )
    expect((await sync({ force: true })).skipped).toBe(2)
  })
})

describe('bad input', () => {
  const cases: [string, unknown, string][] = [
    ['search', {}, 'invalid'],
    ['search', { query: '' }, 'invalid'],
    ['search', { query: 7 }, 'invalid'],
    ['search', { query: 'x', limit: -1 }, 'invalid'],
    ['search', { query: 'x', limit: 0 }, 'invalid'],
    ['search', { query: 'x', limit: 51 }, 'invalid'],
    ['search', { query: 'x', limit: 1.5 }, 'invalid'],
    ['search', { query: 'x', limt: 5 }, 'invalid'],
    ['search', { query: 'x', sources: ['nope'] }, 'not_found'],
    ['search', { query: 'x', updated_after: 'yesterday' }, 'invalid'],
    ['search', { query: 'x', cursor: '' }, 'invalid'],
    ['search', [], 'invalid'],
    ['search', 'query', 'invalid'],
    ['fetch', {}, 'invalid'],
    ['fetch', { id: 'a', ids: ['b'] }, 'invalid'],
    ['fetch', { ids: [] }, 'invalid'],
    ['fetch', { id: '' }, 'invalid'],
    ['fetch', { id: '../../etc/passwd' }, 'invalid'],
    ['fetch', { id: 'notes/%2e%2e/%2e%2e/etc/passwd' }, 'invalid'],
    ['fetch', { id: 'kb://notes/..%2f..%2fetc/passwd' }, 'invalid'],
    ['fetch', { id: 'kb://notes/%E0%A4%A' }, 'invalid'],
    ['fetch', { id: 'a\0b' }, 'invalid'],
    ['fetch', { id: '..\\..\\windows' }, 'invalid'],
    ['fetch', { id: '/etc/passwd' }, 'not_found'],
    ['fetch', { id: 'x'.repeat(1_000_000) }, 'invalid'],
    ['fetch', { id: 'tea', lines: '5-2' }, 'invalid'],
    ['fetch', { id: 'tea', lines: '0' }, 'invalid'],
    ['fetch', { id: 'tea', lines: '9999' }, 'invalid'],
    ['fetch', { id: 'tea', lines: '-' }, 'invalid'],
    ['fetch', { id: 'tea', section: '' }, 'not_found'],
    ['fetch', { id: 'tea', section: 'a', lines: '1' }, 'invalid'],
    ['list', { limit: 501 }, 'invalid'],
    ['list', { sort: 'size' }, 'invalid'],
    ['list', { cursor: 'xyz' }, 'invalid'],
    ['neighbors', { id: 'nope' }, 'not_found'],
    ['neighbors', { id: 'tea', depth: 6 }, 'invalid'],
    ['neighbors', { id: 'tea', direction: 'sideways' }, 'invalid'],
    ['path', { from: 'tea' }, 'invalid'],
    ['path', { from: 'tea', to: 'nope' }, 'not_found'],
    ['insights', { report: 'nonsense' }, 'invalid'],
  ]
  it('gets a clear error that says what to do, every time', async () => {
    const { call, bugs } = await openTestBase(KITCHEN)
    for (const [tool, args, code] of cases) {
      const { error } = await call(tool, args)
      expect([tool, JSON.stringify(args).slice(0, 80), error?.code]).toEqual([
        tool,
        JSON.stringify(args).slice(0, 80),
        code,
      ])
      expect(error.hint.length).toBeGreaterThan(10)
      expect(error.message.length).toBeLessThan(1_000)
    }
    expect(bugs).toEqual([])
  })

  it('is lenient where the meaning is plain', async () => {
    const { call } = await openTestBase(KITCHEN)
    const answer = await call('search', { query: 'water', limit: '2', tags: 'hot', cursor: null })
    expect(answer['results'].map(({ id }: { id: string }) => id)).toEqual(['notes/tea.md'])
  })

  it('survives arbitrary arguments', async () => {
    const { surface, bugs } = await openTestBase(KITCHEN)
    const signal = new AbortController().signal
    const names = surface.tools().map(({ name }) => name)
    const keys = fc.constantFrom('query', 'id', 'ids', 'from', 'to', 'path', 'lines', 'section')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.oneof(fc.anything(), fc.dictionary(keys, fc.anything())),
        async (name, args) => {
          const result = await surface.call(name, args, { signal, progress: () => {} })
          expect(result.texts).toHaveLength(1)
        },
      ),
      { numRuns: 300 },
    )
    expect(bugs).toEqual([])
  })
})
