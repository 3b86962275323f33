/** How far has the base fallen into disorder: what hangs loose, is old, leads nowhere, stands twice? */
import type { View } from '../view/view.ts'
import { reportBrokenLinks, reportDuplicates, reportOrphans } from './report-insights.ts'

export interface Entropy {
  readonly documents: number
  readonly links: number
  /** Links of those that are possible; 0 for fewer than two documents. */
  readonly density: number
  /** What is wrong, how often, and which report lists it; what is wrong most often first. */
  readonly disorder: readonly Disorder[]
}

export interface Disorder {
  readonly report: 'orphans' | 'broken_links' | 'stale' | 'duplicates'
  readonly count: number
  /** Of all documents, or of all links. */
  readonly share: number
}

/** What nobody has touched for a year may still be true; somebody should look. */
export const OLD_DAYS = 365

const COUNT = { limit: 1 }

export async function reportEntropy(kb: View, now = Date.now()): Promise<Entropy> {
  const { documents, links } = await kb.store.counts()
  const orphans = (await reportOrphans(kb, COUNT)).total
  const broken = (await reportBrokenLinks(kb, COUNT)).total
  const updatedBefore = now - OLD_DAYS * 86_400_000
  const stale = (await kb.store.list({ updatedBefore }, 'path', { offset: 0, limit: 0 })).total
  const duplicates = (await reportDuplicates(kb, COUNT)).total
  const of = (count: number, all: number): number => (all > 0 ? count / all : 0)
  const disorder: Disorder[] = [
    { report: 'orphans', count: orphans, share: of(orphans, documents) },
    { report: 'broken_links', count: broken, share: of(broken, links + broken) },
    { report: 'stale', count: stale, share: of(stale, documents) },
    { report: 'duplicates', count: duplicates, share: of(duplicates, documents) },
  ]
  return {
    documents,
    links,
    density: documents < 2 ? 0 : links / (documents * (documents - 1)),
    disorder: disorder.toSorted((a, b) => b.share - a.share),
  }
}
