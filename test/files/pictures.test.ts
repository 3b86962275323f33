/** Pictures beside notes: found by what is said of them, described, shown, and linked to. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import { getNeighbors } from '../../src/core/operations/walking/get-neighbors.ts'
import { searchPictures } from '../../src/core/operations/searching/search-pictures.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { drawPng } from '../support/draw-png.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const call = { signal: new AbortController().signal, progress: () => {} }

const FILES = {
  'tea.md':
    '# Tea\n\nBoil water in the kettle ![[kettle.png|A blue kettle on a stove|300]] and wait.\n\n## Pots\n\nThis one is of iron:\n\n![](img/IMG_2041.png)\n\n*Fig. 1: An iron pot from Japan*\n',
  'cups/cups.md': '# Cups\n\nSee ![a cup](../img/IMG_2042.png "Glazed in Kyoto").\n',
  'img/kettle.png': drawPng(640, 480),
  'img/IMG_2041.png': drawPng(20, 10),
  'img/IMG_2042.png': drawPng(30, 10),
  'img/unused-teapot.png': drawPng(8, 8),
}

it('says what a picture is, and who shows it with which words', async () => {
  const { call } = await openTestBase(FILES)
  expect(await call('fetch', { id: 'img/kettle.png' })).toMatchObject({
    id: 'notes/img/kettle.png',
    title: 'kettle.png',
    metadata: { type: 'image', mime_type: 'image/png', width: 640, height: 480, shown_in: 1 },
    shown_in: [
      {
        id: 'notes/tea.md',
        line: 3,
        alt: 'A blue kettle on a stove',
        around: 'Boil water in the kettle and wait.',
      },
    ],
  })
  // By its name alone, as a note writes it; in any letters.
  for (const id of ['kettle.png', 'KETTLE.png', 'kb://notes/img/kettle.png']) {
    expect((await call('fetch', { id }))['id']).toBe('notes/img/kettle.png')
  }
  expect((await call('fetch', { id: 'IMG_2041.png' }))['shown_in']).toMatchObject([
    { caption: 'Fig. 1: An iron pot from Japan', around: 'This one is of iron:' },
  ])
  expect((await call('fetch', { id: 'IMG_2042.png' }))['shown_in']).toMatchObject([
    { id: 'notes/cups/cups.md', alt: 'a cup', caption: 'Glazed in Kyoto' },
  ])
  const unused = await call('fetch', { id: 'img/unused-teapot.png' })
  expect(unused['text']).toContain('No note shows it.')
})

it('gives the picture itself where it is asked for', async () => {
  const { surface } = await openTestBase(FILES)
  const plain = await surface.call('fetch', { id: 'kettle.png' }, call)
  expect(plain.pictures).toBeUndefined()
  expect(plain.texts[0]).toContain('include=["picture"]')
  const shown = await surface.call('fetch', { id: 'kettle.png', include: ['picture'] }, call)
  expect(shown.pictures).toEqual([
    { mimeType: 'image/png', data: FILES['img/kettle.png'].toString('base64') },
  ])
  const several = await surface.call(
    'fetch',
    { ids: ['kettle.png', 'tea.md', 'IMG_2041.png', 'gone.png'], include: ['picture'] },
    call,
  )
  expect(several.pictures).toHaveLength(2)
  expect(several.structured).toMatchObject({ missing: [{ id: 'gone.png' }] })
  const [resource] = (await surface.resources!.read('kb://notes/img/kettle.png', call)) ?? []
  expect(resource).toEqual({
    uri: 'kb://notes/img/kettle.png',
    mimeType: 'image/png',
    blob: FILES['img/kettle.png'].toString('base64'),
  })
})

it('gives no bytes of what only has the name of a picture', async () => {
  const key = `AKIA${'IOSFODNN7EXAMPLE'}`
  const { surface, call: ask } = await openTestBase({
    'a.md': '![[key.png]] ![[drawn.svg]]\n',
    'key.png': key,
    'drawn.svg': `<svg width="9" height="9"><text>${key}</text></svg>`,
    'large.png': Buffer.concat([drawPng(9, 9), Buffer.alloc(3_000_000)]),
  })
  for (const id of ['key.png', 'drawn.svg', 'large.png']) {
    const { pictures, texts } = await surface.call('fetch', { id, include: ['picture'] }, call)
    expect(pictures).toBeUndefined()
    expect(texts.join('')).toContain('no picture that can be shown, or larger than 2 MiB')
    expect(texts.join('')).not.toContain(key)
  }
  for (const id of ['key.png', 'drawn.svg']) {
    expect(await surface.resources!.read(`kb://notes/${id}`, call)).toBeUndefined()
  }
  expect(JSON.stringify(await ask('fetch', { id: 'key.png' }))).toContain('whatever its name says')
})

it('finds pictures by what is said of them, and by their names', async () => {
  const { kb, call } = await openTestBase(FILES)
  const first = async (query: string) => (await searchPictures(kb, query, {}))[0]?.id
  expect(await first('blue kettle on the stove')).toBe('notes/img/kettle.png')
  expect(await first('iron pot')).toBe('notes/img/IMG_2041.png')
  expect(await first('glazed cups from Kyoto')).toBe('notes/img/IMG_2042.png')
  expect(await first('unused teapots')).toBe('notes/img/unused-teapot.png')
  expect(await first('IMG 2042')).toBe('notes/img/IMG_2042.png')
  expect(await searchPictures(kb, 'a motor car', {})).toEqual([])
  expect(await searchPictures(kb, 'kettle', { path: 'cups/' })).toEqual([])
  const { results } = await call('search', { query: 'iron pot', in: 'pictures' })
  expect(results[0]).toMatchObject({
    id: 'notes/img/IMG_2041.png',
    title: 'Fig. 1: An iron pot from Japan',
    shown_in: 'notes/tea.md:9',
  })
})

it('lets nobody lose one: links to it are no broken ones, and lead back', async () => {
  const { kb, call } = await openTestBase(FILES)
  expect((await call('insights', { report: 'broken_links' }))['total']).toBe(0)
  const around = await getNeighbors(kb, 'kettle.png')
  expect(around).toMatchObject({ id: 'notes/img/kettle.png', exists: true, total: 1 })
  expect(around.neighbors).toMatchObject([{ id: 'notes/tea.md', direction: 'in' }])
  await expect(getNeighbors(kb, 'gone.png')).rejects.toMatchObject({ code: 'not_found' })
  await expect(call('fetch', { id: 'gone.png' })).resolves.toMatchObject({
    error: { code: 'not_found' },
  })
})

it('asks which of several of one name is meant, and takes the nearest for a note', async () => {
  const { call } = await openTestBase({
    'a/a.md': '![[pot.png]]\n',
    'b/b.md': '![[pot.png]]\n',
    'a/pot.png': drawPng(1, 1),
    'b/img/pot.png': drawPng(2, 2),
  })
  expect(await call('fetch', { id: 'pot.png' })).toMatchObject({
    error: { code: 'invalid', message: expect.stringContaining('2 pictures') as string },
  })
  expect((await call('fetch', { id: 'a/pot.png' }))['shown_in']).toMatchObject([
    { id: 'notes/a/a.md' },
  ])
  expect((await call('fetch', { id: 'notes/b/img/pot.png' }))['shown_in']).toMatchObject([
    { id: 'notes/b/b.md' },
  ])
})

it('is not there for whom it is hidden from, nor are the notes that show it', async () => {
  const { base } = await openTestBase({
    ...FILES,
    'secret/plan.md': 'The plan ![[kettle.png|covert kettle]] ![[map.png]]\n',
    'secret/map.png': drawPng(4, 4),
  })
  const guest: Caller = {
    principal: 'guest',
    may: ['read'],
    sees: ({ path }) => !path.startsWith('secret/'),
  }
  const kb = viewFor(base, guest)
  const { describePicture } = await import('../../src/core/operations/reading/describe-picture.ts')
  expect(await describePicture(kb, 'secret/map.png')).toBeUndefined()
  expect(await describePicture(kb, 'map.png')).toBeUndefined()
  expect((await describePicture(kb, 'kettle.png'))?.notes).toBe(1)
  expect(JSON.stringify(await searchPictures(kb, 'covert kettle map', {}))).not.toContain('covert')
})

it('offers no picture that the rules leave out, or that is elsewhere', async () => {
  const outside = temporaryFolder({ 'x.png': drawPng(5, 5) })
  const { call, folder } = await openTestBase(
    {
      'a.md': '![[x.png]] ![[y.png]] ![[z.png]]\n',
      '.gitignore': 'ignored/\n',
      'ignored/y.png': drawPng(5, 5),
      'private/z.png': drawPng(5, 5),
    },
    { exclude: ['private'] },
  )
  symlinkSync(join(outside, 'x.png'), join(folder, 'x.png'))
  writeFileSync(join(folder, '.hidden.png'), drawPng(5, 5))
  for (const id of ['x.png', 'y.png', 'ignored/y.png', 'private/z.png', 'z.png', '.hidden.png']) {
    expect(await call('fetch', { id })).toMatchObject({ error: { code: 'not_found' } })
  }
  expect(await call('fetch', { id: '../x.png' })).toMatchObject({ error: { code: 'invalid' } })
})

it('is moved with the links that show it, deleted and brought back, and never written', async () => {
  const { kb, call, folder } = await openTestBase({
    'tea.md': 'A ![[kettle.png|blue|300]] and ![x](img/kettle.png "t") and ![[img/kettle.png]].\n',
    'cups/cups.md': '![](../img/kettle.png)\n',
    'img/kettle.png': drawPng(64, 64),
  })
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const move = (to: string) => call('write', { action: 'move', id: 'img/kettle.png', to })
  const moved = await move('pictures/')
  expect(moved).toMatchObject({ links_rewritten: 3 })
  expect(text('tea.md')).toBe(
    'A ![[kettle.png|blue|300]] and ![x](pictures/kettle.png "t") and ![[pictures/kettle.png]].\n',
  )
  expect(text('cups/cups.md')).toBe('![](../pictures/kettle.png)\n')
  expect(existsSync(join(folder, 'img/kettle.png'))).toBe(false)
  expect((await call('fetch', { id: 'kettle.png' }))['metadata']).toMatchObject({ shown_in: 2 })
  await call('history', { action: 'undo' })
  expect(readFileSync(join(folder, 'img/kettle.png')).equals(drawPng(64, 64))).toBe(true)
  expect(text('cups/cups.md')).toBe('![](../img/kettle.png)\n')
  await move('img/pot.png')
  expect(text('tea.md')).toBe(
    'A ![[pot.png|blue|300]] and ![x](img/pot.png "t") and ![[img/pot.png]].\n',
  )
  const gone = await call('delete', { id: 'img/pot.png' })
  expect(gone['broken_links']).toHaveLength(2)
  expect(existsSync(join(folder, 'img/pot.png'))).toBe(false)
  await call('history', { action: 'undo' })
  expect(readFileSync(join(folder, 'img/pot.png')).equals(drawPng(64, 64))).toBe(true)
  for (const refused of [
    { action: 'create', id: 'img/new.png', content: 'x' },
    { action: 'replace', id: 'img/pot.png', content: 'x' },
    { action: 'append', id: 'img/pot.png', content: 'x' },
    { action: 'move', id: 'img/pot.png', to: 'pot.md' },
    { action: 'move', id: 'img/pot.png', to: '.git/pot.png' },
    { action: 'move', id: 'tea.md', to: 'tea.png' },
  ]) {
    expect(await call('write', refused)).toHaveProperty('error')
  }
  expect(readFileSync(join(folder, 'img/pot.png')).equals(drawPng(64, 64))).toBe(true)
  expect(await kb.store.findByPath('notes', 'img/pot.png')).toBeUndefined()
})
