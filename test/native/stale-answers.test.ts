/** An index that cannot follow the files says so in every answer, with the reason. */
import { expect, it } from 'vitest'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase } from '../support/open-test-base.ts'

it('says that an answer may be out of date, and why', async () => {
  const { kb, call } = await openTestBase({ 'tea.md': 'Boil water.\n' })
  expect(await call('search', { query: 'water' })).not.toHaveProperty('indexing')
  const stuck = { ...kb.base, trouble: () => 'database or disk is full' }
  const surface = openNativeSurface(stuck, { version: '0.0.0', log: () => {} })
  const signal = new AbortController().signal
  const { structured } = await surface.call(
    'search',
    { query: 'water' },
    { signal, progress: () => {} },
  )
  expect(structured?.['results']).toHaveLength(1)
  expect(structured?.['indexing']).toContain('database or disk is full')
  expect(structured?.['indexing']).toContain('out of date')
})
