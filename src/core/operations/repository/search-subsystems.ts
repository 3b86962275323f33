/** Which subsystems of a program is a question about? Their names tell, and the files it finds. */
import { compareIds, documentId } from '../../domain/document.ts'
import { invalid } from '../../domain/error.ts'
import { contentTerms } from '../../search/analysis/content-terms.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'
import { rankDocuments } from '../searching/rank-documents.ts'
import type { View } from '../view/view.ts'
import { countSubsystems } from './count-subsystems.ts'
import type { SubsystemCounts } from './count-subsystems.ts'
import type { Subsystem } from './model.ts'
import { repositoryOf } from './repository-of.ts'

export interface FoundSubsystem extends SubsystemCounts {
  readonly description: string | undefined
  /** Ids of its files that answer best. */
  readonly files: readonly string[]
  /** From 0 to 1; 1 is the very name. */
  readonly score: number
}

export interface SubsystemOptions extends Selection {
  readonly limit?: number
}

const DEFAULT_LIMIT = 10
/** Files that speak for their subsystems. */
const VOTERS = 50
const FILES_SHOWN = 3

export async function searchSubsystems(
  kb: View,
  query: string,
  { limit = DEFAULT_LIMIT, ...selection }: SubsystemOptions = {},
): Promise<readonly FoundSubsystem[]> {
  const asked = query.trim()
  if (asked === '') {
    throw invalid('The query is empty.', 'Give the name of a subsystem, or what it is about.')
  }
  const { view, source, model } = repositoryOf(kb)
  const { artifacts, byDoc, subsystems } = await model()
  const links = await view.links()
  const filter = await selectDocuments(view, selection)
  const { hits } = await rankDocuments(view, asked, { limit: VOTERS, filter })
  const best = hits[0]?.score ?? 0
  const votes = new Map<string, { sum: number; readonly files: string[] }>()
  for (const [rank, { doc, score }] of hits.entries()) {
    const { subsystem, path } = byDoc.get(doc) ?? {}
    if (subsystem === undefined || path === undefined) continue
    const vote = votes.get(subsystem) ?? { sum: 0, files: [] }
    vote.sum += best > 0 ? score / best / Math.log2(rank + 2) : 0
    vote.files.push(documentId({ source, path }))
    votes.set(subsystem, vote)
  }
  const most = Math.max(0, ...[...votes.values()].map(({ sum }) => sum))
  const counts = new Map(
    countSubsystems({ artifacts, byDoc }, links).map((each) => [each.subsystem, each]),
  )
  const terms = new Set(contentTerms(asked))
  return [...subsystems.values()]
    .map((subsystem): FoundSubsystem => {
      const { name, description } = subsystem
      const { sum = 0, files = [] } = votes.get(name) ?? {}
      return {
        ...(counts.get(name) ?? { subsystem: name, sourceFiles: 0, tests: 0, documents: 0 }),
        description,
        files: files.slice(0, FILES_SHOWN),
        score: closeness(subsystem, asked, terms, most > 0 ? sum / most : 0),
      }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || compareIds(a.subsystem, b.subsystem))
    .slice(0, limit)
}

/** The very name; else half for what it says of itself, half for what its files say. */
function closeness(
  { name, description = '', tags, labels, domain = '' }: Subsystem,
  asked: string,
  terms: ReadonlySet<string>,
  votes: number,
): number {
  if (name.toLowerCase() === asked.toLowerCase()) return 1
  const own = new Set(contentTerms([name, description, domain, ...tags, ...labels].join(' ')))
  const shared = [...terms].filter((term) => own.has(term)).length
  return 0.95 * (0.5 * votes + (terms.size > 0 ? (0.5 * shared) / terms.size : 0))
}
