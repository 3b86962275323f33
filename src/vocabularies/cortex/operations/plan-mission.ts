/** What should be mended in a graph next? A brief for whoever tends it. */
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { storedTime } from '../../../core/domain/stored-time.ts'
import { STALE_DAYS } from '../../../core/operations/entities/report-entropy.ts'
import type { EntropyReport } from '../../../core/operations/entities/report-entropy.ts'

export interface Mission {
  readonly targets: readonly MissionTarget[]
  /** Markdown. */
  readonly text: string
}

export interface MissionTarget {
  readonly id: string
  readonly why: 'orphan' | 'stale'
}

const TARGETS = 3

export function planMission(graph: EntityGraph, report: EntropyReport): Mission {
  const { orphans, stale } = report
  const lonely = orphans.slice(0, TARGETS)
  const old = stale.filter((id) => !lonely.includes(id)).slice(0, TARGETS - lonely.length)
  const targets: readonly MissionTarget[] = [
    ...lonely.map((id) => ({ id, why: 'orphan' as const })),
    ...old.map((id) => ({ id, why: 'stale' as const })),
  ]
  const lines = [
    targets.length > 0
      ? '# 🧠 NEXUS CORTEX: Active Mission (活跃任务)'
      : '# 🧠 NEXUS CORTEX: Exploration Mission (探索任务)',
    `> Generated (生成时间): ${storedTime(report.generatedAt)}`,
    '',
    '## 🎯 Objective (目标)',
    `The graph has ${report.entityCount} entities and ${report.relationCount} relations: ${orphans.length} without any relation, ${stale.length} stale, ${report.broken.length} broken ends, density ${report.density.toFixed(4)}.`,
    '',
    ...(targets.length > 0 ? describeTargets(graph, targets) : EXPLORE),
  ]
  return { targets, text: `${lines.join('\n')}\n` }
}

function describeTargets(graph: EntityGraph, targets: readonly MissionTarget[]): string[] {
  const lines = targets.flatMap(({ id, why }, index) => {
    const { name = '', type = '', desc = '' } = graph.findEntity(id) ?? {}
    return [
      `### ${index + 1}. ${oneLine(name)} (\`${oneLine(id)}\`)`,
      `- **Type**: ${oneLine(type)}`,
      `- **Context**: ${oneLine(desc)}`,
      `- **Task**: ${WHAT_TO_DO[why]}`,
      '',
    ]
  })
  return ['## 🔍 Targets (目标节点)', ...lines, ...PROTOCOL]
}

const WHAT_TO_DO = {
  orphan: 'nothing leads to it or from it. Find what it has to do with, and connect them.',
  stale: `not touched for more than ${STALE_DAYS} days. Check that it still holds, and record what is new.`,
} as const

const PROTOCOL = [
  '## 📝 Ingestion Protocol (摄入协议)',
  '```bash',
  'cairn cortex add CATEGORY --id ID --type TYPE --name NAME --desc TEXT',
  'cairn cortex connect SRC REL DST',
  '```',
]

const EXPLORE = [
  '## 🌌 Suggested Actions (建议行动)',
  'Nothing is lonely or stale. Choose a subject that is missing, add what it consists of, and connect it with what is there.',
]

/** Names come from others, and must not become headings of ours. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f`]+/g, ' ').trim()
}
