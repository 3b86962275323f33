/** Of two sentences without a day, history knows which came later. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { git } from '../duskmantle/open-duskmantle.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OLD = '# Monday\n\nThe deadline of the Falcon rollout is 12 March 2026.\n'
const NEW =
  '# Thursday\n\nThe deadline of the Falcon rollout is 20 March 2026.\n\nThere was cake, too.\n'
const ASKED = { query: 'What is the deadline of the Falcon rollout?' }

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

async function openRepository(days: readonly [number, number]) {
  const folder = temporaryFolder({ 'tea.md': '# Tea\n' })
  git(folder, ['init', '-q'])
  for (const [at, file] of (['a.md', 'b.md'] as const).entries()) {
    writeFileSync(join(folder, file), at === 0 ? OLD : NEW)
    if (at === 0 && days[0] === days[1]) continue
    git(folder, ['add', '-A'])
    git(folder, ['commit', '-q', '-m', file], day(days[at]!))
  }
  const base = await openTestBaseAt(folder)
  await base.sync()
  return base
}

const order = ({ results }: Record<string, any>): readonly unknown[] =>
  results.slice(0, 2).map(({ id, earlier }: any) => [id, earlier])

it('the later commit stands first, and the day of the earlier is told', async () => {
  const { call } = await openRepository([3, 9])
  expect(order(await call('search', ASKED))).toEqual([
    ['notes/b.md', undefined],
    ['notes/a.md', '2026-01-03'],
  ])
})

it('nothing moves where both came in one commit', async () => {
  const { call } = await openRepository([3, 3])
  expect(order(await call('search', ASKED))).toEqual([
    ['notes/a.md', undefined],
    ['notes/b.md', undefined],
  ])
})

it('what Cairn wrote later stands first', async () => {
  const { call } = await openTestBase({ 'tea.md': '# Tea\n' })
  await call('write', { action: 'create', id: 'notes/a.md', content: OLD })
  await call('write', { action: 'create', id: 'notes/b.md', content: NEW })
  const [first, second] = order(await call('search', ASKED)) as [unknown[], unknown[]]
  expect([first[0], second[0]]).toEqual(['notes/b.md', 'notes/a.md'])
})

it('says nothing of the past to those who may only read', async () => {
  const { surface, call } = await openRepository([3, 9])
  const context = { signal: new AbortController().signal, progress: () => {} }
  // Not what was told to somebody else before, either.
  await call('search', ASKED)
  const caller = { principal: 'reader', may: ['read'] }
  const reply = await surface.call('search', ASKED, { ...context, caller } as never)
  expect(order(JSON.parse(JSON.stringify(reply.structured)))).toEqual([
    ['notes/a.md', undefined],
    ['notes/b.md', undefined],
  ])
})
