/** Observations of notes, as Basic Memory writes them, and of entities. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listObservations } from '../../src/core/operations/reading/list-observations.ts'
import { findDocument } from '../../src/core/operations/reading/resolve-document.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = `AKIA${'ABCDEFGH'.repeat(2)}`
const NOTE = `# Storage

- [decision] Use SQLite #storage (because it is one file)
- [risk] The key is ${KEY}
- uses [[gone]]
- [ ] try it
`

it('are beside the relations of a note, in order, and in what a model reads', async () => {
  const { call, surface } = await openTestBase({ 'storage.md': NOTE, 'plain.md': '# Plain\n' })
  const asked = { id: 'storage', include: ['relations'] }
  const found = await call('fetch', asked)
  expect(found['observations']).toEqual([
    {
      category: 'decision',
      text: 'Use SQLite #storage',
      tags: ['storage'],
      context: 'because it is one file',
      line: 3,
    },
    { category: 'risk', text: 'The key is [masked AWS key]', line: 4 },
  ])
  expect(found['relations'].outgoing).toEqual([{ rel: 'uses', id: 'gone' }])
  const { texts } = await surface.call('fetch', asked, {
    signal: AbortSignal.timeout(9_000),
    progress: () => {},
  })
  expect(texts.join('\n')).toContain(
    'Observations:\n' +
      '3 [decision] Use SQLite #storage (because it is one file)\n' +
      '4 [risk] The key is [masked AWS key]',
  )
  for (const args of [{ id: 'plain', include: ['relations'] }, { id: 'storage' }]) {
    expect(await call('fetch', args)).not.toHaveProperty('observations')
  }
})

it('are those of the text as it is now', async () => {
  const { kb, folder } = await openTestBase({ 'storage.md': NOTE })
  const record = (await findDocument(kb, 'storage'))!
  writeFileSync(join(folder, 'storage.md'), '# Storage\n\n- [fact] Moved\n')
  expect(await listObservations(kb, record)).toEqual([{ category: 'fact', text: 'Moved', line: 3 }])
})

it('give the note their tags, and are no broken links', async () => {
  const { call } = await openTestBase({ 'storage.md': NOTE })
  const tagged = await call('search', { query: 'SQLite', tags: ['storage'] })
  expect(tagged['results'].map(({ id }: any) => id)).toEqual(['notes/storage.md'])
  const broken = await call('insights', { report: 'broken_links' })
  expect(broken['items']).toEqual([{ from: 'notes/storage.md', line: 5, target: 'gone' }])
  const fetched = await call('fetch', { id: 'storage', include: ['links'] })
  expect(fetched['metadata'].tags).toEqual(['storage'])
  expect(fetched['unresolved_links']).toEqual(['gone'])
})

it('of an entity are those of its line, and of what was merged into it', async () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const entity = (name: string, observations: readonly string[], more = {}) =>
    line({ type: 'entity', name, entityType: 'person', observations, ...more })
  const folder = temporaryFolder({
    'memory.jsonl':
      entity('Ada', ['a', 'Wrote notes\non engines', 'a']) +
      entity('Countess', ['Born in 1815', 'a'], { merged_into: 'Ada' }) +
      entity('Nobody', []),
  })
  const memory = { name: 'memory', path: join(folder, 'memory.jsonl'), kind: 'graph' as const }
  const { call } = await openTestBase({}, { more: [memory] })
  const ada = await call('fetch', { id: 'entity:Ada', include: ['relations'] })
  const lines = ada['text'].split('\n')
  expect(ada['observations'].map(({ text }: any) => text)).toEqual([
    'a',
    'Wrote notes\non engines',
    'Born in 1815',
  ])
  for (const { text, line: at } of ada['observations']) {
    expect(lines[at - 1]).toBe(text.split('\n')[0])
  }
  const nobody = await call('fetch', { id: 'entity:Nobody', include: ['relations'] })
  expect(nobody).not.toHaveProperty('observations')
})
