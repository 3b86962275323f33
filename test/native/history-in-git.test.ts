/** The history of a note goes on into git, where there is one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCommits } from '../../src/core/sources/git/read-commits.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { listHistory } from '../../src/core/operations/writing/list-history.ts'
import { git } from '../duskmantle/open-duskmantle.ts'
import { openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Looks like one of GitHub, and is none. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

/** `docs/tea.md` in three commits of Ada, the second of which is about another note alone. */
function repository(): string {
  const folder = temporaryFolder({ 'docs/tea.md': 'Tea.\n', 'docs/cup.md': 'Cup.\n' })
  const commit = (number: number, message: string) => {
    git(folder, ['add', '-A'])
    git(folder, ['commit', '-q', '-m', message], day(number))
  }
  git(folder, ['init', '-q'])
  commit(1, 'Begin\n\nAt length.')
  writeFileSync(join(folder, 'docs/cup.md'), 'A cup.\n')
  commit(2, 'Describe the cup')
  writeFileSync(join(folder, 'docs/tea.md'), 'Green tea.\n')
  commit(3, `Say which tea; ${TOKEN}`)
  return folder
}

async function openBase(folder = join(repository(), 'docs')) {
  const base = await openTestBaseAt(folder)
  await base.sync()
  return base
}

it('tells who committed a note, when and why, after what was changed here', async () => {
  const { call } = await openBase()
  await call('write', { action: 'append', id: 'tea', content: 'Hot.' })
  const { operations, commits } = await call('history', { id: 'tea' })
  expect(operations).toMatchObject([{ action: 'append', documents: ['notes/tea.md'] }])
  expect(commits.map(({ at, author, message }: any) => [at, author, message])).toEqual([
    ['2026-01-03T00:00:00.000Z', 'Ada', expect.stringMatching(/^Say which tea; /)],
    ['2026-01-01T00:00:00.000Z', 'Ada', 'Begin'],
  ])
  expect(commits[0].message).not.toContain(TOKEN)
  // What somebody asks of all documents, or of a client, is about Cairn's own changes.
  expect(await call('history', {})).not.toHaveProperty('commits')
  expect(await call('history', { id: 'tea', by: 'test' })).not.toHaveProperty('commits')
  const late = await call('history', { id: 'tea', since: '2026-01-02T00:00:00Z' })
  expect(late['commits']).toHaveLength(1)
})

it('pages through both as one list', async () => {
  const { call } = await openBase()
  await call('write', { action: 'append', id: 'tea', content: 'Hot.' })
  await call('write', { action: 'append', id: 'tea', content: 'Sweet.' })
  for (const limit of [1, 2, 3]) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await call('history', { id: 'tea', limit, ...(cursor && { cursor }) })
      const { operations = [], commits = [] } = page as any
      expect(operations.length + commits.length).toBeLessThanOrEqual(limit)
      for (const { action } of operations) seen.push(action)
      for (const { at } of commits) seen.push(at.slice(0, 10))
      cursor = page['next_cursor'] as string | undefined
    } while (cursor !== undefined && seen.length < 20)
    expect(seen).toEqual(['append', 'append', '2026-01-03', '2026-01-01'])
  }
})

it('tells nothing of commits to whoever sees a part of the base', async () => {
  const { base, kb } = await openBase()
  expect((await listHistory(kb, { id: 'tea' })).commits).toHaveLength(2)
  const sees = ({ path }: { readonly path: string }) => path !== 'cup.md'
  const part = viewFor(base, { principal: 'reader', may: ['read', 'write'], sees })
  expect((await listHistory(part, { id: 'tea' })).commits).toEqual([])
})

it('has none without git, and of a note that was never committed', async () => {
  const plain = await openBase(temporaryFolder({ 'tea.md': 'Tea.\n' }))
  expect(await plain.call('history', { id: 'tea' })).not.toHaveProperty('commits')
  const { call } = await openBase()
  await call('write', { action: 'create', id: 'new.md', content: 'New.' })
  expect(await call('history', { id: 'new' })).not.toHaveProperty('commits')
})

it('takes paths as they are, and messages of any kind', async () => {
  const folder = temporaryFolder({ '*.md': 'a', 'b.md': 'b', 'ü [x].md': 'c' })
  git(folder, ['init', '-q'])
  git(folder, ['add', 'b.md'])
  git(folder, ['commit', '-q', '-m', 'b'], day(1))
  git(folder, ['add', '-A'])
  writeFileSync(join(folder, '.git/message'), `\u001b[31m${'long '.repeat(10_000)}`)
  git(folder, ['commit', '-q', '--cleanup=verbatim', '-F', '.git/message'], day(2))
  const page = { skip: 0, limit: 9 }
  expect(await readCommits(folder, '*.md', page)).toHaveLength(1)
  const [odd] = await readCommits(folder, 'ü [x].md', page)
  expect(odd!.message.length).toBeLessThanOrEqual(300)
  expect(odd!.message).not.toContain('\u001b')
  expect(await readCommits(folder, '--all', page)).toEqual([])
  expect(await readCommits(folder, 'b.md', { skip: 1, limit: 9 })).toEqual([])
})
