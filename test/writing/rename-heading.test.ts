/** A heading that gets another name takes its links along, in one operation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

const TEA = `# Tea

## Brew hot & strong

Pour it.

### Notes

One.

## Serve

In cups.

### Notes

Two.
`

const rename = (from: string, to: string) => ({ action: 'find_replace', find: from, replace: to })
const BREW = rename('## Brew hot & strong', '## Steep (long)')

/** Renames a heading of `guides/tea.md` and looks at a line of another note. */
function check(name: string, edit: object, before: string, after: string): void {
  it(`${name}: ${before}`, async () => {
    const { call, folder } = await openTestBase({
      'guides/tea.md': TEA,
      'guides/cup.md': '# Cup\n\n## Brew hot & strong\n\nx\n',
      'index.md': `${before}\n`,
    })
    const result = await call('write', { id: 'guides/tea.md', ...edit })
    expect(readFileSync(join(folder, 'index.md'), 'utf8')).toBe(`${after}\n`)
    expect(result['broken_links']).toBeUndefined()
    expect(result['rewritten_in']).toEqual(before === after ? undefined : ['notes/index.md'])
    expect((await call('insights', { report: 'broken_links' }))['items']).toEqual([])
    await call('history', { action: 'undo' })
    expect(readFileSync(join(folder, 'index.md'), 'utf8')).toBe(`${before}\n`)
    expect(readFileSync(join(folder, 'guides/tea.md'), 'utf8')).toBe(TEA)
  })
}

describe('a renamed heading takes along', () => {
  check('a wiki link', BREW, '[[tea#Brew hot & strong]]', '[[tea#Steep (long)]]')
  check('its label stays', BREW, '[[tea#Brew hot & strong|b]]', '[[tea#Steep (long)|b]]')
  check('other letters', BREW, '[[tea#brew hot & strong]]', '[[tea#Steep (long)]]')
  check('a name for a site', BREW, '[[tea#brew-hot-strong]]', '[[tea#steep-long]]')
  check('an embed', BREW, '![[tea#Brew hot & strong]]', '![[tea#Steep (long)]]')
  check('a path of headings', BREW, '[[tea#Tea#Brew hot & strong]]', '[[tea#Tea#Steep (long)]]')
  check('a heading below', BREW, '[[tea#Brew hot & strong#Notes]]', '[[tea#Steep (long)#Notes]]')
  check('a path', BREW, '[b](guides/tea.md#brew-hot--strong)', '[b](guides/tea.md#steep-long)')
  check(
    'a path with a title',
    BREW,
    '[b](guides/tea.md#brew-hot-strong "B")',
    '[b](guides/tea.md#steep-long "B")',
  )
  check(
    'a path with the words',
    BREW,
    '[b](guides/tea.md#Brew%20hot%20&%20strong)',
    '[b](guides/tea.md#Steep%20%28long%29)',
  )
  check(
    'a definition',
    BREW,
    '[b][t]\n\n[t]: guides/tea.md#brew-hot--strong',
    '[b][t]\n\n[t]: guides/tea.md#steep-long',
  )
  check(
    'front matter',
    rename('## Serve', '## Say "when": now'),
    '---\nup: "[[tea#Serve]]"\n---\nx',
    '---\nup: "[[tea#say-when-now]]"\n---\nx',
  )
  check(
    'a cell',
    BREW,
    '| [[tea#Brew hot & strong\\|x]] |\n| - |',
    '| [[tea#Steep (long)\\|x]] |\n| - |',
  )
  check(
    'signs of its own',
    rename('## Serve', '## C# [and] more'),
    '[[tea#Serve]]',
    '[[tea#C and more]]',
  )
  check(
    'the title',
    rename('# Tea\n', '# Green tea\n'),
    '[[Tea#Serve]] [[guides/tea#Tea]]',
    '[[Tea#Serve]] [[guides/tea#Green tea]]',
  )
})

describe('links that mean something else stay', () => {
  check('another heading', BREW, '[[tea#Serve]] [[tea]]', '[[tea#Serve]] [[tea]]')
  check('another note', BREW, '[[cup#Brew hot & strong]]', '[[cup#Brew hot & strong]]')
  check('code', BREW, '`[[tea#Brew hot & strong]]`', '`[[tea#Brew hot & strong]]`')
  check(
    'a named place',
    rename('## Serve', '## Serve {#serve}'),
    '[a](guides/tea.md#serve)',
    '[a](guides/tea.md#serve)',
  )
})

describe('of several headings with one name', () => {
  const first = rename('### Notes\n\nOne.', '### Remarks\n\nOne.')
  const second = rename('### Notes\n\nTwo.', '### Remarks\n\nTwo.')
  check('the first is meant', first, '[[tea#Notes]]', '[[tea#Remarks]]')
  check('the second is counted', second, '[n](guides/tea.md#notes-1)', '[n](guides/tea.md#remarks)')
  check('the second moves up', first, '[n](guides/tea.md#notes-1)', '[n](guides/tea.md#notes)')
  check('the first stays', second, '[[tea#Notes]]', '[[tea#Notes]]')
  check(
    'a name that is taken needs its path',
    rename('### Notes\n\nTwo.', '### Serve\n\nTwo.'),
    '[[tea#Serve#Notes]]',
    '[[tea#Serve#Serve]]',
  )
})

const OWN = '# A\n\n[[#Old]] [o](#old) ![[#Old]]\n\n## Old\n\nText.\n'

it('takes links in the note itself along', async () => {
  const { call, folder } = await openTestBase({ 'a.md': OWN })
  const result = await call('write', { id: 'a', ...rename('## Old', '## New name') })
  expect(result).toMatchObject({ links_rewritten: 3, renamed: ['#Old → #New name'] })
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe(
    '# A\n\n[[#New name]] [o](#new-name) ![[#New name]]\n\n## New name\n\nText.\n',
  )
})

it('takes links by title along when the heading is the title', async () => {
  const { call, folder } = await openTestBase({
    '2024-01.md': '# First plan\n\nText.\n',
    'b.md': '[[First plan]]\n',
  })
  await call('write', { id: '2024-01', ...rename('# First plan', '# Second plan') })
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('[[Second plan]]\n')
})

it('only says which links they are, when told so', async () => {
  const files = { 'a.md': OWN, 'b.md': '[[a#Old]]\n' }
  const { call, folder } = await openTestBase(files)
  const edit = { id: 'a', ...rename('## Old', '## New'), update_links: false }
  const result = await call('write', edit)
  expect(result['links_rewritten']).toBeUndefined()
  expect(result['broken_links']).toEqual([
    { id: 'notes/a.md', target: '#Old' },
    { id: 'notes/a.md', target: '#old' },
    { id: 'notes/a.md', target: '#Old' },
    { id: 'notes/b.md', target: 'a#Old' },
  ])
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe(files['b.md'])
})

it('finds renamed headings in a whole new text, and in a section', async () => {
  const { call, folder } = await openTestBase({
    'a.md': '# A\n\n## One\n\nfirst\n\n### Deep\n\nbelow\n\n## Two\n\nsecond\n',
    'b.md': '[[a#One]] [[a#Two]] [[a#Deep]]\n',
  })
  const content = '# A\n\n## Eins\n\nfirst\n\nmore\n\n### Deep\n\nbelow\n\n## Zwei\n\nsecond\n'
  await call('write', { action: 'replace', id: 'a', content })
  const part = { section: 'Eins', content: 'first\n\nmore\n\n### Tief\n\nbelow\n' }
  await call('write', { action: 'edit_section', id: 'a', ...part })
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('[[a#Eins]] [[a#Zwei]] [[a#Tief]]\n')
})

it('guesses nothing where the text is another one, and says what leads nowhere', async () => {
  const { call, folder } = await openTestBase({
    'a.md': '# A\n\n## One\n\nfirst\n\n## Two\n\nsecond\n',
    'b.md': '[[a#One]] [[a#Two]]\n',
  })
  const content = '# A\n\n## Red\n\napples\n\n## Blue\n\nplums\n'
  const result = await call('write', { action: 'replace', id: 'a', content })
  expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('[[a#One]] [[a#Two]]\n')
  expect(result['broken_links']).toEqual([
    { id: 'notes/b.md', target: 'a#One' },
    { id: 'notes/b.md', target: 'a#Two' },
  ])
})

it('keeps a dry run dry, and refuses the argument where it means nothing', async () => {
  const { call, folder } = await openTestBase({ 'a.md': OWN, 'b.md': '[[a#Old]]\n' })
  const edit = { id: 'a', ...rename('## Old', '## New') }
  const preview = await call('write', { ...edit, dry_run: true })
  expect(preview['rewritten_in']).toEqual(['notes/b.md'])
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe(OWN)
  const stray = { action: 'append', id: 'a', content: 'x', update_links: true }
  expect((await call('write', stray))['error'].hint).toContain('update_links goes with: move')
})
