import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { viewFor } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { reportStale } from './report-stale.ts'

const NOW = Date.UTC(2026, 5, 1)

async function reasons(kb: View, now = NOW): Promise<readonly string[]> {
  const { items, total } = await reportStale(kb, { limit: 100 }, now)
  expect(items).toHaveLength(total)
  return items.map(({ record, reason }) => {
    const { kind, ...more } = reason ?? { kind: '-' }
    const told = Object.values(more).map((each) =>
      typeof each === 'number' ? new Date(each).toISOString() : each,
    )
    return [record.path, kind, ...told].join(' ')
  })
}

const front = (fields: string, text = 'Text.') => `---\n${fields}\n---\n${text}\n`

it('names why a note is out of date, and then the others by age', async () => {
  const { kb } = await openSmallBase({
    'new.md': front('updated: 2026-05-01', '- supersedes [[old]]'),
    'old.md': front('updated: 2026-04-01'),
    'plan.md': front('updated: 2026-03-01\nsuperseded_by: "[[new|the new one]]"'),
    'gone.md': front('updated: 2026-03-02\nsuperseded_by: elsewhere'),
    'offer.md': front('updated: 2026-05-02\nvalid_until: 2026-05-31'),
    'today.md': front('updated: 2024-01-01\nvalid_until: 2026-06-01'),
    'api.md': front('updated: 2026-05-03\nstatus: Deprecated'),
    'rules.md': front('updated: 2026-05-04\nreview_by: 2026-05-01'),
    'later.md': front('updated: 2025-01-01\nreview_by: 2026-07-01'),
    'plain.md': front('updated: 2023-01-01'),
  })
  expect(await reasons(kb)).toEqual([
    'plan.md superseded notes/new.md',
    'gone.md superseded elsewhere',
    'old.md superseded notes/new.md',
    'offer.md until 2026-06-01T00:00:00.000Z',
    'api.md status Deprecated',
    'rules.md review 2026-05-01T00:00:00.000Z',
    'plain.md -',
    'today.md -',
    'later.md -',
    'new.md -',
  ])
  // What is to come counts on its day, without a change to the base.
  const next = await reasons(kb, Date.UTC(2026, 6, 2))
  expect(next).toContain('today.md until 2026-06-02T00:00:00.000Z')
  expect(next).toContain('later.md review 2026-07-01T00:00:00.000Z')
})

it('shows every document once, however one pages', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 23 }, (_, n) => [
      `n${n}.md`,
      front(`updated: 2026-01-${String(n + 1).padStart(2, '0')}${n % 3 ? '' : '\nstatus: old'}`),
    ]),
  )
  for (const n of [2, 9, 21]) {
    files[`n${n}.md`] = front(
      `updated: 2026-01-${String(n + 1).padStart(2, '0')}\nstatus: obsolete`,
    )
  }
  const { kb } = await openSmallBase(files)
  const whole = (await reasons(kb)).map((each) => each.split(' ')[0])
  expect(whole.slice(0, 3)).toEqual(['n2.md', 'n9.md', 'n21.md'])
  expect(new Set(whole).size).toBe(23)
  for (const limit of [1, 2, 4, 7]) {
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await reportStale(kb, { limit, ...(cursor !== undefined && { cursor }) }, NOW)
      paged.push(...page.items.map(({ record }) => record.path))
      cursor = page.nextCursor
    } while (cursor !== undefined && paged.length < 50)
    expect(paged).toEqual(whole)
  }
})

it('tells of a file that changed after the note that names it', async () => {
  const { kb, folder, sync } = await openSmallBase({
    'how.md': front('updated: 2026-01-01', 'See [the table](data.csv).'),
    'fresh.md': front('updated: 2026-05-01', 'See [the table](data.csv) and [[how]].'),
    'data.csv': 'a,b\n1,2\n',
  })
  const at = new Date('2026-05-01T10:00:00Z')
  writeFileSync(join(folder, 'data.csv'), 'a,b\n1,20\n')
  utimesSync(join(folder, 'data.csv'), at, at)
  await sync()
  expect((await reasons(kb))[0]).toBe('how.md changed notes/data.csv 2026-05-01T10:00:00.000Z')
  expect((await reasons(kb)).filter((each) => each.includes(' changed '))).toHaveLength(1)
})

it('gives no reason that a caller may not see', async () => {
  const { base } = await openSmallBase({
    'a.md': front('updated: 2026-01-01'),
    'b.md': front('updated: 2026-02-01\nstatus: deprecated'),
    'secret/new.md': front('updated: 2026-05-01', '- supersedes [[a]]'),
  })
  const sees = ({ path }: { readonly path: string }) => !path.startsWith('secret/')
  expect(await reasons(viewFor(base, { principal: 'reader', may: ['read'], sees }))).toEqual([
    'b.md status deprecated',
    'a.md -',
  ])
})

it('ends with notes that supersede each other, and long claims are cut', async () => {
  const { kb } = await openSmallBase({
    'a.md': front('superseded_by: "[[b]]"\nvalid_until: 9999-12-31'),
    'b.md': front('superseded_by: "[[a]]"'),
    'c.md': front(`superseded_by: "${'x'.repeat(5_000)}"`),
  })
  const { items } = await reportStale(kb, {}, NOW)
  expect(items.map(({ reason }) => reason?.kind)).toEqual([
    'superseded',
    'superseded',
    'superseded',
  ])
  expect(JSON.stringify(items.map(({ reason }) => reason)).length).toBeLessThan(500)
})
