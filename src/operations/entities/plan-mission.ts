/** What should be mended in a graph next? A brief for whoever tends it. */
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { STALE_DAYS } from './report-entropy.ts'
import type { EntropyReport } from './report-entropy.ts'

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
    targets.length > 0 ? '# Mission: tend the graph' : '# Mission: explore',
    '',
    `Planned at ${report.generatedAt.toISOString()}.`,
    '',
    `The graph has ${report.entityCount} entities and ${report.relationCount} relations: ${orphans.length} without any relation, ${stale.length} stale, ${report.broken.length} broken ends, density ${report.density.toFixed(4)}.`,
    '',
    ...(targets.length > 0 ? describeTargets(graph, targets) : EXPLORE),
  ]
  return { targets, text: `${lines.join('\n')}\n` }
}

function describeTargets(graph: EntityGraph, targets: readonly MissionTarget[]): string[] {
  const lines = targets.map(({ id, why }) => {
    const name = oneLine(graph.findEntity(id)?.name ?? '')
    return `- [ ] \`${oneLine(id)}\` (${name}): ${WHAT_TO_DO[why]}`
  })
  return ['## Targets', '', ...lines]
}

const WHAT_TO_DO = {
  orphan: 'nothing leads to it or from it. Find what it has to do with, and connect them.',
  stale: `not touched for more than ${STALE_DAYS} days. Check that it still holds, and record what is new.`,
} as const

const EXPLORE = [
  '## Exploration',
  '',
  'Nothing is lonely or stale. Choose a subject that is missing, add what it consists of, and connect it with what is there.',
]

/** Names come from others, and must not become headings of ours. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f`]+/g, ' ').trim()
}
