/**
 * Both programs on the same files, in turns. The original compares times that have no zone, and
 * ends when it meets one that has: here it is played by a reader with the same rules.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { CONCEPTS, daysAgo, lines, openCortex, RELATIONS, thisMonth } from './open-cortex.ts'

const ENTITY_FIELDS = ['id', 'type', 'name', 'desc', 'tags', 'updated_at']
const RELATION_FIELDS = ['src', 'rel', 'dst', 'context', 'created_at']
const ZONELESS = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{6})?)?$/

/** What the original makes of a file: it knows these fields, and dies of a zone. */
function readAsOriginal(root: string, file: string): readonly Record<string, unknown>[] {
  const [fields, time] = file.includes('/entities/')
    ? [ENTITY_FIELDS, 'updated_at']
    : [RELATION_FIELDS, 'created_at']
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const object = JSON.parse(line) as Record<string, unknown>
      for (const key of Object.keys(object)) if (!fields.includes(key)) throw new TypeError(key)
      const at = object[time]
      if (at !== '' && !ZONELESS.test(String(at))) throw new TypeError(`zone: ${String(at)}`)
      return object
    })
}

/** How the original writes now: local time, microseconds, no zone. */
const originalNow = () => `${new Date().toISOString().slice(0, -1)}123`

it('goes on working beside the original', async () => {
  verifies('cortex:zoneless-times', 'cortex:append-only')
  const old = { type: 'concept', name: 'Old', desc: 'd', tags: [], updated_at: '2026-02-14' }
  const cortex = await openCortex({
    [CONCEPTS]: lines({ id: 'old_one', ...old }),
    [RELATIONS]: '',
  })
  const { root, call } = cortex
  const append = (file: string, object: object): void =>
    appendFileSync(join(root, file), lines(object))
  let before = ''
  for (let turn = 0; turn < 3; turn++) {
    const id = `ours-${turn}`
    await call('add_entity', { category: 'concepts', id, type: 'tech', name: 'O', desc: 'd' })
    await call('connect_entities', { src: id, rel: 'uses', dst: 'old_one' })
    const ours = readAsOriginal(root, CONCEPTS)
    expect(ours.at(-1)).toMatchObject({ id, updated_at: expect.stringMatching(/\.\d{6}$/) })
    expect(readAsOriginal(root, thisMonth()).at(-1)).toMatchObject({ src: id })
    append(CONCEPTS, { id: `theirs_${turn}`, ...old, updated_at: originalNow() })
    append(thisMonth(), {
      src: `theirs_${turn}`,
      rel: 'extends',
      dst: id,
      context: '',
      created_at: originalNow(),
    })
    const { data } = await call('get_entropy_report')
    expect(data).toMatchObject({
      total_nodes: 3 + 2 * turn,
      total_edges: 2 + 2 * turn,
      orphan_nodes: [],
      stale_nodes: ['old_one'],
      broken_links: [],
      warnings: [],
    })
    const now = readFileSync(join(root, CONCEPTS), 'utf8')
    expect(now.startsWith(before)).toBe(true)
    before = now
  }
})

it('writes what is brought from elsewhere without a zone too', async () => {
  verifies('cortex:zoneless-times')
  const memory = lines({
    type: 'entity',
    name: 'Ada',
    entityType: 'person',
    observations: ['wrote'],
    updated_at: '2026-11-14T12:00:00+02:00',
  })
  const folder = temporaryFolder({ 'memory.jsonl': memory, 'brain/knowledge/.keep': '' })
  const brought = await runCairn(
    folder,
    'import',
    'memory',
    'memory.jsonl',
    '--create',
    '--folder',
    'brain',
  )
  expect([brought.code, brought.err]).toEqual([0, ''])
  const file = join(folder, 'brain/knowledge/entities/people.jsonl')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    updated_at: '2026-11-14T10:00:00.000000',
  })
})

it('says in full that the report takes nothing', async () => {
  verifies('cortex:report-schema')
  const { client } = await openCortex({ [CONCEPTS]: lines({ id: 'a', updated_at: daysAgo(1) }) })
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'get_entropy_report')?.inputSchema).toEqual({
    type: 'object',
    properties: {},
    required: [],
  })
})
