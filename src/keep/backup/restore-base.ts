/** Restores a base and proves that it works: the index is brought up to date, and looked through. */
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadConfig } from '../../serve/config/load-config.ts'
import type { Config, ConfigInput } from '../../serve/config/config.ts'
import { tokensOf } from '../../serve/wiring/access.ts'
import type { Finding } from '../doctor/doctor.ts'
import { openBase } from '../../serve/wiring/open-base.ts'
import { checkArchive, restoreBackup } from './restore.ts'
import type { Restored } from './restore.ts'
import { indexFile } from '../../serve/parts/stores.ts'

export { planRestore } from './restore.ts'

export interface RestoreRequest {
  readonly archive: string
  readonly into: string
  readonly replace: boolean
  readonly input: Pick<ConfigInput, 'env' | 'cwd' | 'home'>
}

export interface RestoreReport extends Restored {
  readonly documentsInIndex: number
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

export async function restoreBase(request: RestoreRequest): Promise<RestoreReport> {
  const checked = await checkArchive(request.archive, request.into)
  const configOf = async (base: Restored['base']): Promise<Config> =>
    (await loadConfig(inputFor(base, request))).config
  const restored = await restoreBackup(checked, {
    replace: request.replace,
    tryConfig: async (configFile) => void (await configOf({ configFile })),
  })
  const config = await configOf(restored.base)
  putIndexInPlace(config)
  const base = await openBase(config)
  try {
    const { documents } = await base.index({})
    const { ok, findings } = await base.doctor({ repair: false })
    const all = [...findings, ...tokensBrought(config)]
    return { ...restored, documentsInIndex: documents, ok, findings: all }
  } finally {
    await base.close()
  }
}

const MOST_NAMED = 20

/** Whoever made the archive holds them, and need not be the one who restores it. */
function tokensBrought(config: Config): readonly Finding[] {
  const names = tokensOf(config)
    .list()
    .map(({ name }) => name)
  if (names.length === 0) return []
  const named = [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])]
  const what = `The archive brings tokens that let their holders in over HTTP: ${named.join(', ')}.`
  return [{ level: 'warning', what, fix: 'cairn token revoke NAME, for those that are not yours' }]
}

/** Settings of this machine's other bases have nothing to say about this one. */
function inputFor(base: Restored['base'], { input }: RestoreRequest): ConfigInput {
  const { home } = input
  const nothing = { env: {}, home, flags: {} }
  return 'folder' in base
    ? { ...nothing, cwd: base.folder, folders: [base.folder], configFile: undefined }
    : { ...nothing, cwd: dirname(base.configFile), folders: [], configFile: base.configFile }
}

/** Other rules have an index of another name. */
function putIndexInPlace(config: Config): void {
  const copied = join(config.state, 'index.db')
  const wanted = indexFile(config)
  if (wanted !== copied && existsSync(copied) && !existsSync(wanted)) renameSync(copied, wanted)
}
