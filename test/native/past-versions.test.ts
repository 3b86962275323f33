/** What a document said: `fetch` with `at`, and which change brought or removed a sentence. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import { openFileHistory } from '../../src/core/sources/git/file-history.ts'
import { git } from '../duskmantle/open-duskmantle.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Looks like one of GitHub, and is none. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

/** `docs/tea.md` as it was on the first, the third and the fifth of January 2026. */
function repository(): string {
  const folder = temporaryFolder({ 'docs/tea.md': '# Tea\n\nThe tea is black.\n' })
  const commit = (number: number, text: string) => {
    writeFileSync(join(folder, 'docs/tea.md'), text)
    git(folder, ['add', '-A'])
    git(folder, ['commit', '-q', '-m', `On the ${number}.`], day(number))
  }
  git(folder, ['init', '-q'])
  commit(1, '# Tea\n\nThe tea is black.\n')
  commit(3, `# Tea\n\nThe tea\nis green. ${TOKEN}\n`)
  commit(5, '# Tea\n\nThe tea is white.\n')
  return join(folder, 'docs')
}

async function openRepository() {
  const base = await openTestBaseAt(repository())
  await base.sync()
  return base
}

const textOf = ({ text }: Record<string, any>) => String(text).split('\n')[2]

it('shows a note as git has it at a moment, at the end of a day and at a commit', async () => {
  const { call } = await openRepository()
  const first = await call('fetch', { id: 'tea', at: '2026-01-02' })
  expect(first).toMatchObject({
    id: 'notes/tea.md',
    title: 'Tea',
    text: '# Tea\n\nThe tea is black.\n',
    version: { at: '2026-01-01T00:00:00.000Z', author: 'Ada', message: 'On the 1.' },
  })
  expect(textOf(await call('fetch', { id: 'tea', at: '2026-01-05' }))).toBe('The tea is white.')
  expect(textOf(await call('fetch', { id: 'tea', at: '2026-01-04T12:00:00Z' }))).toBe('The tea')
  expect(textOf(await call('fetch', { id: 'tea', at: first['version'].commit }))).toContain('black')
  expect(await call('fetch', { id: 'tea', at: '2026-01-02', lines: '3' })).toMatchObject({
    text: 'The tea is black.\n',
    lines: '3-3 of 3',
  })
})

it('masks the secrets of the past, and does not find them', async () => {
  const { call } = await openRepository()
  const { text } = await call('fetch', { id: 'tea', at: '2026-01-03' })
  expect(text).not.toContain(TOKEN)
  expect((await call('history', { id: 'tea', sentence: TOKEN }))['commits']).toBeUndefined()
})

it('finds the commits that brought and removed a sentence, however its lines are broken', async () => {
  const { call } = await openRepository()
  const found = async (sentence: string) => {
    const { commits = [] } = await call('history', { id: 'tea', sentence })
    return commits.map(({ message, sentence }: any) => [message, sentence])
  }
  expect(await found('The tea is black.')).toEqual([
    ['On the 3.', 'removed'],
    ['On the 1.', 'brought'],
  ])
  expect(await found('The tea is green.')).toEqual([
    ['On the 5.', 'removed'],
    ['On the 3.', 'brought'],
  ])
  expect(await found('No such (sentence).*')).toEqual([])
})

it('tells the past to those who may change documents, and git to those who see them all', async () => {
  const { surface, call } = await openRepository()
  const asked = async (caller: Caller) => {
    const context = { signal: new AbortController().signal, progress: () => {}, caller }
    return surface.call('fetch', { id: 'tea', at: '2026-01-02' }, context)
  }
  expect(await asked({ principal: 'ada', may: ['read'] })).toMatchObject({
    structured: { error: { code: 'forbidden' } },
  })
  expect(await asked({ principal: 'ada', may: ['read', 'write'] })).toMatchObject({
    structured: { text: expect.stringContaining('black') },
  })
  const sees = ({ path }: { readonly path: string }) => path === 'tea.md'
  expect(await asked({ principal: 'ada', may: ['read', 'write'], sees })).toMatchObject({
    structured: { error: { code: 'not_found' } },
  })
  expect((await call('fetch', { id: 'tea' }))['version']).toBeUndefined()
})

it('goes back by its own history, through moves, deletions and undo', async () => {
  const { call } = await openTestBase({ 'tea.md': 'Black.\n' })
  const first = await call('write', { action: 'append', id: 'tea', content: 'Hot.' })
  await call('write', { action: 'move', id: 'tea', to: 'drinks/tea.md' })
  const last = await call('write', {
    action: 'find_replace',
    id: 'drinks/tea.md',
    find: 'Hot.',
    replace: 'Cold.',
  })
  const at = async (moment: string, id = 'drinks/tea.md') =>
    (await call('fetch', { id, at: moment }))['text']
  expect(await at(first['operation'])).toContain('Hot.')
  expect(await at(first['digest'].slice(0, 8))).toContain('Hot.')
  expect(await at(last['operation'])).toContain('Cold.')
  expect(await at('now')).toContain('Cold.')
  expect(
    (await call('history', { id: 'drinks/tea.md', sentence: 'Hot.' }))['operations'],
  ).toMatchObject([
    { id: last['operation'], sentence: 'removed' },
    { id: first['operation'], sentence: 'brought' },
  ])
  const gone = await call('delete', { id: 'drinks/tea.md' })
  expect(await at(last['operation'])).toContain('Cold.')
  expect(await at(first['operation'], 'tea.md')).toContain('Hot.')
  expect(await call('fetch', { id: 'drinks/tea.md', at: gone['operation'] })).toMatchObject({
    error: { code: 'not_found' },
  })
})

it('goes forward from where a note was made, when somebody else has edited it since', async () => {
  const { call, folder } = await openTestBase({ 'a.md': 'A.\n' })
  const made = await call('write', { action: 'create', id: 'b.md', content: 'One.\n' })
  const more = await call('write', { action: 'append', id: 'b.md', content: 'Two.' })
  writeFileSync(join(folder, 'b.md'), 'Somebody else.\n')
  expect((await call('fetch', { id: 'b.md', at: made['operation'] }))['text']).toBe('One.\n')
  expect((await call('fetch', { id: 'b.md', at: more['operation'] }))['text']).toContain('Two.')
})

it('says what it cannot know, and what does not go together', async () => {
  const { call, folder } = await openTestBase({ 'tea.md': 'Tea.\n' })
  const refused = async (args: object, tool = 'fetch') => (await call(tool, args))['error']
  expect(await refused({ id: 'tea', at: '1999-01-01' })).toMatchObject({ code: 'not_found' })
  expect(await refused({ id: 'tea', at: 'abcdef0123' })).toMatchObject({ code: 'not_found' })
  expect(await refused({ id: 'tea', at: '20260101T000000-00000000' })).toMatchObject({
    code: 'not_found',
  })
  expect(await refused({ id: 'tea', at: 'one fine day' })).toMatchObject({ code: 'invalid' })
  expect(await refused({ id: 'none', at: '2026-01-01' })).toMatchObject({ code: 'not_found' })
  expect(await refused({ id: 'tea', at: 'now', include: ['links'] })).toMatchObject({
    code: 'invalid',
  })
  expect(await refused({ sentence: 'Tea.' }, 'history')).toMatchObject({ code: 'invalid' })
  expect(await refused({ id: 'tea', sentence: ' ' }, 'history')).toMatchObject({ code: 'invalid' })
  expect(await refused({ id: 'tea', sentence: 'a', by: 'b' }, 'history')).toMatchObject({
    code: 'invalid',
  })
  rmSync(join(folder, 'tea.md'))
  expect(await refused({ id: 'tea.md', at: '2026-01-01' })).toMatchObject({ code: 'not_found' })
})

it('keeps what was private then, and what the source leaves out', async () => {
  const docs = repository()
  const commit = (number: number) => {
    git(docs, ['add', '-f', '-A'])
    git(docs, ['commit', '-q', '-m', 'All'], day(number))
  }
  writeFileSync(join(docs, '.gitignore'), 'hidden.md\n')
  writeFileSync(join(docs, 'hidden.md'), 'Hidden.\n')
  writeFileSync(join(docs, 'plan.md'), '---\ncairn: private\n---\nA surprise.\n')
  commit(6)
  writeFileSync(join(docs, 'plan.md'), 'A party.\n')
  commit(7)
  const { call, sync } = await openTestBaseAt(docs)
  await sync()
  expect((await call('fetch', { id: 'plan', at: '2026-01-07' }))['text']).toBe('A party.\n')
  for (const id of ['plan', 'hidden.md', 'notes/hidden.md', '../docs/tea.md', '.git/config']) {
    const { error } = await call('fetch', { id, at: '2026-01-06' })
    expect([id, error?.code]).toEqual([id, expect.stringMatching(/not_found|invalid/)])
  }
  expect(await call('history', { id: 'plan', sentence: 'A surprise.' })).not.toHaveProperty(
    'commits',
  )
})

it('reads of git what was asked for, whatever it is called', async () => {
  const folder = temporaryFolder({ '*.md': 'star', 'ü [x].md': 'odd', '--all': 'option' })
  git(folder, ['init', '-q'])
  git(folder, ['add', '-A'])
  git(folder, ['commit', '-q', '-m', 'a'], day(1))
  const history = openFileHistory(folder)
  const held = async (path: string, wanted = { before: day(2).getTime() }) => {
    const bytes = (await history.versionAt(path, wanted))?.bytes
    return bytes && Buffer.from(bytes).toString()
  }
  expect(await held('*.md')).toBe('star')
  expect(await held('ü [x].md')).toBe('odd')
  expect(await held('--all')).toBe('option')
  expect(await held('*')).toBeUndefined()
  expect(await held('ü [x].md', { before: day(1).getTime() - 1 })).toBeUndefined()
  expect(await history.versionAt('ü [x].md', { commit: 'ffffffff' })).toBeUndefined()
  const tree = await history.treeAt(day(2).getTime())
  expect([...tree!.files.keys()].toSorted()).toEqual(['*.md', '--all', 'ü [x].md'])
  const contents = await history.contents([...tree!.files.values(), '0'.repeat(40), '--help'])
  expect([...contents.values()].map(String).toSorted()).toEqual(['odd', 'option', 'star'])
  expect(await openFileHistory(temporaryFolder({})).treeAt(Date.now())).toBeUndefined()
})
