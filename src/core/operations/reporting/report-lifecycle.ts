/** What of a program needs tending: subsystems that lack tests or documents, and old documents. */
import { compareIds } from '../../domain/document.ts'
import { countSubsystems } from '../repository/count-subsystems.ts'
import type { SubsystemCounts } from '../repository/count-subsystems.ts'
import { lifecycleOf } from '../repository/report-lifecycle.ts'
import { repositoryOf } from '../repository/repository-of.ts'
import type { View } from '../view/view.ts'

export interface Lifecycle {
  readonly subsystems: number
  readonly staleDocuments: number
  /** Files that belong to no subsystem and have to do with no other file. */
  readonly isolated: number
  /** Those that have code and lack tests or documents, the largest first. */
  readonly lacking: readonly SubsystemCounts[]
}

/** As in the duskmantle contract. */
const STALE_DAYS = 30

export async function reportLifecycle(kb: View): Promise<Lifecycle> {
  const repository = repositoryOf(kb)
  const model = await repository.model()
  const links = await repository.view.links()
  const now = Date.now() / 1000
  const { staleDocs, isolated } = lifecycleOf(model, links, { staleDays: STALE_DAYS, now })
  const subsystems = countSubsystems(model, links).filter(({ sourceFiles }) => sourceFiles > 0)
  return {
    subsystems: subsystems.length,
    staleDocuments: staleDocs.length,
    isolated: Object.values(isolated).reduce((sum, nodes) => sum + nodes.length, 0),
    lacking: subsystems
      .filter(({ tests, documents }) => tests === 0 || documents === 0)
      .toSorted((a, b) => b.sourceFiles - a.sourceFiles || compareIds(a.subsystem, b.subsystem)),
  }
}
