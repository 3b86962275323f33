/** Warnings that ride along: what others changed, told once with the next answer. */
import { expect, it, vi } from 'vitest'
import { capped } from '../../src/vocabularies/roux/warnings.ts'
import { verifies } from '../support/verifies.ts'
import { SOON } from '../support/soon.ts'
import { writeFiles } from '../support/temporary-folder.ts'
import { GRAPH, openRoux } from './open-roux.ts'
import type { Roux } from './open-roux.ts'

async function change(roux: Roux, files: Record<string, string | Uint8Array>): Promise<void> {
  writeFiles(roux.base.folder, files)
  const { generation: before } = await roux.base.store.stamps()
  await roux.base.sync()
  roux.tell(await roux.base.store.changesSince(before))
}

it('come with the next answer of any tool and are then gone', async () => {
  verifies('roux:warnings-buffered', 'roux:broken-link-warning', 'roux:warnings-in-response')
  const roux = await openRoux()
  await change(roux, { 'a.md': '[[b]] and [[nowhere]]', 'c.md': '---\ntitle: [\n---\n' })
  const first = await roux.call('get_node', { id: 'a.md' })
  expect(first.warnings).toEqual([
    // What the answer says of its own node need not be said twice.
    'Broken link: [[nowhere]]',
    expect.stringMatching(/^Sync: parse error in c\.md \(.+\)$/),
  ])
  // In an object they are a key of it, in both forms.
  expect(first.value['_warnings']).toEqual(first.warnings)
  expect(first.structured).toEqual({
    node: expect.objectContaining({ id: 'a.md' }),
    _warnings: first.warnings,
  })
  expect(first.texts).toHaveLength(1)
  expect((await roux.call('get_node', { id: 'd.md' })).value).not.toHaveProperty('_warnings')
})

it.each([
  ['get_hubs', {}, 'hubs'],
  ['find_path', { source: 'c.md', target: 'a.md' }, 'path'],
  ['get_node', { id: 'nope' }, 'node'],
])('are a second text beside a list or null (%s)', async (tool, args, key) => {
  verifies('roux:warnings-in-response')
  const roux = await openRoux()
  await change(roux, { 'a.md': '[[nowhere]]' })
  const { texts, value, structured } = await roux.call(tool, args)
  expect(texts).toHaveLength(2)
  expect(JSON.parse(texts[1]!)).toEqual({ _warnings: ['Sync: broken link [[nowhere]] in a.md'] })
  expect(structured).toEqual({ [key]: value, _warnings: ['Sync: broken link [[nowhere]] in a.md'] })
  expect((await roux.call(tool, args)).texts).toHaveLength(1)
})

it('wait until a call succeeds', async () => {
  const roux = await openRoux()
  await change(roux, { 'a.md': '[[nowhere]]' })
  expect((await roux.call('get_hubs', { limit: 0 })).warnings).toEqual([])
  expect((await roux.call('get_hubs')).warnings).toHaveLength(1)
})

it('name a file that can no longer be read, and not one that was deleted', async () => {
  const roux = await openRoux()
  await change(roux, { 'b.md': new Uint8Array([0, 1, 2, 0, 255]) })
  expect((await roux.call('get_hubs')).warnings).toEqual(['Sync: parse error in b.md (skipped)'])
  roux.tell({ removed: ['notes/gone.md'] })
  expect((await roux.call('get_hubs')).warnings).toEqual([])
})

it('name links that could mean several notes', async () => {
  const roux = await openRoux({ 'a/item.md': '', 'b/item.md': '', 'x.md': '' })
  await change(roux, { 'x.md': '[[item]] [[picture.png]]' })
  expect((await roux.call('get_hubs')).warnings).toEqual([
    'Sync: ambiguous link [[item]] in x.md (a/item.md, b/item.md)',
  ])
})

it('are at most fifty, and say how many more there were', async () => {
  const roux = await openRoux()
  const text = Array.from({ length: 60 }, (_, n) => `[[gone ${n}]]`).join(' ')
  await change(roux, { 'a.md': text })
  const { warnings } = await roux.call('get_hubs')
  expect(warnings).toHaveLength(51)
  expect(warnings.at(-1)).toBe('… and 10 more')
  expect(capped(Array.from({ length: 50 }, String))).toHaveLength(50)
})

it('answers the first call when the files have been read, and not with null before', async () => {
  let behind = true
  let looks = 0
  const catchingUp = () => {
    looks++
    return behind ? ({ phase: 'index', done: 1, total: 6 } as const) : undefined
  }
  const { call } = await openRoux(GRAPH, { catchingUp })
  let answered = false
  const asking = call('get_node', { id: 'a.md' }).finally(() => (answered = true))
  // It looks again and again, and does not answer.
  await vi.waitFor(() => expect(looks).toBeGreaterThan(5), SOON)
  expect(answered).toBe(false)
  behind = false
  expect((await asking).warnings).toEqual([])
  behind = true
  const { warnings } = await call('get_node', { id: 'a.md' })
  expect(warnings).toEqual(['Sync: files are still being read; nodes and links may be missing'])
})
