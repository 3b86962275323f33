/** An Obsidian vault as people have them. */
import { beforeAll, afterAll, expect, it } from 'vitest'
import type { TestBase } from '../support/open-test-base.ts'
import { openTestBase } from '../support/open-test-base.ts'

const VAULT = {
  '.obsidian/app.json': '{ "userIgnoreFilters": ["Templates/"] }',
  '.obsidian/plugins/x/readme.md': '# A plugin, not a note\n',
  '.trash/deleted.md': '# Deleted, kept by Obsidian\n',
  'Home.md': `---
aliases: [Start, "Where to begin"]
tags: [moc, project/alpha]
cssclasses: wide
---
# Home

> [!tip]+ How to use this vault
> Begin with [[Projects/Alpha|the alpha project]] and look at ![[Projects/Alpha#Goals]].

Today is [[2026-11-15]]. The picture ![[attachments/map.png|300]] shows ![[map.png]] and
[the paper](attachments/paper.pdf). The board is [[Plan.canvas]]; see [[Plan.canvas|the plan]].

- [ ] Ask [[Ada Lovelace|Ada]] #project/beta
`,
  'Projects/Alpha.md': `---
alias: Alpha project
---
# Alpha

## Goals

Build the analytical engine. ^goals

- one
- two ^list-end

%% A comment that only the author sees: zanzibar %%

==Highlighted== text and a footnote[^1].

[^1]: From [[Home#How to use]].
`,
  'People/Ada Lovelace.md': `# Ada Lovelace

Works on [[Projects/Alpha#^goals]] and [[Alpha#^list-end|the list]]. Known as [[Start]] to nobody.
Lives at [[Nowhere Yet]].
`,
  'Daily/2026-11-15.md': `Met [[Ada Lovelace]]. #daily/november

> [!warning]- Folded
> The mill is jammed.
`,
  'Plan.canvas': '{"nodes":[{"id":"1","type":"file","file":"Home.md"}],"edges":[]}',
  'attachments/map.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  'attachments/paper.pdf': '%PDF-1.4',
  'Templates/Note.md': '# {{title}}\n',
}

let vault: TestBase
const cleanUp: (() => void)[] = []

beforeAll(async () => {
  vault = await openTestBase(VAULT, {
    more: [],
    onFinished: (work) => void cleanUp.push(work as () => void),
  })
})
afterAll(() => cleanUp.forEach((work) => work()))

const ids = (items: { id: string }[]) =>
  items.map(({ id }) => id.replace(/^[^/]+\//, '')).toSorted()

it('reads the notes and canvases, and none of the vault’s own files', async () => {
  expect(ids((await vault.call('list', {})).items)).toEqual([
    'Daily/2026-11-15.md',
    'Home.md',
    'People/Ada Lovelace.md',
    'Plan.canvas',
    'Projects/Alpha.md',
  ])
  const report = await vault.call('insights', { report: 'coverage' })
  expect(JSON.stringify(report)).toContain('/Templates/ (.obsidian/app.json)')
})

it('knows notes by alias, however it is written', async () => {
  for (const name of ['Start', 'where to begin', 'Home']) {
    expect((await vault.call('fetch', { id: name })).title).toBe('Home')
  }
  expect((await vault.call('fetch', { id: 'Alpha project' })).title).toBe('Alpha')
})

it('follows links, embeds, headings and block ids', async () => {
  const { neighbors } = await vault.call('neighbors', { id: 'Home', direction: 'out' })
  expect(ids(neighbors)).toEqual([
    'Daily/2026-11-15.md',
    'People/Ada Lovelace.md',
    'Plan.canvas',
    'Projects/Alpha.md',
  ])
  const ada = await vault.call('neighbors', { id: 'Ada Lovelace', direction: 'out' })
  expect(ids(ada.neighbors)).toEqual(['Home.md', 'Projects/Alpha.md'])
})

it('calls only that broken which is: not canvases and attachments that are there', async () => {
  const { items } = await vault.call('insights', { report: 'broken_links' })
  expect(items.map(({ target }: { target: string }) => target)).toEqual([
    'Nowhere Yet',
    // A callout is no heading.
    'Home#How to use',
  ])
})

it('finds nested tags by their parents', async () => {
  expect(ids((await vault.call('list', { tags: ['project/alpha'] })).items)).toEqual(['Home.md'])
  expect(ids((await vault.call('list', { tags: ['project'] })).items)).toEqual(['Home.md'])
  expect(ids((await vault.call('list', { tags: ['daily'] })).items)).toEqual([
    'Daily/2026-11-15.md',
  ])
})

it('finds what callouts say, folded or not, and daily notes by their day', async () => {
  const first = async (query: string) => (await vault.call('search', { query })).results[0]?.id
  expect(await first('the mill is jammed')).toContain('Daily/2026-11-15.md')
  expect(await first('how to use this vault')).toContain('Home.md')
  expect(await first('2026-11-15')).toContain('Daily/2026-11-15.md')
})

it('reads a section by its heading', async () => {
  const { text } = await vault.call('fetch', { id: 'Alpha', section: 'Goals' })
  expect(text).toContain('analytical engine')
})
