/** A wiki that has followed many changes is the wiki that a fresh look finds. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newestFirst } from '../../src/vocabularies/nexus/operations/pages.ts'
import { createNexusView } from '../../src/vocabularies/nexus/view.ts'
import type { NexusView } from '../../src/vocabularies/nexus/view.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { writeFiles } from '../support/temporary-folder.ts'

async function everything(view: NexusView) {
  const links = await view.links.now()
  return {
    newest: (await newestFirst(links.pages)).map(({ name }) => name),
    pages: links.pages.all.map((page) => ({
      ...page,
      outlinks: links.outlinks(page),
      backlinks: links.backlinks(page),
      graph: links.localGraph(page),
    })),
    found: [...(await view.texts.find(links.pages, 'b'))]
      .map(([{ name }, at]) => `${name} ${at}`)
      .toSorted(),
  }
}

it('follows files that come, change, move their slugs and go', async () => {
  const base = await openSmallBase({ 'a.md': '[[b]]', 'x/b.md': '[[a]]' })
  const view = createNexusView(base.base)
  await everything(view)
  let seed = 7
  const pick = <Item>(items: readonly Item[]): Item => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return items[Math.floor((seed / 2 ** 31) * items.length)]!
  }
  const paths = ['a.md', 'b.md', 'x/a.md', 'x/b.md', 'x/y/index.md', 'B!.md', 'note.txt']
  const heads = ['', '---\nslug: b\n---\n', '---\ntitle: A\n---\n', '---\ntags: [t]\n---\n']
  const bodies = ['[[a]] b', '[[B]] [[x-b]]', '[[nobody]] [[y]]', 'b', '']
  for (let step = 0; step < 40; step++) {
    const path = pick(paths)
    if (pick([true, false, false])) rmSync(join(base.folder, path), { force: true })
    else writeFiles(base.folder, { [path]: `${pick(heads)}${pick(bodies)} ${step % 3}` })
    await base.sync()
    const [known, fresh] = [await everything(view), await everything(createNexusView(base.base))]
    expect([step, known]).toEqual([step, fresh])
    expect(new Set(known.newest).size).toBe(known.pages.length)
  }
})
