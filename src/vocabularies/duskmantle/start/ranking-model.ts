/** The model file of a repository, read again when somebody has put another one there. */
import { readFileSync, statSync } from 'node:fs'
import { parseRankingModel } from '../operations/ranking-model.ts'
import type { RankingModel } from '../operations/ranking-model.ts'

/** Undefined where there is no file, or none that can be used. */
export function openRankingModel(file: string): () => RankingModel | undefined {
  let known: { readonly stamp: string; readonly model: RankingModel | undefined } | undefined
  return () => {
    const stat = statSync(file, { throwIfNoEntry: false })
    const stamp = stat?.isFile() ? `${stat.mtimeMs} ${stat.size}` : ''
    if (known?.stamp !== stamp) {
      known = { stamp, model: stamp === '' ? undefined : readModel(file) }
    }
    return known.model
  }
}

/** A model of a dozen numbers is no larger. */
const MOST_BYTES = 1024 * 1024

function readModel(file: string): RankingModel | undefined {
  try {
    const bytes = readFileSync(file)
    return bytes.length > MOST_BYTES ? undefined : parseRankingModel(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
