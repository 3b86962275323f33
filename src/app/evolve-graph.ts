/** Looks at a graph and writes the brief of what to mend next. */
import type { EntityGraph } from '../domain/entity-graph.ts'
import { planMission } from '../operations/entities/plan-mission.ts'
import type { MissionTarget } from '../operations/entities/plan-mission.ts'
import { openEntropyReport } from '../operations/entities/report-entropy.ts'
import { replaceMission } from '../sources/jsonl/mission-file.ts'
import type { WrittenMission } from '../sources/jsonl/mission-file.ts'

export interface Evolution extends WrittenMission {
  readonly targets: readonly MissionTarget[]
}

export function evolveGraph(graph: EntityGraph, now: Date = new Date()): Evolution {
  const { targets, text } = planMission(graph, openEntropyReport(graph, () => now)())
  return { targets, ...replaceMission(graph.root, text, now) }
}
