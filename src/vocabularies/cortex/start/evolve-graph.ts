/** Looks at a graph and writes the brief of what to mend next. */
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { planMission } from '../operations/plan-mission.ts'
import type { MissionTarget } from '../operations/plan-mission.ts'
import { createEntropyReport } from '../../../core/operations/entities/report-entropy.ts'
import type { EntropyReport } from '../../../core/operations/entities/report-entropy.ts'
import { replaceMission } from '../../../core/sources/jsonl/mission-file.ts'
import type { WrittenMission } from '../../../core/sources/jsonl/mission-file.ts'

export interface Evolution extends WrittenMission {
  readonly targets: readonly MissionTarget[]
  /** What the targets were chosen from. */
  readonly report: EntropyReport
}

export function evolveGraph(graph: EntityGraph, now: Date = new Date()): Evolution {
  const report = createEntropyReport(graph, () => now)()
  const { targets, text } = planMission(graph, report)
  return { targets, report, ...replaceMission(graph.root, text, now) }
}
