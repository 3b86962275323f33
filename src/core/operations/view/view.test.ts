/** A scope hides documents: through no question may one tell that there is something hidden. */
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import type { TestBase } from '../../../../test/support/open-test-base.ts'
import { backlinks, outgoingLinks } from '../reading/fetch-document.ts'
import { listDocuments } from '../reading/list-documents.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import {
  reportBrokenLinks,
  reportCoverage,
  reportDuplicates,
  reportHubs,
  reportOrphans,
  reportOverview,
  reportTags,
} from '../reporting/report-insights.ts'
import { reportStale } from '../reporting/report-stale.ts'
import { explainMissing } from '../searching/explain-missing.ts'
import { searchDocuments } from '../searching/search-documents.ts'
import { findPath } from '../walking/find-path.ts'
import { getNeighbors } from '../walking/get-neighbors.ts'
import { createView, wholeView } from './view.ts'
import type { View } from './view.ts'

const OPEN = {
  'tea.md': '---\ntags: [drink]\n---\n# Tea\n\nNeeds a [[kettle]] and a [[vault]].\n',
  'kettle.md': '# Kettle\n\nBoils water. #metal\n',
  'cup.md': '# Cup\n\nFor [[tea]]. Also [[nobody]].\n',
}
const HIDDEN = {
  'secret/vault.md': '---\ntags: [hush]\naliases: [safe]\n---\n# Vault\n\nGold, see [[tea]].\n',
  'secret/gold.md': '# Gold\n\nA hidden hoard. [[kettle]] [[vault]] #metal\n',
  'secret/copy.md': '# Kettle\n\nBoils water. #metal\n',
  'secret/picture.bin': '\0\0\0',
}

/** Everything the operations can say, under ids instead of numbers. */
async function everything(kb: View): Promise<unknown> {
  const failing = async (work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: Error & { hint?: string }) => [error.message, error.hint])
  const ids = ['tea', 'kettle', 'cup', 'vault', 'safe', 'gold', 'notes/secret/vault.md', 'secret/']
  const { sources, segments: _, recent, ...overview } = await reportOverview(kb)
  return {
    overview: [overview, sources, recent.map(({ path }) => path)],
    list: (await listDocuments(kb)).documents.map(({ path }) => path),
    stale: (await reportStale(kb)).items.map(({ record }) => record.path).toSorted(),
    hubs: await reportHubs(kb, { metric: 'pagerank' }),
    orphans: await reportOrphans(kb),
    broken: await reportBrokenLinks(kb),
    coverage: (await reportCoverage(kb)).states,
    tags: await reportTags(kb),
    duplicates: await reportDuplicates(kb),
    resolved: await Promise.all(
      ids.map((id) => failing(async () => (await resolveDocument(kb, id)).path)),
    ),
    neighbors: await Promise.all(
      ids.map((id) =>
        failing(async () => {
          const { neighbors, total, edges, unresolved } = await getNeighbors(kb, id, { depth: 3 })
          return { neighbors, total, edges, unresolved }
        }),
      ),
    ),
    paths: await Promise.all(ids.map((id) => failing(() => findPath(kb, 'cup', id)))),
    found: await Promise.all(
      ['gold hoard', 'tea', 'kettle water', 'vault', '"hidden hoard"'].map(async (query) =>
        (await searchDocuments(kb, query)).hits.map(({ id, snippet }) => [id, snippet]),
      ),
    ),
    filtered: await Promise.all(
      [{ tags: ['hush'] }, { path: 'secret/' }, { path: '**/gold*' }, { tags: ['metal'] }].map(
        async (selection) => (await listDocuments(kb, selection)).total,
      ),
    ),
    missing: await failing(() => explainMissing(kb, 'gold', 'vault', { shown: 10 })),
    links: await Promise.all(
      ['tea', 'kettle', 'cup'].map(async (id) => {
        const record = await resolveDocument(kb, id)
        return [await outgoingLinks(kb, record), await backlinks(kb, record)]
      }),
    ),
    names: (await kb.names.now()).all.map(({ name }) => name),
  }
}

function masked({ base }: TestBase): View {
  return createView(base, { sees: ({ path }) => !path.startsWith('secret/') })
}

describe('a scope that hides a folder', () => {
  it('answers as if the folder were not there', async () => {
    const part = await openTestBase({ ...OPEN, ...HIDDEN })
    const alone = await openTestBase(OPEN)
    expect(await everything(masked(part))).toEqual(await everything(wholeView(alone.base)))
  })

  it('keeps to it as files come and go', async () => {
    const part = await openTestBase(OPEN)
    const view = masked(part)
    const before = await everything(view)
    await part.call('write', { action: 'create', id: 'secret/new.md', content: '[[tea]] gold' })
    expect(await everything(view)).toEqual(before)
    await part.call('write', { action: 'create', id: 'seen.md', content: 'gold [[tea]]' })
    expect((await searchDocuments(view, 'gold')).hits.map(({ id }) => id)).toEqual([
      'notes/seen.md',
    ])
  })
})
