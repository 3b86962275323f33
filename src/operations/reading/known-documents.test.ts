/** What is remembered of documents must never be told of a file that has changed since. */
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../../../test/support/open-test-base.ts'
import type { TestBase } from '../../../test/support/open-test-base.ts'
import type { ReadFile, Source } from '../../domain/source.ts'
import { openView, wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { recallDocuments } from './known-documents.ts'

const FILES = { 'tea.md': '# Tea\n\nNeeds a kettle.\n', 'cup.md': '# Cup\n\nFor tea.\n' }

/** The files count as written long ago, and it is counted how many are read. */
function watched({ base }: TestBase): { readonly kb: View; reads: string[] } {
  const reads: string[] = []
  const sources = [...base.sources].map(([name, source]): [string, Source] => [
    name,
    {
      ...source,
      read: (paths) => {
        reads.push(...paths)
        return source.read(paths)
      },
      areAsRead: (files) =>
        source.areAsRead!(
          files.map((file): ReadFile => ({ ...file, readAt: Date.now() + 60_000 })),
        ),
    },
  ])
  return { kb: wholeView({ ...base, sources: new Map(sources) }), reads }
}

async function textsOf(kb: View): Promise<readonly string[]> {
  const docs = await kb.store.pathOrder()
  return (await recallDocuments(kb, [...docs])).map(({ live }) => live.text)
}

it('reads a file twice, and gives the same document from then on', async () => {
  const { kb, reads } = watched(await openTestBase(FILES))
  const docs = [...(await kb.store.pathOrder())]
  await recallDocuments(kb, docs)
  expect(reads.splice(0).toSorted()).toEqual(['cup.md', 'tea.md'])
  const first = await recallDocuments(kb, docs)
  const second = await recallDocuments(kb, docs.toReversed())
  expect(reads.toSorted()).toEqual(['cup.md', 'tea.md'])
  expect(second.toReversed().map(({ live }) => live)).toEqual(first.map(({ live }) => live))
  expect(second[0]!.live).toBe(first[1]!.live)
  expect(second[0]!.chunks).toBe(first[1]!.chunks)
})

it('reads a file again that was written, replaced or set back in time', async () => {
  const base = await openTestBase(FILES)
  const { kb } = watched(base)
  const path = join(base.folder, 'tea.md')
  for (const _ of [1, 2, 3]) await textsOf(kb)
  writeFileSync(path, '# Tea\n\nNeeds a kettlE.\n')
  expect(await textsOf(kb)).toContain('# Tea\n\nNeeds a kettlE.\n')
  writeFileSync(`${path}.new`, '# Tea\n\nNeeds a KETTLE.\n')
  utimesSync(`${path}.new`, new Date(1_000), new Date(1_000))
  renameSync(`${path}.new`, path)
  expect(await textsOf(kb)).toContain('# Tea\n\nNeeds a KETTLE.\n')
  rmSync(path)
  expect(await textsOf(kb)).toEqual([FILES['cup.md']])
})

it('trusts no file that was written a moment before it was read', async () => {
  const base = await openTestBase(FILES)
  const [source] = base.base.sources.values()
  const writtenAt = (path: string): number => statSync(join(base.folder, path)).ctimeMs
  const { files: scanned } = await source!.scan()
  const files = scanned.map((file) => ({ ...file, readAt: writtenAt(file.path) + 1 }))
  expect(await source!.areAsRead!(files)).toEqual([false, false])
  const later = files.map((file) => ({ ...file, readAt: Date.now() + 60_000 }))
  expect(await source!.areAsRead!(later)).toEqual([true, true])
})

it('takes up what was indexed again', async () => {
  const base = await openTestBase(FILES)
  const { kb } = watched(base)
  for (const _ of [1, 2, 3]) await textsOf(kb)
  writeFileSync(join(base.folder, 'tea.md'), '# Green tea\n\nNeeds a pot.\n')
  await base.sync()
  const found = await recallDocuments(kb, [...(await kb.store.pathOrder())])
  const tea = found.find(({ live }) => live.record.path === 'tea.md')!
  expect([tea.live.record.title, tea.live.changed]).toEqual(['Green tea', false])
})

it('gives nobody what another caller was given', async () => {
  const base = await openTestBase({ ...FILES, 'secret/gold.md': '# Gold\n\nHidden.\n' })
  const { kb } = watched(base)
  const docs = [...(await kb.store.pathOrder())]
  for (const _ of [1, 2, 3]) expect(await recallDocuments(kb, docs)).toHaveLength(3)
  const part = openView(kb.base, { sees: ({ path }) => !path.startsWith('secret/') })
  const seen = await recallDocuments(part, docs)
  expect(seen.map(({ live }) => live.record.path)).toEqual(['cup.md', 'tea.md'])
})
