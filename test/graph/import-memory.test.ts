/** A memory server's file, brought into a graph by the command that users type. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importMemoryFile } from '../../src/keep/moving/import-memory.ts'
import type { SourceConfig } from '../../src/serve/config/config.ts'
import { openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** As `@modelcontextprotocol/server-memory` writes it: no newline at the end. */
const MEMORY = [
  {
    type: 'entity',
    name: 'Ada_Lovelace',
    entityType: 'person',
    observations: ['Wrote notes', '喜欢数学'],
  },
  { type: 'entity', name: 'Analytical Engine', entityType: 'machine', observations: [] },
  { type: 'relation', from: 'Ada_Lovelace', to: 'Analytical Engine', relationType: 'programmed' },
  { type: 'relation', from: 'Ada_Lovelace', to: 'Nobody', relationType: 'met' },
]
  .map((line) => JSON.stringify(line))
  .join('\n')

function setUp(kind: SourceConfig['kind'], more: Record<string, string> = {}) {
  const folder = temporaryFolder({ 'a.md': 'Read [[Ada_Lovelace]].\n', 'm.jsonl': MEMORY, ...more })
  const source = { name: 'notes', path: folder, include: [], exclude: [], hidden: false, kind }
  return { folder, file: join(folder, 'm.jsonl'), config: { sources: [source], readOnly: false } }
}

it('keeps ids, observations and relations, and can be repeated', async () => {
  const { folder, file, config } = setUp('both')
  const dry = await importMemoryFile(config, file, { dryRun: true })
  expect(dry).toMatchObject({ entities: { added: 2, existing: 0 }, relations: { added: 2 } })
  expect(existsSync(join(folder, 'knowledge'))).toBe(false)
  expect(existsSync(join(folder, '.cairn'))).toBe(false)
  expect(await importMemoryFile(config, file, {})).toMatchObject({
    source: 'notes',
    entities: { added: 2, existing: 0 },
    relations: { added: 2, existing: 0 },
    refused: [],
  })
  const people = readFileSync(join(folder, 'knowledge/entities/people.jsonl'), 'utf8')
  expect(JSON.parse(people)).toMatchObject({
    id: 'Ada_Lovelace',
    type: 'person',
    desc: 'Wrote notes\n喜欢数学',
    observations: ['Wrote notes', '喜欢数学'],
  })
  expect(await importMemoryFile(config, file, {})).toMatchObject({
    entities: { added: 0, existing: 2 },
    relations: { added: 0, existing: 2 },
    existingIds: ['Ada_Lovelace', 'Analytical Engine'],
  })
  expect(readFileSync(join(folder, 'knowledge/entities/people.jsonl'), 'utf8')).toBe(people)

  const base = await openTestBaseAt(folder, { kind: 'both' })
  await base.sync()
  const { neighbors } = await base.call('neighbors', { id: 'entity:Ada_Lovelace' })
  expect(neighbors).toMatchObject([
    { id: 'entity:Analytical Engine', types: ['RELATES:programmed'] },
    { id: 'notes/a.md', types: ['LINKS_TO'] },
  ])
  expect((await base.call('search', { query: '数学' }))['results'][0].id).toBe(
    'entity:Ada_Lovelace',
  )
})

it('takes what a model wrote at length, and what others keep besides', async () => {
  const { folder, file, config } = setUp('both')
  const phrase = `${'is mentioned together with '.repeat(4)}it`
  const entity = {
    type: 'entity',
    name: 'diary',
    entityType: 'log',
    observations: Array.from({ length: 3_000 }, (_, day) => `Day ${day}: ${'much '.repeat(10)}`),
    tags: ['daily'],
    updated_at: '2026-02-14',
  }
  const relation = { type: 'relation', from: 'diary', to: 'diary', relationType: phrase }
  writeFileSync(file, [entity, relation].map((line) => JSON.stringify(line)).join('\n'))
  expect(await importMemoryFile(config, file, {})).toMatchObject({
    entities: { added: 1 },
    relations: { added: 1 },
    refused: [],
  })
  const line = readFileSync(join(folder, 'knowledge/entities/concepts.jsonl'), 'utf8')
  expect(JSON.parse(line)).toMatchObject({ tags: ['daily'], updated_at: '2026-02-14' })
})

it('goes on after what it cannot bring in, and says what that was', async () => {
  const { file, config } = setUp('both')
  const long = { type: 'entity', name: 'x'.repeat(600), entityType: 'y', observations: ['z'] }
  writeFileSync(file, `${JSON.stringify(long)}\nnot json\n${MEMORY}`)
  const report = await importMemoryFile(config, file, {})
  expect(report.entities.added).toBe(2)
  expect(report.refused).toHaveLength(2)
  expect(report.refused.join('\n').length).toBeLessThan(1_000)
})

it('makes a graph only when asked, and needs to know where', async () => {
  const { folder, file, config } = setUp(undefined)
  await expect(importMemoryFile(config, file, {})).rejects.toThrow('no graph')
  await expect(importMemoryFile(config, file, { into: 'notes' })).rejects.toThrow('no graph')
  await expect(importMemoryFile(config, file, { into: 'x' })).rejects.toThrow('no source')
  await expect(
    importMemoryFile({ ...config, readOnly: true }, file, { create: true }),
  ).rejects.toThrow('reading only')
  await expect(importMemoryFile(config, join(folder, 'a.md'), { create: true })).rejects.toThrow(
    'no entity',
  )
  await expect(importMemoryFile(config, join(folder, 'x'), { create: true })).rejects.toThrow(
    'cannot be read',
  )
  expect(existsSync(join(folder, 'knowledge'))).toBe(false)
  expect(await importMemoryFile(config, file, { create: true })).toMatchObject({
    entities: { added: 2 },
  })
})
