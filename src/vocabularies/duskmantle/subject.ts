/** What the tools of this surface work on: one repository, its graph and its records. */
import type { RankingModel } from './operations/ranking-model.ts'
import type { RepositoryModel } from '../../core/operations/repository/model.ts'
import type { Repository } from '../../core/operations/repository/open-repository.ts'
import { buildRepositoryGraph } from '../../core/operations/repository/repository-graph.ts'
import type { RepositoryGraph } from '../../core/operations/repository/repository-graph.ts'
import type { RunRecords } from './operations/run-ingest.ts'
import type { Surface } from '../../serve/door/surface.ts'
import type { Keeping } from '../../core/operations/keeping/keeping.ts'
import type { DuskmantleSettings } from './settings.ts'
import type { GraphLook } from './telemetry.ts'

export interface ToolCaller {
  names(): readonly string[]
  readonly call: Surface['call']
}

export interface Duskmantle {
  readonly repository: Repository
  readonly records: RunRecords
  readonly settings: DuskmantleSettings
  readonly keeping: Keeping
  /** The tools themselves, for whoever calls several. */
  readonly callTool: ToolCaller
  /** The same object as long as the repository is the same. */
  graph(): Promise<RepositoryGraph>
  /** What orders chunks instead of the formula; undefined where there is none that can be used. */
  rankingModel(): RankingModel | undefined
}

export interface DuskmantleParts extends Omit<Duskmantle, 'graph' | 'rankingModel'> {
  /** Told how long the graph took. */
  readonly onGraph?: ((look: GraphLook) => void) | undefined
  readonly rankingModel?: (() => RankingModel | undefined) | undefined
}

export function openDuskmantle(parts: DuskmantleParts): Duskmantle {
  const { repository, records, settings, keeping, callTool } = parts
  let last: { readonly model: RepositoryModel; readonly graph: RepositoryGraph } | undefined
  return {
    repository,
    records,
    settings,
    keeping,
    callTool,
    rankingModel: () => (settings.scoringMode === 'ml' ? parts.rankingModel?.() : undefined),
    async graph() {
      const started = performance.now()
      const model = await repository.model()
      const hit = last?.model === model
      if (last?.model !== model) {
        const links = await repository.view.links()
        last = { model, graph: buildRepositoryGraph(model, links, settings) }
      }
      parts.onGraph?.({ hit, durationMs: performance.now() - started })
      return last.graph
    },
  }
}
