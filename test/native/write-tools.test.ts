/** The tools that write, called as a client calls them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTE =
  '---\ntitle: Tea # keep\ntags: [drink]\n---\n\n# Tea\n\n## Brew\n\nHot.\n\n## Serve\n\nIn cups.\n'

/** One call of `write` on `tea.md`, and what the file is afterwards. */
function check(name: string, args: Record<string, unknown>, expected: string): void {
  it(name, async () => {
    const { call, folder, bugs } = await openTestBase({ 'tea.md': NOTE })
    const preview = await call('write', { id: 'tea', ...args, dry_run: true })
    expect(preview['operation']).toBeUndefined()
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(NOTE)
    const result = await call('write', { id: 'tea', ...args })
    expect(result).toMatchObject({ id: 'notes/tea.md', diff: preview['diff'] })
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(expected)
    expect((await call('fetch', { id: 'tea.md' }))['digest']).toBe(result['digest'])
    expect(bugs).toEqual([])
  })
}

describe('write', () => {
  check('replaces', { action: 'replace', content: 'New\n' }, 'New\n')
  check('appends', { action: 'append', content: 'End' }, `${NOTE}\nEnd\n`)
  check(
    'appends to a section',
    { action: 'append', section: 'Brew', content: 'Long.' },
    NOTE.replace('Hot.\n', 'Hot.\n\nLong.\n'),
  )
  check(
    'makes a section when asked',
    { action: 'append', section: 'Buy', content: 'Here.', create_section: true },
    `${NOTE}\n## Buy\n\nHere.\n`,
  )
  check('prepends', { action: 'prepend', content: 'Top' }, NOTE.replace('# Tea\n', 'Top\n# Tea\n'))
  check(
    'edits a section',
    { action: 'edit_section', section: 'Tea > Serve', content: 'In bowls.' },
    NOTE.replace('In cups.', 'In bowls.'),
  )
  check(
    'finds and replaces',
    { action: 'find_replace', find: 'Hot.\n\n## Serve', replace: 'Cold.\n\n## Serve' },
    NOTE.replace('Hot.', 'Cold.'),
  )
  check(
    'sets and removes metadata',
    { action: 'set_metadata', metadata: { status: 'done', title: null } },
    NOTE.replace('title: Tea # keep\n', '').replace('[drink]\n', '[drink]\nstatus: done\n'),
  )
  check(
    'adds and removes tags',
    { action: 'set_metadata', tags: ['+hot', '-drink'] },
    NOTE.replace('[drink]', '[hot]'),
  )
  check(
    'sets all tags',
    { action: 'set_metadata', tags: ['a', 'b'] },
    NOTE.replace('[drink]', '[a, b]'),
  )

  it('replaces lines of the text they were counted in', async () => {
    const { call, folder } = await openTestBase({ 'tea.md': NOTE })
    const edit = { action: 'replace', id: 'tea', lines: '8-10', content: '## Steep\n\nLong.\n' }
    expect((await call('write', edit))['error']).toMatchObject({ code: 'invalid' })
    const { digest } = await call('fetch', { id: 'tea' })
    await call('write', { ...edit, if_digest: digest })
    const expected = NOTE.replace('## Brew\n\nHot.', '## Steep\n\nLong.')
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(expected)
    expect((await call('write', { ...edit, if_digest: digest }))['error']).toMatchObject({
      code: 'conflict',
    })
  })

  it('creates with metadata, and the next call finds it', async () => {
    const { call, folder } = await openTestBase({ 'tea.md': NOTE })
    const made = await call('write', {
      action: 'create',
      id: 'new/Green Tea',
      content: 'Sencha from [[tea]] and [[nowhere]].\n',
      metadata: { title: 'Green' },
      tags: ['drink'],
    })
    expect(made['id']).toBe('notes/new/Green Tea.md')
    expect(made['warnings']).toEqual([
      'The link "nowhere" in notes/new/Green Tea.md leads nowhere yet.',
    ])
    expect(readFileSync(join(folder, 'new/Green Tea.md'), 'utf8')).toBe(
      '---\ntitle: Green\ntags: [drink]\n---\nSencha from [[tea]] and [[nowhere]].\n',
    )
    expect((await call('search', { query: 'sencha' }))['results'][0]['title']).toBe('Green')
    expect((await call('list', { tags: ['drink'] }))['total']).toBe(2)
    expect((await call('neighbors', { id: 'tea' }))['total']).toBe(1)
  })

  it('says what is missing or too much, and changes nothing', async () => {
    const { call, folder } = await openTestBase({ 'tea.md': `${NOTE}\n# Other\n\n## Brew\n` })
    const before = readFileSync(join(folder, 'tea.md'), 'utf8')
    const refused = async (args: Record<string, unknown>, code: string, words: string) => {
      const { error } = await call('write', { id: 'tea', ...args })
      expect(error).toMatchObject({ code })
      expect(`${error.message} ${error.hint}`).toContain(words)
    }
    await refused({ action: 'append' }, 'invalid', 'needs content')
    await refused({ action: 'append', content: 'x', to: 'y' }, 'invalid', 'takes no to')
    await refused({ action: 'burn' }, 'invalid', 'action')
    await refused(
      { action: 'edit_section', section: 'Brew', content: '' },
      'invalid',
      '"Tea > Brew", "Other > Brew"',
    )
    await refused(
      { action: 'edit_section', section: 'Nope', content: '' },
      'not_found',
      '"Tea > Serve"',
    )
    await refused(
      { action: 'find_replace', find: 'Brew', replace: '' },
      'conflict',
      'occurs 2 times',
    )
    await refused(
      { action: 'find_replace', find: 'zzz', replace: '' },
      'conflict',
      'does not occur',
    )
    await refused({ action: 'set_metadata' }, 'invalid', 'needs metadata')
    await refused({ action: 'append', content: 'x', if_digest: 'old' }, 'conflict', 'digest is now')
    await refused({ action: 'create', content: 'x' }, 'exists', 'notes/tea.md')
    await refused({ action: 'move', to: 'tea.md' }, 'invalid', 'already there')
    await refused({ action: 'append', id: 'coffee', content: 'x' }, 'not_found', 'coffee')
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(before)
    expect((await call('history'))['operations']).toEqual([])
  })

  it('refuses to edit UTF-16, and moves and deletes it as it is', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Tee\n', 'utf16le')])
    const { call, folder } = await openTestBase({ 'tee.md': utf16 })
    const { error } = await call('write', { action: 'append', id: 'tee', content: 'x' })
    expect(error.code).toBe('unsupported')
    await call('write', { action: 'move', id: 'tee', to: 'x/tee' })
    expect(Buffer.compare(readFileSync(join(folder, 'x/tee.md')), utf16)).toBe(0)
    await call('delete', { id: 'tee' })
    await call('history', { action: 'restore', id: 'notes/x/tee.md' })
    expect(Buffer.compare(readFileSync(join(folder, 'x/tee.md')), utf16)).toBe(0)
  })

  it('works from a file that an editor saved and the index does not know yet', async () => {
    const { call, folder } = await openTestBase({ 'tea.md': 'old\n' })
    writeFileSync(join(folder, 'tea.md'), 'by hand\n')
    writeFileSync(join(folder, 'new.md'), 'fresh\n')
    await call('write', { action: 'append', id: 'tea', content: 'more' })
    await call('write', { action: 'append', id: 'new.md', content: 'more' })
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('by hand\n\nmore\n')
    expect(readFileSync(join(folder, 'new.md'), 'utf8')).toBe('fresh\n\nmore\n')
    expect((await call('search', { query: 'hand fresh' }))['results']).toHaveLength(2)
  })
})

it('deletes, names the links that break, and restores', async () => {
  const { call, folder } = await openTestBase({ 'tea.md': NOTE, 'index.md': '[[tea]]\n' })
  const gone = await call('delete', { id: 'tea' })
  expect(gone).toMatchObject({
    deleted: 'notes/tea.md',
    broken_links: [{ id: 'notes/index.md', target: 'tea' }],
  })
  expect(existsSync(join(folder, 'tea.md'))).toBe(false)
  expect((await call('delete', { id: 'notes/tea.md' }))['error'].code).toBe('not_found')
  await call('history', { action: 'restore', id: gone['operation'] })
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe(NOTE)
  expect((await call('neighbors', { id: 'tea' }))['total']).toBe(1)
})

it('lists, shows and undoes what was done, by whom', async () => {
  const { call, surface, folder } = await openTestBase({ 'tea.md': 'x\n' })
  const context = { signal: new AbortController().signal, client: 'agent/2', progress: () => {} }
  await surface.call('write', { action: 'append', id: 'tea', content: 'one' }, context)
  await call('write', { action: 'append', id: 'tea', content: 'two' })
  const { operations } = await call('history')
  expect(operations).toMatchObject([
    { action: 'append', documents: ['notes/tea.md'] },
    { action: 'append', client: 'agent/2' },
  ])
  const shown = await call('history', { action: 'diff', id: operations[1].id })
  expect(shown['diff']).toContain('+one')
  expect((await call('history', { by: 'agent' }))['operations']).toHaveLength(1)
  expect((await call('history', { limit: 1 }))['next_cursor']).toBeDefined()
  const early = await call('history', { action: 'undo', by: 'agent' })
  expect(early['undone']).toEqual([operations[1].id])
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('x\n\ntwo\n')
  const undone = await call('history', { action: 'undo', since: '2020-01-01' })
  expect(undone['undone']).toEqual([operations[0].id])
  expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('x\n')
  expect((await call('history', { since: 'soon' }))['error'].code).toBe('invalid')
})

it('shows no tool that writes where writing is not allowed', async () => {
  const { base } = await openTestBase({ 'tea.md': 'x\n' })
  const surface = openNativeSurface(
    { ...base, writing: undefined },
    { version: '0', log: () => {} },
  )
  expect(surface.tools().filter(({ annotations }) => !annotations.readOnlyHint)).toEqual([])
  expect(surface.instructions).not.toContain('write')
  const context = { signal: new AbortController().signal, progress: () => {} }
  await expect(surface.call('write', {}, context)).rejects.toMatchObject({ code: 'not_found' })
})

describe('a plain text', () => {
  const refusals: [string, string, Record<string, unknown>][] = [
    ['metadata', 'write', { action: 'set_metadata', id: 'log.txt', tags: ['a'] }],
    [
      'a new section',
      'write',
      { action: 'append', id: 'log.txt', section: 'Buy', content: 'Tea', create_section: true },
    ],
    ['tags at birth', 'write', { action: 'create', id: 'new.txt', content: 'text', tags: ['a'] }],
  ]
  it.each(refusals)('is not given %s', async (_, name, args) => {
    const { call, folder, bugs } = await openTestBase({ 'log.txt': 'Plain.\n' })
    expect((await call(name, args))['error']).toMatchObject({ code: 'unsupported' })
    expect(readFileSync(join(folder, 'log.txt'), 'utf8')).toBe('Plain.\n')
    expect(existsSync(join(folder, 'new.txt'))).toBe(false)
    expect(bugs).toEqual([])
  })

  it('is still edited as text', async () => {
    const { call, folder } = await openTestBase({ 'log.txt': 'Plain.\n' })
    await call('write', { action: 'append', id: 'log.txt', content: 'More.' })
    expect(readFileSync(join(folder, 'log.txt'), 'utf8')).toBe('Plain.\nMore.\n')
  })
})

it('says that a text is there twice already when it is written again', async () => {
  const { call } = await openTestBase({ 'tea.md': '# Tea\n\nBoil.\n' })
  const create = (id: string, content = '# Tea\n\nBoil.\n') =>
    call('write', { action: 'create', id, content })
  expect(await create('tea 1.md')).not.toHaveProperty('warnings')
  expect((await create('old/tea.md')).warnings).toEqual([
    expect.stringMatching(
      /^The same text is in notes\/tea( 1)?\.md and notes\/tea( 1)?\.md already/,
    ),
  ])
  expect(await create('green.md', '# Tea\n\nSteep.\n')).not.toHaveProperty('warnings')
})
