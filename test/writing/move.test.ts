import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { updateDocument } from '../../src/core/operations/writing/edit-document.ts'
import { getNeighbors } from '../../src/core/operations/walking/get-neighbors.ts'
import { moveDocument } from '../../src/core/operations/writing/move-document.ts'
import { undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const options = { by: { client: 'test/1' } }

/** Moves `guides/tea.md` and looks at one line of a document that links to it. */
function check(name: string, to: string, before: string, after: string, holder = 'index.md'): void {
  it(`${name}: ${before}`, async () => {
    const { kb, folder } = await openTestBase({
      'guides/tea.md': '# Tea\n',
      'guides/cup.md': '# Cup\n',
      'other/tea-time.md': '# Time\n',
      [holder]: `${before}\n`,
    })
    const result = await moveDocument(kb, 'guides/tea.md', to, options)
    expect(readFileSync(join(folder, holder), 'utf8')).toBe(`${after}\n`)
    expect(result.brokenLinks).toEqual([])
    const changed = before === after ? [] : [`notes/${holder}`]
    expect(result.rewrittenIn).toEqual(changed)
    // What it was rewritten to leads to the document.
    const { neighbors } = await getNeighbors(kb, result.id, { direction: 'in' })
    expect(neighbors.map(({ id }) => id)).toEqual([`notes/${holder}`])
  })
}

describe('a wiki link', () => {
  const to = 'drinks/green tea.md'
  check('by name', to, '[[tea]]', '[[green tea]]')
  check('with a label', to, '[[tea|Tea!]]', '[[green tea|Tea!]]')
  check('with a heading', to, '[[tea#Brew]]', '[[green tea#Brew]]')
  check('with both', to, '[[tea#Brew|x]] and [[cup]]', '[[green tea#Brew|x]] and [[cup]]')
  check('with a block', to, '[[tea#^b1]]', '[[green tea#^b1]]')
  check('with an extension', to, '[[tea.md]]', '[[green tea.md]]')
  check('with a folder', to, '[[guides/tea]]', '[[drinks/green tea]]')
  check('with folder and extension', to, '[[guides/tea.md]]', '[[drinks/green tea.md]]')
  check('from the root', to, '[[/guides/tea]]', '[[/drinks/green tea]]')
  check('embedded', to, '![[tea]]', '![[green tea]]')
  check('in a table', to, '| a |\n| - |\n| [[tea\\|x]] |', '| a |\n| - |\n| [[green tea\\|x]] |')
  check('relative', to, '[[./tea]]', '[[../drinks/green tea]]', 'guides/x.md')
  check('in other letters', to, '[[TEA]] `[[tea]]`', '[[green tea]] `[[tea]]`')
  check('that still works stays', 'drinks/tea.md', '[[tea]]', '[[tea]]')
  check('whose name is taken', 'zoo/tea-time.md', '[[tea]]', '[[zoo/tea-time]]')
  check(
    'in front matter',
    to,
    '---\nup: "[[tea]]"\n---\n[[tea]]',
    '---\nup: "[[green tea]]"\n---\n[[green tea]]',
  )
  check(
    'as a path in front matter',
    'drinks/tea.md',
    '---\nup: guides/tea.md # x\n---\n[[tea]]',
    '---\nup: drinks/tea.md # x\n---\n[[tea]]',
  )
})

describe('a Markdown link', () => {
  const to = 'drinks/green tea.md'
  check('relative', to, '[x](guides/tea.md)', '[x](drinks/green%20tea.md)')
  check('with a fragment', to, '[x](guides/tea.md#brew "T")', '[x](drinks/green%20tea.md#brew "T")')
  check('from beside it', to, '[x](tea.md)', '[x](../drinks/green%20tea.md)', 'guides/x.md')
  check('with a dot', 'guides/cha.md', '[x](./tea.md)', '[x](./cha.md)', 'guides/x.md')
  check('from the root', to, '[x](/guides/tea.md)', '[x](/drinks/green%20tea.md)')
  check(
    'from the root without slash',
    to,
    '[x](guides/tea.md)',
    '[x](drinks/green%20tea.md)',
    'deep/er/x.md',
  )
  check('in angle brackets', to, '[x](<guides/tea.md>)', '[x](<drinks/green tea.md>)')
  check('without extension', 'drinks/cha.md', '[x](guides/tea)', '[x](drinks/cha)')
  check(
    'by definition',
    to,
    '[x][t] [t]\n\n[t]: guides/tea.md "T"',
    '[x][t] [t]\n\n[t]: drinks/green%20tea.md "T"',
  )
  check(
    'around a picture',
    'drinks/cha.md',
    '[![a](p.png)](guides/tea.md)',
    '[![a](p.png)](drinks/cha.md)',
  )
  check('to a name in another script', 'drinks/茶.md', '[x](guides/tea.md)', '[x](drinks/茶.md)')
  check('encoded as before', 'drinks/茶.md', '[x](guides/t%65a.md)', '[x](drinks/茶.md)')
  check(
    'beside one in code',
    'a/b.md',
    '`[x](guides/tea.md)` [x](guides/tea.md)',
    '`[x](guides/tea.md)` [x](a/b.md)',
  )
  check(
    'in a file with Windows line ends',
    'a/b.md',
    '# H\r\n\r\n[x](guides/tea.md) y\r\n',
    '# H\r\n\r\n[x](a/b.md) y\r\n',
  )
})

it('recomputes the ways out of a moved document, and keeps its other bytes', async () => {
  const text =
    '\uFEFF# Tea\r\n[cup](cup.md#x) [[cup]] ![p](img/p.png) [self](tea.md) [web](https://x.y/cup.md) [gone](nope.md)\n![[q.png]] [up](../index.md)'
  const { kb, folder } = await openTestBase({
    'guides/tea.md': text,
    'guides/cup.md': '# Cup\n',
    'index.md': '# Index\n',
    'guides/img/p.png': new Uint8Array([1]),
  })
  const result = await moveDocument(kb, 'guides/tea.md', 'drinks/hot/', options)
  expect(result.id).toBe('notes/drinks/hot/tea.md')
  expect(readFileSync(join(folder, 'drinks/hot/tea.md'), 'utf8')).toBe(
    text
      .replace('(cup.md#x)', '(../../guides/cup.md#x)')
      .replace('(img/p.png)', '(../../guides/img/p.png)')
      .replace('(../index.md)', '(../../index.md)'),
  )
  expect(existsSync(join(folder, 'guides/tea.md'))).toBe(false)
  await undoChanges(kb, {}, options)
  expect(readFileSync(join(folder, 'guides/tea.md'), 'utf8')).toBe(text)
})

it('recomputes relative ways that would only be found from the root', async () => {
  const { kb, folder } = await openTestBase({
    'tea.md':
      '[a](./guides/cup.md) [b](guides/cup.md#x) [c](<guides/my cup.md>) [d](/guides/cup.md)\n',
    'guides/cup.md': '[pot](pot.md)\n',
    'guides/my cup.md': 'x\n',
    'guides/pot.md': 'x\n',
  })
  await moveDocument(kb, 'tea.md', 'drinks/hot/', options)
  expect(readFileSync(join(folder, 'drinks/hot/tea.md'), 'utf8')).toBe(
    '[a](../../guides/cup.md) [b](../../guides/cup.md#x) [c](<../../guides/my cup.md>) [d](/guides/cup.md)\n',
  )
  await moveDocument(kb, 'guides/pot.md', 'pot.md', options)
  expect(readFileSync(join(folder, 'guides/cup.md'), 'utf8')).toBe('[pot](../pot.md)\n')
})

it('keeps links whose name the moved document takes over', async () => {
  const { kb, folder } = await openTestBase({
    'a/old.md': 'x',
    'b/tea.md': 'real tea',
    'index.md': '[[tea]]\n',
  })
  await moveDocument(kb, 'a/old.md', 'a/tea.md', options)
  expect(readFileSync(join(folder, 'index.md'), 'utf8')).toBe('[[b/tea]]\n')
})

it('shows a preview that changes nothing', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'x\n', 'index.md': '[[tea]]\n' })
  const preview = await moveDocument(kb, 'tea', 'cha', { ...options, dryRun: true })
  expect(preview).toMatchObject({ id: 'notes/cha.md', linksRewritten: 1, operation: undefined })
  expect(preview.diff).toContain('-[[tea]]\n+[[cha]]')
  expect(existsSync(join(folder, 'tea.md'))).toBe(true)
})

it('waits for documents that are not indexed yet, so that their links follow too', async () => {
  const base = await openTestBaseAt(temporaryFolder({ 'tea.md': 'x\n', 'index.md': '[[tea]]\n' }))
  let behind = true
  const catchingUp = () => (behind ? ({ phase: 'index', done: 0, total: 2 } as const) : undefined)
  const moving = moveDocument({ ...base.kb, catchingUp }, 'tea', 'cha', options)
  await base.sync()
  behind = false
  expect(await moving).toMatchObject({ linksRewritten: 1 })
  expect(readFileSync(join(base.folder, 'index.md'), 'utf8')).toBe('[[cha]]\n')
})

it('renames by letters alone', async () => {
  const { kb, folder } = await openTestBase({ 'tea.md': 'x\n' })
  await moveDocument(kb, 'tea', 'Tea.md', options)
  expect(existsSync(join(folder, 'Tea.md'))).toBe(true)
})

it('rewrites links by title when the title changes and that is asked for', async () => {
  const { kb, folder } = await openTestBase({
    't1.md': '---\ntitle: Old Name\n---\nx\n',
    'index.md': '[[Old Name]] [[Old Name#h|l]] [[t1]]\n',
  })
  const change = { set: { title: 'New Name' }, body: 'y' }
  const result = await updateDocument(kb, 't1', change, { ...options, updateLinks: true })
  expect(result.linksRewritten).toBe(2)
  expect(readFileSync(join(folder, 'index.md'), 'utf8')).toBe(
    '[[New Name]] [[New Name#h|l]] [[t1]]\n',
  )
  expect(readFileSync(join(folder, 't1.md'), 'utf8')).toBe('---\ntitle: New Name\n---\ny\n')
})

/** A slow disk takes its time for two thousand files. */
const MANY = { timeout: 600_000 }

it('moves a note with 1,000 backlinks in one operation that can be undone', MANY, async () => {
  const files: Record<string, string> = { 'hub.md': '# Hub\n' }
  for (let i = 0; i < 1000; i++) {
    files[`notes/n${i}.md`] = `Note ${i} about [[hub]], [it](../hub.md#x) and\r\nmore.\n`
  }
  const { kb, folder, call } = await openTestBase(files)
  const before = process.cpuUsage()
  const started = performance.now()
  const result = await moveDocument(kb, 'hub', 'center/core', options)
  const elapsed = performance.now() - started
  const worked = process.cpuUsage(before)
  expect(result.linksRewritten).toBe(2000)
  expect(result.rewrittenIn).toHaveLength(1000)
  for (let i = 0; i < 1000; i++) {
    expect(readFileSync(join(folder, `notes/n${i}.md`), 'utf8')).toBe(
      `Note ${i} about [[core]], [it](../center/core.md#x) and\r\nmore.\n`,
    )
  }
  expect((await call('neighbors', { id: 'center/core.md', direction: 'in' })).total).toBe(1000)
  const undoing = performance.now()
  await undoChanges(kb, {}, options)
  console.log(`move ${Math.round(elapsed)} ms, undo ${Math.round(performance.now() - undoing)} ms`)
  for (const [path, text] of Object.entries(files)) {
    expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  }
  // Time at work: how long it takes is up to the disk, and to what else the machine has to do.
  expect(worked.user / 1000).toBeLessThan(20_000)
})
