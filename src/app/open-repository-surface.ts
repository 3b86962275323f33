/** The duskmantle surface over a base: its repository, its runs and how it is searched. */
import { join } from 'node:path'
import { loadDuskmantleSettings } from '../config/duskmantle-settings.ts'
import { invalid } from '../domain/error.ts'
import { openRunRecords } from '../history/open-run-records.ts'
import { openRepository } from '../operations/repository/open-repository.ts'
import type { Knowledge } from '../operations/view/knowledge.ts'
import { openWorkTree } from '../sources/git/open-work-tree.ts'
import { openDuskmantleSurface } from '../surfaces/duskmantle/open-duskmantle-surface.ts'
import { openKeeping } from './keeping.ts'
import { openRankingModel } from './ranking-model.ts'
import type { CallReport } from '../surfaces/duskmantle/telemetry.ts'
import type { KmMetrics } from './km-metrics.ts'
import type { Log, Offering } from './start-serving.ts'
import type { SurfacesOptions } from './surfaces.ts'
import { VERSION } from './version.ts'

/** Where training in the original puts it. */
const MODEL_FILE = 'feedback/models/model.json'

/** Of several folders the first that holds a program, else the first that has files. */
export function openRepositorySurface(
  kb: Knowledge,
  { onBug, observe, timeLimitMs, log, state, duskmantle, sources = [], kmMetrics }: SurfacesOptions,
): Offering {
  const folders = [...kb.sources.values()].filter(({ writer }) => writer)
  const source = folders.find(({ holdsCode }) => holdsCode) ?? folders[0]
  if (!source) {
    throw invalid(
      'The duskmantle surface needs a folder with files, and no source has any.',
      'Serve the folder of a repository.',
    )
  }
  const settings = duskmantle ?? loadDuskmantleSettings({ env: process.env, strict: false })
  const repository = openRepository(kb, {
    source: source.name,
    workTree: openWorkTree(source.root),
    windows: settings.windows,
    symbols: settings.symbols,
    include: settings.include,
  })
  const records = openRunRecords(state, {
    keep: settings.keptReports,
    warn: (message) => log('warn', message),
  })
  const keeping = kb.keeping ?? openKeeping(kb, { state, sources })
  kmMetrics?.follow({
    records,
    votes: keeping.feedback.votes,
    learns: () => keeping.learned().active,
  })
  return {
    surface: openDuskmantleSurface({
      repository,
      records,
      settings,
      keeping,
      telemetry: { call: (report) => tell(report, log, kmMetrics) },
      rankingModel: openRankingModel(settings.modelFile ?? join(state, MODEL_FILE)),
      version: VERSION,
      log: onBug,
      observe,
      timeLimitMs,
    }),
  }
}

/** One line for every call: which tool, with what, how long, and what was odd about it. */
function tell(report: CallReport, log: Log, metrics: KmMetrics | undefined): void {
  metrics?.call(report)
  const { tool = 'unknown', parameters, durationMs, error, warnings } = report
  const line = {
    tool,
    parameters,
    duration_ms: Math.round(durationMs * 10) / 10,
    result: error === undefined ? 'success' : 'error',
    ...(error !== undefined && { error }),
    warnings,
  }
  log('info', JSON.stringify(line))
}
