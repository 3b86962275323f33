/** What a dry run has shown is what is done, or nothing: moves, deletions and several edits at once. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

const FILES = {
  'tea.md': '# Tea\n',
  'mug.md': 'For [[tea]].\n',
  'pot.md': 'For [Tea](tea.md).\n',
}

it.each([
  ['write', { action: 'move', id: 'tea', to: 'drinks/cha.md' }, 'drinks/cha.md', true],
  ['delete', { id: 'tea' }, 'tea.md', false],
  [
    'write',
    {
      edits: [{ action: 'create', id: 'new.md', content: 'x' }, appending('tea'), appending('pot')],
    },
    'new.md',
    true,
  ],
])('%s %j', async (tool, args, path, isThere) => {
  const { folder, call } = await openTestBase(FILES)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const texts = (): string[] => Object.keys(FILES).map((name) => read(name))
  const dry = await call(tool, { ...args, dry_run: true })
  expect(dry['plan']).toMatch(/^[0-9a-f]{16}$/)
  expect((await call(tool, { ...args, dry_run: true }))['plan']).toBe(dry['plan'])
  const refused = async (plan: string): Promise<void> => {
    const before = texts()
    const { error } = await call(tool, { ...args, if_plan: plan })
    expect(error).toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('Nothing was changed'),
    })
    expect([texts(), existsSync(join(folder, path))]).toEqual([before, !isThere])
  }
  await refused('nonsense')
  // Another change of what it would touch, or one more link that it would break or mend.
  await call('write', { action: 'append', id: 'pot', content: 'And [[tea]].' })
  await refused(dry['plan'])
  const again = await call(tool, { ...args, dry_run: true })
  // By another program, whom nobody has told of this.
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nGreen.\n')
  await refused(again['plan'])
  const shown = await call(tool, { ...args, dry_run: true })
  const done = await call(tool, { ...args, if_plan: shown['plan'] })
  expect(done['plan']).toBeUndefined()
  expect(existsSync(join(folder, path))).toBe(isThere)
  const { diff } = await call('history', { action: 'diff', id: done['operation'] })
  if (shown['diff'] !== undefined) expect(diff).toBe(shown['diff'])
})

function appending(id: string) {
  return { action: 'append', id, content: 'More.' }
}
