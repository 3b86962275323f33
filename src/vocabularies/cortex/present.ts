/** Entities, relations and the report in the words of this surface. */
import type { EntropyReport } from '../../core/operations/entities/report-entropy.ts'
import { describeBroken, STALE_DAYS } from '../../core/operations/entities/report-entropy.ts'
import { entityObject } from '../../core/domain/stored-entity.ts'
import type { StoredObject } from '../../core/domain/stored-entity.ts'
import type { FoundEntity } from './operations/search-entities.ts'

export function presentFound({ entity, score }: FoundEntity): StoredObject {
  return { ...entityObject(entity), score }
}

export function presentEntropy(report: EntropyReport) {
  return {
    total_nodes: report.entityCount,
    total_edges: report.relationCount,
    orphan_nodes: report.orphans,
    stale_nodes: report.stale,
    broken_links: report.broken.map(describeBroken),
    density: report.density,
    generated_at: report.generatedAt.toISOString(),
    stale_days: STALE_DAYS,
    warnings: report.warnings,
  }
}
