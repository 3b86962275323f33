/** Links that say what they mean, as Basic Memory and Dataview write them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listRelations } from '../../src/core/operations/reading/list-relations.ts'
import { noteLinks } from '../../src/core/operations/reading/read-notes.ts'
import { findDocument } from '../../src/core/operations/reading/resolve-document.ts'
import { createView, viewFor, wholeView } from '../../src/core/operations/view/view.ts'
import { getNeighbors } from '../../src/core/operations/walking/get-neighbors.ts'
import { listBacklinks } from '../../src/explorer/operations/list-backlinks.ts'
import { openTestBase } from '../support/open-test-base.ts'

const NOTES = {
  'ada.md': '# Ada\n\n- works_on [[engine]]\n- knows [[gone]]\n\nlives:: [[london]]\n',
  'engine.md': '---\nup: "[[machines]]"\n---\n# Engine\n',
  'london.md': '# London\n\nSee [[engine]].\n',
  'machines.md': '# Machines\n',
}

const idsOf = (items: any) => items.map(({ id }: any) => id)

it('are named where types of links are, and stay links', async () => {
  const { call } = await openTestBase(NOTES)
  const { neighbors, edges, unresolved_links } = await call('neighbors', { id: 'ada', as: 'graph' })
  expect(neighbors.map(({ id, types }: any) => [id, types])).toEqual([
    ['notes/engine.md', ['LINKS_TO', 'RELATES:works_on']],
    ['notes/london.md', ['LINKS_TO', 'RELATES:lives']],
  ])
  expect(edges).toContainEqual({
    from: 'notes/london.md',
    to: 'notes/engine.md',
  })
  expect(unresolved_links).toEqual(['gone'])
  const only = async (...types: string[]) =>
    idsOf((await call('neighbors', { id: 'ada', types }))['neighbors'])
  expect(await only('RELATES:works_on')).toEqual(['notes/engine.md'])
  expect(await only('RELATES')).toEqual(['notes/engine.md', 'notes/london.md'])
  expect(await only('LINKS_TO')).toEqual(['notes/engine.md', 'notes/london.md'])
  expect(await only('RELATES:hates')).toEqual([])
  const { path } = await call('path', { from: 'ada', to: 'machines' })
  expect(path.map(({ types }: any) => types)).toEqual([
    undefined,
    ['LINKS_TO', 'RELATES:works_on'],
    ['RELATES:up'],
  ])
})

it('are relations of a note, from both ends', async () => {
  const { call, kb } = await openTestBase(NOTES)
  const ada = await call('fetch', { id: 'ada', include: ['relations', 'links'] })
  expect(ada['relations'].outgoing.map(({ rel, id }: any) => `${rel} ${id}`)).toEqual([
    'works_on notes/engine.md',
    'knows gone',
    'lives notes/london.md',
  ])
  expect(idsOf(ada['links'])).toEqual(['notes/engine.md', 'notes/london.md'])
  const engine = await call('fetch', { id: 'engine', include: ['relations'] })
  expect(engine['relations'].incoming).toMatchObject([{ rel: 'works_on', id: 'notes/ada.md' }])
  const { items } = await listBacklinks(kb, 'notes/engine.md', { offset: 0, limit: 10 })
  expect(items.map(({ id, relation }) => [id, relation])).toEqual([
    ['notes/ada.md', 'works_on'],
    ['notes/london.md', undefined],
  ])
})

it('are told once where they lead nowhere, and heal like others', async () => {
  const { call } = await openTestBase(NOTES)
  const broken = await call('insights', { report: 'broken_links' })
  expect([broken['items'], broken['total']]).toEqual([
    [{ from: 'notes/ada.md', line: 4, target: 'gone' }],
    1,
  ])
  await call('write', { action: 'create', id: 'gone.md', content: '# Gone\n' })
  const found = await call('neighbors', { id: 'ada', types: ['RELATES:knows'] })
  expect(idsOf(found['neighbors'])).toEqual(['notes/gone.md'])
  const deleted = await call('delete', { id: 'gone', dry_run: true })
  expect(deleted['broken_links']).toEqual([{ id: 'notes/ada.md', target: 'gone' }])
})

it('follow a note that moves, with what they say', async () => {
  const { call, folder } = await openTestBase(NOTES)
  const moved = await call('write', { action: 'move', id: 'engine', to: 'old/machine.md' })
  expect(moved['broken_links']).toBeUndefined()
  expect(readFileSync(join(folder, 'ada.md'), 'utf8')).toContain('- works_on [[machine]]\n')
  const found = await call('neighbors', { id: 'ada', types: ['RELATES:works_on'] })
  expect(idsOf(found['neighbors'])).toEqual(['notes/old/machine.md'])
})

it('lead where the link leads, from the note it stands in', async () => {
  const { call } = await openTestBase({
    'a/x.md': '- uses [[../b/y]]\n- has [[../nowhere/y]]\n',
    'b/y.md': 'Text.\n',
    'y.md': 'Text.\n',
  })
  const { neighbors, unresolved_links } = await call('neighbors', { id: 'a/x' })
  expect(neighbors.map(({ id, types }: any) => [id, types])).toEqual([
    ['notes/b/y.md', ['LINKS_TO', 'RELATES:uses']],
  ])
  expect(unresolved_links).toEqual(['../nowhere/y'])
})

it('are plain links for views that know no others', async () => {
  const { base, kb } = await openTestBase(NOTES)
  const view = createView(base, { linkKinds: ['wiki', 'embed'] })
  const ada = (await kb.store.findByPath('notes', 'ada.md'))!
  const links = await noteLinks(view, ada.no)
  expect(links.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
    'wiki engine',
    'wiki gone',
    'wiki london',
  ])
})

it('say nothing of notes that a caller may not see', async () => {
  const { base } = await openTestBase({
    ...NOTES,
    'secret/plan.md': '- betrays [[ada]]\n- works_on [[engine]]\n',
    'bob.md': '- fears [[plan]] and\n- fears [[plan]]\n\n[[ada]]\n',
  })
  const sees = ({ path }: { readonly path: string }) => !path.startsWith('secret/')
  const view = viewFor(base, { principal: 'reader', may: ['read'], sees })
  const around = async (id: string, ...types: string[]) => {
    const { neighbors } = await getNeighbors(view, id, { types })
    return neighbors.map((each) => `${each.id} ${each.types?.join(' ')}`)
  }
  expect(await around('notes/ada.md', 'RELATES:betrays')).toEqual([])
  expect(await around('notes/engine.md', 'RELATES:works_on')).toEqual([
    'notes/ada.md LINKS_TO RELATES:works_on',
  ])
  expect(await around('notes/bob.md')).toEqual(['notes/ada.md undefined'])
  expect((await listRelations(view, (await findDocument(view, 'bob'))!)).outgoing).toMatchObject([
    { rel: 'fears', id: 'plan', title: undefined },
  ])
  const all = await getNeighbors(wholeView(base), 'notes/ada.md', { types: ['RELATES:betrays'] })
  expect(all.neighbors.map(({ id }) => id)).toEqual(['notes/secret/plan.md'])
})
