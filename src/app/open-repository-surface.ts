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
import type { Offering } from './start-serving.ts'
import type { SurfacesOptions } from './surfaces.ts'
import { VERSION } from './version.ts'

/** Where training in the original puts it. */
const MODEL_FILE = 'feedback/models/model.json'

/** Of several folders the first that holds a program, else the first that has files. */
export function openRepositorySurface(
  kb: Knowledge,
  { onBug, observe, log, state, duskmantle, sources = [] }: SurfacesOptions,
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
  return {
    surface: openDuskmantleSurface({
      repository,
      records,
      settings,
      keeping: openKeeping(kb, { state, sources }),
      rankingModel: openRankingModel(settings.modelFile ?? join(state, MODEL_FILE)),
      version: VERSION,
      log: onBug,
      observe,
    }),
  }
}
