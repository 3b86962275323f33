/** Links among what is seen are what they are where there is nothing else, whatever comes and goes. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import type { SmallBase } from '../../../../test/support/open-small-base.ts'
import type { DocNo, Place } from '../../domain/document.ts'
import { viewFor } from './view.ts'
import type { View } from './view.ts'

const CALLER = {
  principal: 'guest',
  may: ['read'],
  sees: ({ path }: Place) => !path.startsWith('m/'),
} as const

/** Everything that links can say, under paths instead of numbers. */
async function links({ base }: SmallBase): Promise<unknown> {
  const kb: View = viewFor(base, CALLER)
  const docs = [...(await kb.store.pathOrder())]
  const paths = new Map((await kb.store.paths(docs)).map(({ path }, at) => [docs[at]!, path]))
  const told = (all: readonly { readonly from: DocNo; readonly to: DocNo | undefined }[]) =>
    all.map(({ from, to, ...rest }) => [
      paths.get(from),
      to === undefined ? to : paths.get(to),
      rest,
    ])
  const { graph, docs: nodes, types, within } = await kb.links()
  const edges: string[] = []
  for (const [node, doc] of nodes.entries()) {
    for (let at = graph.out.start[node]!; at < graph.out.start[node + 1]!; at++) {
      const other = graph.out.node[at]!
      if (within.exclude?.[node] || within.exclude?.[other]) continue
      const { kind, label } = types[graph.out.type[at]!]!
      edges.push([paths.get(doc), kind, label, paths.get(nodes[other]!)].join(' '))
    }
  }
  const { segments: _, ...counts } = await kb.store.counts()
  return {
    edges: edges.toSorted(),
    counts,
    broken: told((await kb.store.brokenLinks({ offset: 1, limit: 3 })).links),
    brokenTotal: (await kb.store.brokenLinks({ offset: 0, limit: 1 })).total,
    from: await Promise.all(docs.map(async (doc) => told(await kb.store.linksFrom(doc)))),
    to: await Promise.all(
      docs.map(async (doc) =>
        told(await kb.store.linksTo(doc)).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
      ),
    ),
    between: await Promise.all(
      docs.flatMap((a) => docs.map(async (b) => told(await kb.store.linksBetween(a, b)))),
    ),
  }
}

it.each([
  ['notes', '.md', (name: string) => `[[${name}]] [x](/${name})`],
  ['code', '.go', (name: string) => `import "example.com/x/${name}"\n`],
] as const)('follows random changes of %s', async (what, ending, link) => {
  const first = {
    'a.md': 'To [[c]] and `c.go`, `make_c()`.\n',
    // What makes a repository of a folder.
    ...(what === 'code' && { 'go.mod': 'module example.com/x\n' }),
  }
  const full = await openSmallBase(first)
  const bare = await openSmallBase(first)
  const names = ['a', 'b', 'c', 'm/a', 'm/b', 'm/c', 'z/a', 'z/b', 'z/c', 'm/d', 'z/d']
  let seed = 11
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 30; round++) {
    for (let change = 0; change <= next(3); change++) {
      const name = names[next(names.length)]!
      const targets = ['a', 'b', 'c', 'd', 'm/a', 'z/c', 'Title b', 'nick c'].filter(
        () => next(3) === 0,
      )
      const isGone = next(4) === 0
      const isNote = what === 'notes' || next(2) === 0
      const title = `Title ${name.slice(-1)}`
      const text = isNote
        ? `---\naliases: [nick ${name.slice(-1)}]\n---\n# ${title}\n\`make_${name.slice(-1)}()\` \`d.ts\` ${targets.map((each) => `[[${each}]]`).join(' ')}\n`
        : `package x\n${targets.slice(0, 3).map(link).join('')}func make_${name.slice(-1)}() {}\n`
      for (const base of name.startsWith('m/') ? [full] : [full, bare]) {
        const place = join(base.folder, `${name}${isNote ? '.md' : ending}`)
        mkdirSync(dirname(place), { recursive: true })
        if (isGone) rmSync(place, { force: true })
        else writeFileSync(place, text)
      }
    }
    await full.sync()
    await bare.sync()
    expect([round, await links(full)]).toEqual([round, await links(bare)])
  }
})
