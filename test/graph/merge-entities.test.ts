/** Two entities are read as one, by a line that a later line takes back. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entityPath } from '../../src/core/domain/entity-document.ts'
import { mergeEntity } from '../../src/core/operations/entities/relate.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { openTestBase } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'

/** Looks like one of GitHub, and is none. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`

const entity = (id: string, name: string, desc: string, more: object = {}) =>
  JSON.stringify({ id, type: 'person', name, desc, tags: [id], ...more })
const relation = (src: string, rel: string, dst: string) => JSON.stringify({ src, rel, dst })
const PEOPLE = 'knowledge/entities/people.jsonl'

const open = (more: readonly string[] = []) =>
  openTestBase(
    {
      [PEOPLE]: `${[
        entity('ada', 'Ada Lovelace', `Wrote a program. ${TOKEN}`, { born: 1815 }),
        entity('a-a-king', 'Countess of Lovelace', 'Translated Menabrea.'),
        entity('babbage', 'Charles Babbage', 'Drew the engine.'),
        ...more,
      ].join('\n')}\n`,
      'knowledge/relations/2026-01.jsonl': `${[
        relation('ada', 'knows', 'babbage'),
        relation('a-a-king', 'knows', 'babbage'),
        relation('babbage', 'writes_to', 'ada'),
        relation('ada', 'same_as', 'a-a-king'),
      ].join('\n')}\n`,
      'note.md': '# Letters\n\nOf [[entity:ada]] and [[Countess of Lovelace]].\n',
    },
    { kind: 'both' },
  )

const MERGE = { action: 'entity', id: 'ada', merge_into: 'a-a-king' }
const linesOf = ({ folder }: TestBase) => readFileSync(join(folder, PEOPLE), 'utf8')

async function around({ call }: TestBase, id: string): Promise<string[]> {
  const { neighbors } = await call('neighbors', { id })
  return neighbors.map((each: any) => [each.id, each.direction, ...each.types].join(' ')).toSorted()
}

it('shows it first, then reads both as one, and takes it back', async () => {
  const base = await open()
  const { call } = base
  const before = { lines: linesOf(base), near: await around(base, 'entity:ada') }
  const dry = await call('relate', { ...MERGE, dry_run: true })
  expect(dry['text']).toContain('Translated Menabrea.\n\nWrote a program.')
  expect(dry['text']).not.toContain(TOKEN)
  expect(linesOf(base)).toBe(before.lines)

  const done = await call('relate', MERGE)
  expect(done['text']).toBe(dry['text'])
  expect(done['id']).toBe('entity:a-a-king')
  // Only a line was added, with all that stood in it, and what is masked is masked in replies alone.
  expect(linesOf(base).startsWith(before.lines)).toBe(true)
  expect(JSON.parse(linesOf(base).slice(before.lines.length))).toMatchObject({
    id: 'ada',
    born: 1815,
    desc: `Wrote a program. ${TOKEN}`,
    merged_into: 'a-a-king',
  })
  for (const id of ['entity:ada', 'ada', 'Ada Lovelace', 'entity:a-a-king']) {
    const found = await call('fetch', { id })
    expect(found['id']).toBe('entity:a-a-king')
    expect(found['text']).toContain('Wrote a program.')
  }
  expect(await around(base, 'a-a-king')).toEqual([
    'entity:babbage both RELATES:knows RELATES:writes_to',
    'notes/note.md in LINKS_TO',
  ])
  const { results } = await call('search', { query: 'wrote a program', in: 'entities' })
  expect(results.map(({ id }: any) => id)).toEqual(['entity:a-a-king'])
  // Who relates to the one that went relates to the one that stayed.
  const added = await call('relate', {
    action: 'relation',
    src: 'babbage',
    rel: 'admires',
    dst: 'ada',
  })
  expect(added['dst']).toBe('a-a-king')

  const { undo } = done
  const back = await call('relate', undo)
  expect(back['id']).toBe('entity:ada')
  expect(JSON.parse(linesOf(base).trim().split('\n').at(-1)!)).not.toHaveProperty('merged_into')
  expect(await around(base, 'entity:ada')).toEqual(before.near)
  expect((await call('fetch', { id: 'entity:a-a-king' }))['text']).not.toContain('program')
})

it('follows chains, and neither circles nor what leads to nobody', async () => {
  const chain = Array.from({ length: 300 }, (_, at) =>
    entity(`c${at}`, `Chain ${at}`, `Link ${at}.`, { merged_into: `c${at + 1}` }),
  )
  const base = await open([
    ...chain,
    entity('one', 'One', 'First.', { merged_into: 'two' }),
    entity('two', 'Two', 'Second.', { merged_into: 'one' }),
    entity('self', 'Self', 'Alone.', { merged_into: 'self' }),
    entity('lost', 'Lost', 'To nobody.', { merged_into: 'nobody' }),
    entity('odd', 'Odd', 'No text.', { merged_into: 7 }),
    entity('x', 'X', 'Ex.', { merged_into: 'y' }),
    entity('y', 'Y', 'Why.', { merged_into: 'babbage' }),
  ])
  const { call, sync } = base
  for (const id of ['one', 'two', 'self', 'lost', 'odd', 'c0', 'c299']) {
    expect((await call('fetch', { id: `entity:${id}` }))['id']).toBe(`entity:${id}`)
  }
  const { text } = await call('fetch', { id: 'entity:x' })
  expect(text).toContain('Drew the engine.')
  expect(text).toContain('Ex.')
  // A program that appends such a line is followed as well.
  appendFileSync(
    join(base.folder, PEOPLE),
    `${entity('z', 'Zed', 'Zee.', { merged_into: 'babbage' })}\n`,
  )
  await sync()
  expect((await call('fetch', { id: 'entity:z' }))['text']).toContain('Zee.')
  expect((await call('fetch', { id: 'entity:z' }))['id']).toBe('entity:babbage')
})

it('follows a line to an entity that is made later', async () => {
  const base = await open([
    entity('lost', 'Lost', 'Looks for somebody.', { merged_into: 'nobody' }),
    entity('friend', 'Friend', 'Knows the lost one.'),
  ])
  const { call, sync, folder } = base
  appendFileSync(
    join(folder, 'knowledge/relations/2026-01.jsonl'),
    `${relation('friend', 'knows', 'lost')}\n`,
  )
  await sync()
  expect((await call('fetch', { id: 'entity:lost' }))['id']).toBe('entity:lost')
  appendFileSync(join(folder, PEOPLE), `${entity('nobody', 'Nobody', 'Somebody after all.')}\n`)
  await sync()
  const found = await call('fetch', { id: 'entity:lost' })
  expect(found['id']).toBe('entity:nobody')
  expect(found['text']).toContain('Looks for somebody.')
  const { results } = await call('search', { query: 'looks for somebody' })
  expect(results.map(({ id }: { id: string }) => id)).not.toContain('entity:lost')
  const { neighbors } = await call('neighbors', { id: 'entity:friend' })
  expect(neighbors.map(({ id }: { id: string }) => id)).toEqual(['entity:nobody'])
})

it('refuses what makes no sense, and adds nothing', async () => {
  const base = await open()
  const before = linesOf(base)
  const refused = async (args: object) => {
    const { error } = await base.call('relate', { ...MERGE, ...args })
    return `${error.code} ${error.message}`
  }
  expect(await refused({ merge_into: 'ada' })).toContain('into itself')
  expect(await refused({ merge_into: 'nobody' })).toContain('no entity "nobody"')
  expect(await refused({ id: 'nobody' })).toContain('no entity "nobody"')
  expect(await refused({ split: true })).toContain('either merge_into or split')
  expect(await refused({ merge_into: undefined, split: true })).toContain('of its own already')
  expect(await refused({ desc: 'x' })).toContain('either merge_into or split')
  expect(linesOf(base)).toBe(before)
  await base.call('relate', MERGE)
  expect(await refused({ merge_into: 'babbage' })).toContain('before')
  expect(await refused({ id: 'a-a-king', merge_into: 'ada' })).toContain('into itself')
})

it('tells nobody of an entity that he does not see', async () => {
  const { base } = await open()
  const sees = ({ path }: { readonly path: string }) => path !== entityPath('ada')
  const kb = viewFor(base, { principal: 'eve', may: ['read', 'write'], sees })
  const dry = { dryRun: true }
  await expect(mergeEntity(kb, 'ada', 'babbage', dry)).rejects.toThrow('no entity "ada"')
  await expect(mergeEntity(kb, 'babbage', 'ada', dry)).rejects.toThrow('no entity "ada"')
  expect((await mergeEntity(kb, 'babbage', 'a-a-king', dry)).text).toContain('Menabrea')
})

it('merges one into the other where two ask at once for both ways', async () => {
  const { call, folder } = await open()
  const both = await Promise.all([
    call('relate', { action: 'entity', id: 'ada', merge_into: 'babbage' }),
    call('relate', { action: 'entity', id: 'babbage', merge_into: 'ada' }),
  ])
  expect(both.filter(({ error }) => error === undefined)).toHaveLength(1)
  expect(linesOf({ folder } as TestBase).match(/merged_into/g)).toHaveLength(1)
})
