import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { indexFile, openStore } from './stores.ts'

const NOTES = { name: 'notes', path: '/notes' }

it('has an index for every choice of sources and rules, and the usual one for the usual', () => {
  const file = (...sources: Parameters<typeof indexFile>[0]['sources']) =>
    indexFile({ state: '/state', sources }).slice('/state/'.length)
  expect([file(), file(NOTES), file({ ...NOTES, exclude: [], hidden: false })]).toEqual([
    'index.db',
    'index.db',
    'index.db',
  ])
  const others = [
    file({ ...NOTES, exclude: ['private/**'] }),
    file({ ...NOTES, exclude: ['private/*'] }),
    file({ ...NOTES, include: ['private/**'] }),
    file({ ...NOTES, hidden: true }),
    file({ ...NOTES, heedsIgnoreFiles: false }),
    file({ ...NOTES, kind: 'both' }),
    file(NOTES, { name: 'docs', path: '/docs' }),
    file(NOTES, { name: 'docs', path: '/other' }),
  ]
  for (const name of others) expect(name).toMatch(/^index-[0-9a-f]{8}\.db$/)
  expect(new Set(others).size).toBe(others.length)
  const small = indexFile({ state: '/state', sources: [NOTES], maxFileBytes: 5 })
  expect(small).not.toBe('/state/index.db')
})

it('gives the same folder under a second name an index of its own', async () => {
  const [state, path] = [temporaryFolder(), temporaryFolder()]
  const { store } = await openStore({ state, sources: [{ name: 'notes', path }] })
  await store.close()
  expect(indexFile({ state, sources: [{ name: 'notes', path }] })).toBe(join(state, 'index.db'))
  expect(indexFile({ state, sources: [{ name: 'work', path }] })).not.toBe(join(state, 'index.db'))
})

it('forgets an index that nobody has used for a month', async () => {
  const state = temporaryFolder()
  const old = Date.now() / 1000 - 31 * 24 * 3_600
  for (const name of ['index-00000000.db', 'index-00000000.db-wal', 'index-11111111.db']) {
    writeFileSync(join(state, name), '')
    if (name.includes('0000')) utimesSync(join(state, name), old, old)
  }
  const { store } = await openStore({ state, sources: [] })
  await store.close()
  expect(readdirSync(state).filter((name) => name.startsWith('index-'))).toEqual([
    'index-11111111.db',
  ])
})
