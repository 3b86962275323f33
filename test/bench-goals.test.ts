import { afterEach, expect, it, vi } from 'vitest'
import { goal, GOALS, goalTable, splitGoals } from '../bench/goals.ts'
import { GATHERING } from '../bench/harness.ts'

afterEach(() => vi.unstubAllEnvs())

/** What each row says of its goal, by what the row is about. */
function verdicts(reached: Parameters<typeof goalTable>[0]): ReadonlyMap<string, string> {
  const rows = goalTable(reached).split('\n').slice(2)
  return new Map(
    rows.map((row) => {
      const cells = row.split('|').map((cell) => cell.trim())
      return [cells[1]!, cells.at(-3)!]
    }),
  )
}

it('says of every goal whether it is met, or by how much not', () => {
  const found = verdicts([
    { key: 'warmStart', now: 120 },
    { key: 'disk', now: 67 },
    { key: 'shell', now: 450 },
    { key: 'tenWords', now: 120 },
    { key: 'phrase', now: 1.5 },
    { key: 'httpNew', now: 30 },
  ])
  const of = (key: keyof typeof GOALS): string | undefined => found.get(GOALS[key].what)
  expect(found.size).toBe(Object.keys(GOALS).length)
  expect([of('warmStart'), of('disk'), of('shell')]).toEqual([
    'met, aim too',
    'met',
    'not met, by 50 %',
  ])
  expect([of('tenWords'), of('phrase'), of('httpNew')]).toEqual([
    'met, aim too',
    'met',
    'not met, by 25 %',
  ])
  expect(of('firstEdit')).toBe('not measured (`npm run bench -- large`)')
})

it('takes what was measured out of what a benchmark prints', () => {
  vi.stubEnv(GATHERING, '1')
  const written: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  goal('disk', 70, 'the same')
  goal('shell', NaN)
  write.mockRestore()
  const { text, reached } = splitGoals(`## Server\n${written.join('')}done\n`)
  expect(text).toBe('## Server\ndone\n')
  expect(reached).toEqual([{ key: 'disk', now: 70, processor: 'the same' }])
})
