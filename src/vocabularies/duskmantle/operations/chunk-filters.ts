/** Which artifacts and symbols do the filters of a search let through? */
import type { CodeSymbol } from '../../../core/domain/code.ts'
import type { Artifact } from '../../../core/operations/repository/model.ts'
import { LABEL_OF } from '../../../core/operations/repository/repository-graph.ts'
import type { RepositoryGraph } from '../../../core/operations/repository/repository-graph.ts'

/** Within one list any may match; of the lists all must. Everything compares without case. */
export interface ChunkFilters {
  readonly subsystems?: readonly string[]
  readonly artifactTypes?: readonly string[]
  readonly namespaces?: readonly string[]
  readonly tags?: readonly string[]
  readonly symbols?: readonly string[]
  readonly symbolKinds?: readonly string[]
  readonly symbolLanguages?: readonly string[]
  /** Seconds since the epoch. */
  readonly updatedAfter?: number
}

/** The artifacts that the filters let through. */
export function admitArtifacts(
  artifacts: readonly Artifact[],
  filters: ChunkFilters,
  graph: RepositoryGraph | undefined,
  warnings: string[],
): readonly Artifact[] {
  const { updatedAfter } = filters
  const wanted = (list: readonly string[] | undefined) =>
    list?.length ? new Set(list.map((each) => each.toLowerCase())) : undefined
  const [subsystems, types, namespaces, tags] = [
    wanted(filters.subsystems),
    wanted(filters.artifactTypes),
    wanted(filters.namespaces),
    wanted(filters.tags),
  ]
  const has = (set: ReadonlySet<string> | undefined, values: readonly string[]): boolean =>
    set === undefined || values.some((value) => set.has(value.toLowerCase()))
  let undated = false
  const admitted = artifacts.filter((artifact) => {
    if (!has(types, [artifact.type]) || !has(namespaces, [artifact.namespace])) return false
    if (!has(tags, artifact.tags)) return false
    if (subsystems && !has(subsystems, subsystemNames(artifact, graph))) return false
    if (symbolsWanted(filters) && !artifact.symbols.some((each) => fits(each, artifact, filters))) {
      return false
    }
    if (updatedAfter === undefined) return true
    if (artifact.committedAt === undefined) undated = true
    return artifact.committedAt !== undefined && artifact.committedAt >= updatedAfter
  })
  if (undated) warnings.push('recency filter skipped results lacking timestamps')
  return admitted
}

/** By these a file without a subsystem of its own says what it is about. */
const ABOUT: ReadonlySet<string> = new Set(['EXERCISES', 'MENTIONS', 'LINKS_TO', 'IMPORTS'])

/**
 * Its own, else the one that those files belong to which it names: what names files of several is
 * about none of them, and being named by others says nothing.
 */
function subsystemNames(
  { subsystem, type, path }: Artifact,
  graph: RepositoryGraph | undefined,
): readonly string[] {
  if (subsystem !== undefined) return [subsystem]
  const node = graph?.find(LABEL_OF[type], path)
  if (!graph || node === undefined) return []
  const names = new Set(
    graph
      .edgesOf(node, 'out')
      .filter((edge) => ABOUT.has(edge.type))
      .map((edge) => graph.nodes[edge.node]!.properties['subsystem'])
      .filter((name) => typeof name === 'string'),
  )
  return names.size === 1 ? [...names] : []
}

export function symbolsWanted({ symbols, symbolKinds, symbolLanguages }: ChunkFilters): boolean {
  return Boolean(symbols?.length || symbolKinds?.length || symbolLanguages?.length)
}

/** One symbol must meet all that is asked of symbols. */
export function fits(
  { qualifiedName, kind }: CodeSymbol,
  { language }: Artifact,
  { symbols = [], symbolKinds = [], symbolLanguages = [] }: ChunkFilters,
): boolean {
  const is = (list: readonly string[], value: string): boolean =>
    list.length === 0 || list.some((each) => each.toLowerCase() === value.toLowerCase())
  return is(symbols, qualifiedName) && is(symbolKinds, kind) && is(symbolLanguages, language ?? '')
}
