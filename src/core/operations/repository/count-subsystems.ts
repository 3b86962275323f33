/** How much code, how many tests and documents does each subsystem have? */
import type { DocNo } from '../../domain/document.ts'
import type { ArtifactType } from './artifact-type.ts'
import type { Artifact, RepositoryModel } from './model.ts'
import { fileEdges } from './repository-graph.ts'
import type { EdgeName, FileLinks } from './repository-graph.ts'

export interface SubsystemCounts {
  readonly subsystem: string
  readonly sourceFiles: number
  readonly tests: number
  readonly documents: number
}

/** Who speaks for a subsystem from elsewhere: a test of its files, a document that names them. */
const SPEAKS: Readonly<Partial<Record<EdgeName, ArtifactType>>> = {
  EXERCISES: 'test',
  MENTIONS: 'doc',
  LINKS_TO: 'doc',
}

/** Of those that have files at all. Tests and documents count wherever they lie. */
export function countSubsystems(
  { artifacts, byDoc }: Pick<RepositoryModel, 'artifacts' | 'byDoc'>,
  links: FileLinks,
): SubsystemCounts[] {
  const speaking = new Map<string, Set<DocNo>>()
  for (const { from, to, name } of fileEdges(links)) {
    const [speaker, subsystem] = [byDoc.get(from), byDoc.get(to)?.subsystem]
    if (subsystem === undefined || !speaker || SPEAKS[name] !== speaker.type) continue
    speaking.set(subsystem, (speaking.get(subsystem) ?? new Set()).add(from))
  }
  const named = artifacts.filter(({ subsystem }) => subsystem !== undefined)
  return [...Map.groupBy(named, ({ subsystem }) => subsystem!)].map(([subsystem, own]) => {
    const others = [...(speaking.get(subsystem) ?? [])].map((doc) => byDoc.get(doc)!)
    const all = [...new Set([...own, ...others])]
    const count = (...types: readonly Artifact['type'][]): number =>
      all.filter(({ type }) => types.includes(type)).length
    return {
      subsystem,
      sourceFiles: count('code', 'proto'),
      tests: count('test'),
      documents: count('doc'),
    }
  })
}
