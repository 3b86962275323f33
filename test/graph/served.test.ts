/** A graph beside notes, served by the built program to a client over stdio. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runCairn } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { openSession } from '../support/stdio-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const line = (value: object) => `${JSON.stringify(value)}\n`

it('follows lines that others append, and finds what relate adds at once', async () => {
  const folder = temporaryFolder({
    'start.md': 'See [[gauge]].\n',
    'knowledge/entities/concepts.jsonl': line({ id: 'gauge', name: 'Gauge', desc: 'Measures' }),
  })
  const session = await openSession([`notes=${folder}`])
  await session.caughtUp()
  expect(await session.found('measures')).toEqual(['entity:gauge'])
  appendFileSync(
    join(folder, 'knowledge/entities/concepts.jsonl'),
    line({ id: 'tide', name: 'Tide', desc: 'Comes and goes like an aardvark' }),
  )
  await vi.waitFor(async () => {
    expect(await session.found('aardvark')).toEqual(['entity:tide'])
  }, SOON)
  const added = { action: 'relation', src: 'gauge', rel: 'measures', dst: 'tide' }
  expect(await session.call('relate', added)).toMatchObject({ created: true })
  const { path } = await session.call('path', { from: 'start.md', to: 'entity:tide' })
  expect(path.map(({ id }: { id: string }) => id)).toEqual([
    'notes/start.md',
    'entity:gauge',
    'entity:tide',
  ])
})

it("serves a memory server's file as it is, and follows it when it is written anew", async () => {
  const folder = temporaryFolder({ 'notes/a.md': 'About [[Ada]].\n' })
  const memory = join(folder, 'memory.jsonl')
  const ada = {
    type: 'entity',
    name: 'Ada',
    entityType: 'person',
    observations: ['counts quaggas'],
  }
  writeFileSync(memory, JSON.stringify(ada))
  const session = await openSession([join(folder, 'notes'), `memory=${memory}`])
  await session.caughtUp()
  expect(await session.found('quaggas')).toEqual(['entity:Ada'])
  writeFileSync(memory, JSON.stringify({ ...ada, observations: ['counts okapis'] }))
  await vi.waitFor(async () => {
    expect(await session.found('okapis')).toEqual(['entity:Ada'])
    expect(await session.found('quaggas')).toEqual([])
  }, SOON)
  const { error } = await session.call('relate', {
    action: 'relation',
    src: 'Ada',
    rel: 'knows',
    dst: 'Ada',
  })
  expect(error.code).toBe('forbidden')
})

it('speaks the words of cortex on an ordinary base that has a graph', async () => {
  const folder = temporaryFolder({
    'a.md': 'About [[gauge]].\n',
    'knowledge/entities/concepts.jsonl': line({ id: 'gauge', name: 'Gauge', desc: 'Measures' }),
  })
  const both = ['--surface', 'cortex', '--surface', 'native']
  const session = await openSession([`notes=${folder}`, ...both])
  await session.caughtUp()
  const tide = { category: 'concepts', id: 'tide', type: 'concept', name: 'Tide', desc: 'Okapi' }
  expect(await session.call('add_entity', tide)).toMatchObject({ category: 'concepts' })
  expect(await session.call('search_knowledge', { query: 'okapi' })).toMatchObject({
    results: [{ id: 'tide' }],
  })
  await vi.waitFor(async () => expect(await session.found('okapi')).toEqual(['entity:tide']), SOON)
})

it('says that words of cortex need a graph', async () => {
  const folder = temporaryFolder({ 'a.md': 'A note.\n' })
  expect(await runCairn(['serve', folder, '--surface', 'cortex'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no source has one'),
  })
})

it('is reached from a shell', async () => {
  const folder = temporaryFolder({
    'a.md': 'A note.\n',
    'm.jsonl': line({
      type: 'entity',
      name: 'Ada',
      entityType: 'person',
      observations: ['counts'],
    }),
  })
  const cairn = (...words: string[]) => runCairn([...words, '--folder', `notes=${folder}`])
  expect(await cairn('relate', 'relation', 'Ada', 'wrote', 'a.md')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no graph'),
  })
  expect(await cairn('import', 'memory', join(folder, 'm.jsonl'), '--create')).toMatchObject({
    code: 0,
    stdout: 'Added 1 entity and 0 relations to notes.\n',
  })
  expect(await cairn('relate', 'relation', 'Ada', 'wrote', 'a.md')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Added: entity:Ada wrote notes\/a.md \(knowledge\/relations\//),
  })
  const near = await cairn('neighbors', 'a.md')
  expect(near.stdout).toBe('<- entity:Ada Ada RELATES:wrote\n')
  const again = await cairn('import', 'memory', join(folder, 'm.jsonl'), '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ entities: { added: 0, existing: 1 } })
})
