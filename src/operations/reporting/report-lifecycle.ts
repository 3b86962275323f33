/** What of a program needs tending: subsystems that lack tests or documents, and old documents. */
import { compareIds } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { openRepository } from '../repository/open-repository.ts'
import type { Repository } from '../repository/open-repository.ts'
import type { Artifact } from '../repository/model.ts'
import { lifecycleOf } from '../repository/report-lifecycle.ts'
import type { View } from '../view/view.ts'

export interface TendedSubsystem {
  readonly subsystem: string
  readonly sourceFiles: number
  readonly tests: number
  readonly documents: number
}

export interface Lifecycle {
  readonly subsystems: number
  readonly staleDocuments: number
  /** Files that belong to no subsystem. */
  readonly isolated: number
  /** Those that have code and lack tests or documents, the largest first. */
  readonly lacking: readonly TendedSubsystem[]
}

/** As in the duskmantle contract. */
const STALE_DAYS = 30

export async function reportLifecycle(kb: View): Promise<Lifecycle> {
  const { artifacts } = await repositoryOf(kb).model()
  const now = Date.now() / 1000
  const { staleDocs, isolated } = lifecycleOf({ artifacts }, { staleDays: STALE_DAYS, now })
  const subsystems = countBySubsystem(artifacts).filter(({ sourceFiles }) => sourceFiles > 0)
  return {
    subsystems: subsystems.length,
    staleDocuments: staleDocs.length,
    isolated: Object.values(isolated).reduce((sum, nodes) => sum + nodes.length, 0),
    lacking: subsystems
      .filter(({ tests, documents }) => tests === 0 || documents === 0)
      .toSorted((a, b) => b.sourceFiles - a.sourceFiles || compareIds(a.subsystem, b.subsystem)),
  }
}

/** One for every view: what it knows of texts and of git is worth keeping. */
const repositories = new WeakMap<View, Repository>()

function repositoryOf(kb: View): Repository {
  const known = repositories.get(kb)
  if (known) return known
  const source = [...kb.sources.values()].find(({ holdsCode }) => holdsCode)
  const workTree = source && kb.workTreeOf?.(source.name)
  if (!source || !workTree) {
    throw new KnowledgeError(
      'unsupported',
      'No source of this base is the folder of a program.',
      'Serve one that has a package.json, pyproject.toml, go.mod or the like at its top.',
    )
  }
  const repository = openRepository(kb.base, { source: source.name, workTree, sees: kb.sees })
  repositories.set(kb, repository)
  return repository
}

function countBySubsystem(artifacts: readonly Artifact[]): TendedSubsystem[] {
  const named = artifacts.filter(({ subsystem }) => subsystem !== undefined)
  return [...Map.groupBy(named, ({ subsystem }) => subsystem!)].map(([subsystem, own]) => ({
    subsystem,
    sourceFiles: own.filter(({ type }) => type === 'code' || type === 'proto').length,
    tests: own.filter(({ type }) => type === 'test').length,
    documents: own.filter(({ type }) => type === 'doc').length,
  }))
}
