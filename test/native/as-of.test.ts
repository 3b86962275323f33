/** What `search` and `ask` say of a day that is over: by history, by git, and by what notes say of it. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import { git } from '../duskmantle/open-duskmantle.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))
/** Looks like one of GitHub, and is none. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`

/** Notes of a repository as they were on the first and the fifth of January 2026. */
async function openRepository() {
  const folder = temporaryFolder({
    'docs/tea.md': `# Tea\n\nThe house tea is oolong. ${TOKEN}\n`,
    'docs/kettle.md': '# Kettle\n\nThe kettle takes 2 litres.\n',
    'docs/samovar.md': '# Samovar\n\nThe samovar stands in the attic.\n',
    'docs/diary.md': '---\ncairn: private\n---\n# Diary\n\nThe secret teapot is cracked.\n',
  })
  const docs = join(folder, 'docs')
  const commit = (number: number) => {
    git(folder, ['add', '-A'])
    git(folder, ['commit', '-q', '-m', `On the ${number}.`], day(number))
  }
  git(folder, ['init', '-q'])
  commit(1)
  writeFileSync(join(docs, 'tea.md'), '# Tea\n\nThe house tea is sencha.\n')
  writeFileSync(join(docs, 'cups.md'), '# Cups\n\nCups of the house tea hold 200 ml.\n')
  writeFileSync(join(docs, 'diary.md'), '# Diary\n\nNothing happened with the teapot.\n')
  rmSync(join(docs, 'samovar.md'))
  commit(5)
  const base = await openTestBaseAt(docs)
  await base.sync()
  return base
}

const hitsOf = ({ results }: Record<string, any>): Record<string, string> =>
  Object.fromEntries(results.map(({ id, snippet }: any) => [id, snippet]))

it('finds notes as git has them, and none that came later or that nobody has now', async () => {
  const { call } = await openRepository()
  const then = hitsOf(await call('search', { query: 'house tea', as_of: '2026-01-02' }))
  expect(then['notes/tea.md']).toContain('oolong')
  expect(then['notes/tea.md']).not.toContain(TOKEN)
  expect(then['notes/cups.md']).toBeUndefined()
  // Which rule would have left a note out that only git has cannot be told.
  const gone = hitsOf(await call('search', { query: 'samovar attic', as_of: '2026-01-02' }))
  expect(gone['notes/samovar.md']).toBeUndefined()
  const now = hitsOf(await call('search', { query: 'house tea', as_of: '2026-01-05' }))
  expect(now['notes/tea.md']).toContain('sencha')
  expect(Object.keys(now)).toContain('notes/cups.md')
})

it('answers with quotes of then, and says which day is meant', async () => {
  const { call } = await openRepository()
  const { claims, note } = await call('ask', {
    question: 'What is the house tea?',
    as_of: '2026-01-02',
  })
  expect(claims[0].text).toContain('oolong')
  expect(note).toContain('As of 2026-01-02')
  const today = await call('ask', { question: 'What is the house tea?' })
  expect(today['claims'][0].text).toContain('sencha')
})

it('tells nothing that was private then', async () => {
  const { call } = await openRepository()
  const then = JSON.stringify(
    await call('search', { query: 'secret teapot cracked', as_of: '2026-01-02' }),
  )
  expect(then).not.toContain('cracked')
  expect(JSON.stringify(await call('search', { query: 'teapot' }))).toContain('Nothing happened')
})

it('finds what Cairn changed and deleted, without git', async () => {
  const base = await openTestBase({
    'plan.md': '# Plan\n\nThe launch is in March.\n',
    'venue.md': '# Venue\n\nThe venue of the launch is the harbour.\n',
  })
  for (const name of ['plan.md', 'venue.md']) utimesSync(join(base.folder, name), day(1), day(1))
  await base.sync()
  await base.call('write', { action: 'find_replace', id: 'plan', find: 'March', replace: 'June' })
  await base.call('delete', { id: 'venue' })
  await base.call('write', { action: 'create', id: 'late.md', content: 'The launch is late.' })
  const then = hitsOf(await base.call('search', { query: 'launch', as_of: '2026-01-02' }))
  expect(Object.keys(then).toSorted()).toEqual(['notes/plan.md', 'notes/venue.md'])
  expect(then['notes/plan.md']).toContain('March')
  expect(hitsOf(await base.call('search', { query: 'launch' }))['notes/plan.md']).toContain('June')
})

it('finds what was moved since once, under the name that it has now', async () => {
  const base = await openTestBase({ 'plan.md': '# Plan\n\nThe launch is in March.\n' })
  utimesSync(join(base.folder, 'plan.md'), day(1), day(1))
  await base.sync()
  await base.call('write', { action: 'find_replace', id: 'plan', find: 'March', replace: 'June' })
  await base.call('write', { action: 'move', id: 'plan', to: 'done/plan.md' })
  const { results } = await base.call('search', { query: 'launch', as_of: '2026-01-02' })
  expect(results.map(({ id }: any) => id)).toEqual(['notes/done/plan.md'])
  expect(results[0].snippet).toContain('March')
})

it('goes by what notes say of their own time, where no history knows', async () => {
  const dated = (at: string, text: string) => `---\ndate: ${at}\n---\n${text}\n`
  const { call } = await openTestBase({
    'a.md': dated('2024-03-01', 'The office of the team is in Ulm.'),
    'b.md': dated('2026-03-01', 'The office of the team is in Bonn.'),
  })
  const then = await call('search', { query: 'office of the team', as_of: '2025' })
  expect(Object.keys(hitsOf(then))).toEqual(['notes/a.md'])
  expect(then['note']).toContain('not known')
})

it('refuses what it cannot tell, and whom it may not tell', async () => {
  const { call, surface } = await openRepository()
  const refused = async (args: object, caller?: Caller) => {
    const context = { signal: new AbortController().signal, progress: () => {}, caller }
    return JSON.stringify(await surface.call('search', { query: 'tea', ...args }, context as never))
  }
  expect(await refused({ as_of: 'long ago' })).toContain('"invalid"')
  expect(await refused({ as_of: '2026-01-02', match: 'regex' })).toContain('words alone')
  expect(await refused({ as_of: '2026-01-02', in: 'symbols' })).toContain('words alone')
  expect(await refused({ as_of: '2026-01-02' }, { principal: 'ada', may: ['read'] })).toContain(
    'those who may change them',
  )
  const { note } = await call('search', { query: 'tea', as_of: '1000' })
  expect(note).toContain('not known')
})

it('reads the history once, however many notes have changed, and ends when nobody waits', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `tea-${at}.md`)
  const base = await openTestBase(Object.fromEntries(names.map((name) => [name, 'A green tea.\n'])))
  for (const name of names) utimesSync(join(base.folder, name), day(1), day(1))
  await base.sync()
  for (const id of names) {
    await base.call('write', { action: 'find_replace', id, find: 'green', replace: 'black' })
  }
  const { history } = base.kb.writing!
  const walks = vi.spyOn(history, 'each')
  const then = hitsOf(await base.call('search', { query: 'tea', as_of: '2026-01-02', limit: 20 }))
  expect(Object.values(then).every((each) => each.includes('green'))).toBe(true)
  expect(Object.keys(then)).toHaveLength(names.length)
  expect(walks).toHaveBeenCalledTimes(1)
  const gone = new AbortController()
  walks.mockImplementationOnce(async (visit) => {
    gone.abort(new Error('nobody waits'))
    await history.each(visit)
  })
  const context = { signal: gone.signal, progress: () => {} }
  const asked = base.surface.call('search', { query: 'tea', as_of: '2026-01-02' }, context as never)
  const read = vi.spyOn(history, 'changesOf')
  await asked.catch(() => {})
  expect(read).not.toHaveBeenCalled()
})

it('asks git once for what many notes held', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `tea-${at}.md`)
  const folder = temporaryFolder(
    Object.fromEntries(names.map((name) => [`docs/${name}`, `The tea ${name} is green.\n`])),
  )
  const docs = join(folder, 'docs')
  git(folder, ['init', '-q'])
  git(folder, ['add', '-A'])
  git(folder, ['commit', '-q', '-m', 'First'], day(1))
  for (const name of names) writeFileSync(join(docs, name), `The tea ${name} is black.\n`)
  const { kb, call, sync } = await openTestBaseAt(docs)
  await sync()
  const history = await kb.base.fileHistoryOf!('notes')
  const asked = vi.spyOn(history!, 'contents')
  vi.spyOn(kb.base, 'fileHistoryOf').mockResolvedValue(history)
  const then = hitsOf(await call('search', { query: 'tea', as_of: '2026-01-02', limit: 50 }))
  expect(Object.values(then).filter((each) => each.includes('green'))).toHaveLength(names.length)
  expect(asked).toHaveBeenCalledTimes(1)
})
