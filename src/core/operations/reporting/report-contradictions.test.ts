import { afterEach, expect, it, vi } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { reportContradictions } from './report-contradictions.ts'

afterEach(() => void vi.useRealTimers())

async function found(files: Readonly<Record<string, string>>) {
  const { kb } = await openSmallBase(files)
  const { items, total } = await reportContradictions(kb, { limit: 100 })
  expect(items).toHaveLength(total)
  return items.map(({ differs, sides, newer }) =>
    [differs, ...sides.map(({ record, line }) => `${record.path}:${line}`), newer ?? '-'].join(' '),
  )
}

const dated = (day: string, text: string) => `---\ndate: ${day}\n---\n${text}\n`

it('names pairs that differ in one value, the earlier first', async () => {
  const rows = await found({
    'limits.md': dated('2026-03-01', '# Limits\n\nUploads of customers may take 20 MB at most.'),
    'old.md': dated('2024-03-01', '# Start\n\nUploads of customers may take 10 MB at most.'),
    'cache.md': 'The reverse proxy caches all answers of the public API.',
    'proxy.md': 'The reverse proxy does not cache all answers of the public API.',
    'days.md': 'The release train of the platform team leaves on Monday.',
    'train.md': 'The release train of the platform team leaves on Thursday.',
  })
  expect(rows.toSorted()).toEqual([
    'choice days.md:1 train.md:1 -',
    'number old.md:6 limits.md:6 notes/limits.md',
    'polarity cache.md:1 proxy.md:1 -',
  ])
})

it('says nothing of what is about two things, over, or a list', async () => {
  const item = (n: number) => `- Covering colleagues receive ${n} % of the bonus for closed deals`
  const rows = await found({
    // Few words are about what their titles are about.
    'a.md': '# Apollo\n\nDeadline: in 5 days',
    'b.md': '# Zeus\n\nDeadline: in 9 days',
    // Titles of one kind.
    'parental.md': '# Parental leave\n\nTell the people team when you extend it past 16 weeks.',
    'sick.md': '# Sick leave\n\nTell the people team when you extend it past 4 weeks.',
    // A document that says it in several ways lists something.
    'list.md': `${item(100)}\n${item(80)}\n`,
    'other.md': `${item(40)}\n`,
    // Over, by its own word.
    'over.md': '---\nsuperseded_by: "[[now]]"\n---\nUploads of customers may take 10 MB at most.',
    'now.md': 'Uploads of customers may take 20 MB at most.',
    // Of its own number.
    'release-5.1.md': '# Release 5.1\n\nNo known weaknesses are in version 5.1 of the server.',
    'release-5.2.md': '# Release 5.2\n\nNo known weaknesses are in version 5.2 of the server.',
  })
  expect(rows).toEqual([])
})

it.each([
  ['Standup 2026-01-05', 'Standup 2026-02-07'],
  ['Review January 2026', 'Review February 2026'],
  ['2026-01-05', '2026-02-07'],
])('compares notes of two days, such as %s', async (one, other) => {
  const said = (n: number) => `The backup of the billing server keeps ${n} copies of it.`
  const files = {
    'a.md': dated('2026-01-05', `# ${one}\n\n${said(7)}`),
    'b.md': dated('2026-02-07', `# ${other}\n\n${said(14)}`),
    // Few words are about the day.
    'c.md': `# ${one}\n\nPeople there: 7`,
    'd.md': `# ${other}\n\nPeople there: 9`,
  }
  expect(await found(files)).toEqual(['number a.md:6 b.md:6 notes/b.md'])
})

it('compares what notes say of themselves under one title only', async () => {
  const both = (a: string, b: string, title = 'Server') => ({
    'a.md': `# Client\n\n${a}`,
    'b.md': `# ${title}\n\n${b}`,
  })
  const release = (n: string) => `Reading of long lists wants Kite version ${n} or later.`
  const task = (n: number) => `Still to be done by the team: push migration ${n}.`
  expect(await found(both(release('1.14'), release('1.27')))).toEqual([])
  expect(await found(both(release('1.14'), release('1.27'), 'Client'))).toHaveLength(1)
  expect(await found(both(task(195), task(455)))).toEqual([])
  expect(await found(both(task(195), task(455), 'Client'))).toHaveLength(1)
  // Notes with more sentences in common are made from one another.
  const made = (n: number) =>
    `Every request of a customer has a line in the log.\n\nUploads of customers may take ${n} MB at most.`
  expect(await found(both(made(10), made(20)))).toEqual([])
  expect(await found(both(made(10), made(20), 'Client'))).toHaveLength(1)
})

it('finds few words under one title', async () => {
  const rows = await found({
    'a.md': '# Vulnerabilities\n\nCritical: 3 days',
    'b.md': '# Security\n\n## Vulnerabilities\n\nCritical: 1 day',
  })
  expect(rows).toEqual(['number a.md:3 b.md:5 -'])
})

it('leaves out what somebody says is true of both', async () => {
  const says = (text: string, front = '') =>
    `${front}The free plan of the service has ${text} seats.\n`
  expect(await found({ 'a.md': says('3'), 'b.md': says('5') })).toHaveLength(1)
  const ticked = says('5', '---\ndiffers_from: "[[a]]"\n---\n')
  expect(await found({ 'a.md': says('3'), 'b.md': ticked })).toEqual([])
})

it('gives the edits that a person chooses from, where a file can be changed', async () => {
  const { kb } = await openSmallBase({
    'plans/a.md': dated('2024-01-01', 'The free plan of the service has 3 seats.'),
    'b.md': dated('2026-01-01', 'The free plan of the service has 5 seats.'),
  })
  const { items } = await reportContradictions(kb)
  const [{ edits }] = items as [(typeof items)[number]]
  expect(edits).toEqual({
    bothTrue: {
      action: 'set_metadata',
      id: 'notes/plans/a.md',
      metadata: { differs_from: '[[b]]' },
    },
    old: [{ action: 'set_metadata', id: 'notes/plans/a.md', metadata: { superseded_by: '[[b]]' } }],
    merge: [
      {
        action: 'find_replace',
        id: 'notes/plans/a.md',
        find: 'The free plan of the service has 3 seats.',
        replace: 'The free plan of the service has 5 seats.',
      },
    ],
  })
})

it('is bounded by what a note says a thousand times, and by circles', async () => {
  const lines = (from: number) =>
    Array.from({ length: 1_000 }, (_, n) => `- The limit of the service is ${from + n} MB a day.`)
  const circle = (to: string) =>
    `---\nsuperseded_by: "[[${to}]]"\nvalid_until: 9999\n---\nThe free plan of it has ${to.length} seats.\n`
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `n${n}.md`,
      `The yearly budget of the team is ${n} euros.`,
    ]),
  )
  const rows = await found({
    'a.md': lines(0).join('\n'),
    'b.md': lines(5_000).join('\n'),
    'c.md': circle('dd'),
    'dd.md': circle('c'),
    'e.md': circle('e'),
    ...many,
  })
  expect(rows).toEqual([])
})

it('no longer counts a note on the day after its last, though nothing has changed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.UTC(2026, 2, 1))
  const { kb } = await openSmallBase({
    'a.md': '---\nvalid_until: 2026-03-10\n---\nUploads of customers may take 10 MB at most.',
    'b.md': 'Uploads of customers may take 20 MB at most.',
  })
  expect((await reportContradictions(kb)).total).toBe(1)
  vi.setSystemTime(Date.UTC(2026, 2, 10, 12))
  expect((await reportContradictions(kb)).total).toBe(1)
  vi.setSystemTime(Date.UTC(2026, 2, 11))
  const both = await Promise.all([reportContradictions(kb), reportContradictions(kb)])
  expect(both.at(-1)?.total).toBe(0)
  expect((await reportContradictions(kb)).total).toBe(0)
})
