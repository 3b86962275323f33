/** What is offered at every key: names and ways to narrow, and that both follow the base. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { findTitles } from '../../src/explorer/operations/find-titles.ts'
import { searchPage } from '../../src/explorer/operations/search-page.ts'
import { countForPage, showBeginning } from '../../src/explorer/operations/show-beginning.ts'
import type { View } from '../../src/core/operations/view/view.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'

const titlesOf = async (kb: View, query: string): Promise<string[]> =>
  (await findTitles(kb, query)).map(({ title }) => title)

it('finds the best names of many, one of each note', async () => {
  const { kb } = await openSmallBase({
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`n${n}.md`, `# A service for workers ${n}\n`]),
    ),
    'sw.md': '---\naliases: [Service Worker, Service Workers]\n---\n# Service Worker API\n',
  })
  const found = await findTitles(kb, 'service worker')
  expect(found).toHaveLength(8)
  expect(found[0]).toMatchObject({ title: 'Service Worker API', as: 'Service Worker' })
  expect(found.filter(({ id }) => id === 'notes/sw.md')).toHaveLength(1)
})

it('finds headings at their lines, wherever in a passage they stand', async () => {
  const long = 'Water that boils for a while. '.repeat(60)
  const { kb } = await openSmallBase({
    'tea.md': `---
title: Tea
---

# Tea

## Brewing

### Brewing green leaves

Short.

### Brewing black leaves

Short as well.

## Other ways

${long}

${long}

## Cold brewing

${long}
`,
  })
  const lineOf = async (query: string): Promise<unknown> => {
    const found = await findTitles(kb, query)
    return found.flatMap(({ what, as, line }) => (what === 'heading' ? [[as, line]] : []))
  }
  expect(await lineOf('brewing')).toEqual([['Brewing', 7]])
  expect(await lineOf('brewing gre')).toEqual([['Brewing green leaves', 9]])
  expect(await lineOf('brewing black')).toEqual([['Brewing black leaves', 13]])
  expect(await lineOf('other')).toEqual([['Other ways', 17]])
  expect(await lineOf('cold brew')).toEqual([['Cold brewing', 23]])
})

it('follows edits without reading everything again', async () => {
  const { folder, kb, store, sync } = await openSmallBase({
    'tea/green.md': '# Green tea\n\nLeaves. #drink\n',
    'tea/black.md': '# Black tea\n\nLeaves.\n',
  })
  expect(await titlesOf(kb, 'tea')).toEqual(['Black tea', 'Green tea'])
  expect((await countForPage(kb)).documents).toBe(2)
  const list = vi.spyOn(store, 'list')

  writeFiles(folder, {
    'tea/green.md': '# White tea\n\nLeaves. #mild\n',
    'pots/pot.md': '# Teapot\n\nFor leaves. #drink\n',
  })
  rmSync(join(folder, 'tea/black.md'))
  await sync()
  expect((await titlesOf(kb, 'tea')).toSorted()).toEqual(['Teapot', 'White tea'])
  expect(list).not.toHaveBeenCalled()

  const { facets, total } = await searchPage(kb, 'leaves', {
    selection: {},
    typing: false,
    limit: 1,
  })
  expect(total).toBe(2)
  expect(facets.folder).toEqual([
    { value: 'notes/pots/', count: 1 },
    { value: 'notes/tea/', count: 1 },
  ])
  expect(facets.tag).toEqual([
    { value: 'drink', count: 1 },
    { value: 'mild', count: 1 },
  ])
  expect(await countForPage(kb)).toMatchObject({ documents: 2, tags: 2 })
  const { recent, tags } = await showBeginning(kb)
  expect(recent.map(({ title }) => title).toSorted()).toEqual(['Teapot', 'White tea'])
  expect(tags).toEqual([
    { tag: 'drink', documents: 1 },
    { tag: 'mild', documents: 1 },
  ])
})
