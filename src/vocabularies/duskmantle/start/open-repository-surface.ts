/** The duskmantle surface over a base: its repository, its runs and how it is searched. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { orElse } from '../../../core/kit/or-else.ts'
import { loadDuskmantleSettings } from './duskmantle-settings.ts'
import { invalid } from '../../../core/domain/error.ts'
import { openRunRecords } from '../../../core/history/open-run-records.ts'
import { openRepository } from '../../../core/operations/repository/open-repository.ts'
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import { openWorkTree } from '../../../core/sources/git/open-work-tree.ts'
import { openDuskmantleSurface } from '../open-duskmantle-surface.ts'
import { presentRun, presentWeights } from '../present.ts'
import { openKeeping } from '../../../keep/open-keeping.ts'
import { openRankingModel } from './ranking-model.ts'
import type { Offering } from '../../../serve/wiring/start-serving.ts'
import type { OpenerOptions } from '../../../serve/wiring/surfaces.ts'
import { VERSION } from '../../../core/kit/version.ts'

/** Where training in the original puts it. */
const MODEL_FILE = 'feedback/models/model.json'

/** Of several folders the first that holds a program, else the first that has files. */
export function openRepositorySurface(kb: Knowledge, options: OpenerOptions): Offering {
  const { door, log, state, duskmantle, sources = [] } = options
  const { kmMetrics, hasPage = false } = options
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
  const surface = openDuskmantleSurface({
    repository,
    records,
    settings,
    keeping,
    onGraph: kmMetrics?.graph,
    rankingModel: openRankingModel(settings.modelFile ?? join(state, MODEL_FILE)),
    version: VERSION,
    ...door,
  })
  return {
    surface,
    async routes() {
      const { gatewayMount } = await import('../routes/gateway-mount.ts')
      return [
        gatewayMount({
          surface,
          rate: settings.rate,
          weights: () => presentWeights(settings),
          runs: (limit) => records.runs(undefined, limit).map(presentRun),
          hasPage,
          lifecycles: () => reportsIn(join(state, 'reports/lifecycle_history')),
        }),
      ]
    },
  }
}

const MOST_REPORTS = 20

/** The newest first. One that cannot be read is left out. */
function reportsIn(folder: string): readonly Readonly<Record<string, unknown>>[] {
  const names = existsSync(folder) ? readdirSync(folder).toSorted().toReversed() : []
  return names.slice(0, MOST_REPORTS).flatMap((name) => {
    return orElse(
      () => [JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>],
      [],
    )
  })
}
