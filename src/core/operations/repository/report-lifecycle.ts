/** What of a repository needs tending: old documents, loose ends, subsystems without tests. */
import { compareIds } from '../../domain/document.ts'
import type { DocNo } from '../../domain/document.ts'
import type { Artifact, RepositoryModel } from './model.ts'
import { countSubsystems } from './count-subsystems.ts'
import { fileEdges, LABEL_OF } from './repository-graph.ts'
import type { FileLinks, Label } from './repository-graph.ts'

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
  model: Pick<RepositoryModel, 'artifacts' | 'byDoc'>,
  links: FileLinks,
  { staleDays, now }: { readonly staleDays: number; readonly now: number },
): LifecycleReport {
  return {
    staleDays,
    isolated: isolatedIn(model, links),
    staleDocs: model.artifacts.filter(
      ({ type, committedAt }) =>
        type === 'doc' && committedAt !== undefined && now - committedAt > staleDays * DAY,
    ),
    missingTests: untested(model, links),
  }
}

const MAY_BE_ISOLATED: readonly Label[] = ['DesignDoc', 'SourceFile', 'TestCase']

/** What belongs to no subsystem, and neither names another file nor is named by one. */
function isolatedIn(
  { artifacts, byDoc }: Pick<RepositoryModel, 'artifacts' | 'byDoc'>,
  links: FileLinks,
): LifecycleReport['isolated'] {
  const joined = new Set<DocNo>()
  for (const { from, to } of fileEdges(links)) {
    if (byDoc.has(from) && byDoc.has(to)) joined.add(from).add(to)
  }
  const loose = artifacts.filter(
    ({ doc, subsystem }) => subsystem === undefined && !joined.has(doc),
  )
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

function untested(...of: Parameters<typeof countSubsystems>): UntestedSubsystem[] {
  return countSubsystems(...of)
    .filter(({ sourceFiles, tests }) => sourceFiles > 0 && tests === 0)
    .map(({ subsystem, sourceFiles, tests }) => ({ subsystem, sourceFiles, testCases: tests }))
    .toSorted((a, b) => compareIds(a.subsystem, b.subsystem))
}
