/** Who keeps the index in a file loads nothing of PostgreSQL. */
import { expect, it } from 'vitest'
import { loadedBy } from '../support/loaded-by.ts'

const OF_POSTGRES = /\/node_modules\/pg[a-z-]*\/|\/store\/postgres\//

it('loads the driver for an address, and nothing of it for a file', { timeout: 600_000 }, () => {
  const embedded = loadedBy(['index'])
  expect(embedded.filter((url) => url.includes('/store/sqlite/')).length).toBeGreaterThan(5)
  expect(embedded.filter((url) => OF_POSTGRES.test(url))).toEqual([])
  // Nobody listens there: it is loaded and finds nobody.
  const named = loadedBy(['index', '--store', 'postgres://nobody@127.0.0.1:9/none'])
  expect(named.filter((url) => OF_POSTGRES.test(url)).length).toBeGreaterThan(5)
})
