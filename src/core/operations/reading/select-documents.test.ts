/** What is sifted is in the order in which the store lists it, for everybody who asks. */
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import { listDocuments } from './list-documents.ts'

const TITLES = ['beta', 'Alpha', 'ALPHA', 'Äther', 'beta', 'Zebra', 'zebra 2', '_low']

it('puts what a condition leaves into the order of the store, for several at once', async () => {
  const notes = TITLES.map((title, n): [string, string] => {
    const days = { created: `2026-01-0${1 + (n % 4)}`, updated: `2026-02-0${1 + ((n * 5) % 7)}` }
    const dates = n === 3 ? '' : `created: ${days.created}\nupdated: ${days.updated}\n`
    return [`${n % 2 ? 'a' : 'b'}/${n}.md`, `---\ntitle: ${title}\nkept: ${n < 7}\n${dates}---\n`]
  })
  const { kb } = await openSmallBase(Object.fromEntries(notes))
  const sorts = ['path', 'title', 'updated', 'created', 'stale'] as const
  const pathsOf = async (options: Parameters<typeof listDocuments>[1]): Promise<string[]> =>
    (await listDocuments(kb, options)).documents.map(({ path }) => path)
  const listed = await Promise.all(sorts.map((sort) => pathsOf({ sort })))
  const sifted = await Promise.all(sorts.map((sort) => pathsOf({ sort, where: 'kept = true' })))
  expect(sifted).toEqual(listed.map((paths) => paths.filter((path) => path !== 'a/7.md')))
  expect(new Set(sifted.map((paths) => paths.join(' '))).size).toBe(sorts.length)
})
