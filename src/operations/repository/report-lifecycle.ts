/** What of a repository needs tending: old documents, loose ends, subsystems without tests. */
import { compareIds } from '../../domain/document.ts'
import type { Artifact, RepositoryModel } from './model.ts'
import { LABEL_OF } from './repository-graph.ts'
import type { Label } from './repository-graph.ts'

export interface LifecycleReport {
  readonly staleDays: number
  /** By label; labels without any are left out. */
  readonly isolated: Readonly<Partial<Record<Label, readonly IsolatedNode[]>>>
  readonly staleDocs: readonly Artifact[]
  readonly missingTests: readonly UntestedSubsystem[]
}

export interface IsolatedNode {
  readonly key: string
  readonly path: string | undefined
  readonly name: string | undefined
}

export interface UntestedSubsystem {
  readonly subsystem: string
  readonly sourceFiles: number
  readonly testCases: number
}

const DAY = 86_400

/** `now` in seconds since the epoch. */
export function lifecycleOf(
  { artifacts }: Pick<RepositoryModel, 'artifacts'>,
  { staleDays, now }: { readonly staleDays: number; readonly now: number },
): LifecycleReport {
  return {
    staleDays,
    isolated: isolatedIn(artifacts),
    staleDocs: artifacts.filter(
      ({ type, committedAt }) =>
        type === 'doc' && committedAt !== undefined && now - committedAt > staleDays * DAY,
    ),
    missingTests: untested(artifacts),
  }
}

const MAY_BE_ISOLATED: readonly Label[] = ['DesignDoc', 'SourceFile', 'TestCase']

function isolatedIn(artifacts: readonly Artifact[]): LifecycleReport['isolated'] {
  const loose = artifacts.filter(({ subsystem }) => subsystem === undefined)
  const groups = MAY_BE_ISOLATED.map((label): [Label, IsolatedNode[]] => [
    label,
    loose
      .filter(({ type }) => LABEL_OF[type] === label)
      .map(({ path }) => ({ key: path, path, name: undefined })),
  ])
  const implemented = new Set(
    artifacts.flatMap(({ subsystem, messages }) => (subsystem === undefined ? [] : messages)),
  )
  const messages = [...new Set(artifacts.flatMap((each) => each.messages))]
    .filter((name) => !implemented.has(name))
    .toSorted(compareIds)
    .map((name) => ({ key: name, path: undefined, name }))
  return Object.fromEntries(
    [...groups, ['IntegrationMessage', messages] as const].filter(([, nodes]) => nodes.length > 0),
  )
}

/** What belongs to no subsystem says nothing about one. */
function untested(artifacts: readonly Artifact[]): UntestedSubsystem[] {
  const counts = new Map<string, { sourceFiles: number; testCases: number }>()
  for (const { subsystem, type } of artifacts) {
    if (subsystem === undefined) continue
    const count = counts.get(subsystem) ?? { sourceFiles: 0, testCases: 0 }
    if (type === 'code' || type === 'proto') count.sourceFiles++
    if (type === 'test') count.testCases++
    counts.set(subsystem, count)
  }
  return [...counts]
    .filter(([, { sourceFiles, testCases }]) => sourceFiles > 0 && testCases === 0)
    .map(([subsystem, count]) => ({ subsystem, ...count }))
    .toSorted((a, b) => compareIds(a.subsystem, b.subsystem))
}
