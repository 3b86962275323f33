/** Restores a base and proves that it works: the index is brought up to date, and looked through. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../config/config.ts'
import type { Config, ConfigInput } from '../config/config.ts'
import { KnowledgeError, quoted } from '../domain/error.ts'
import type { Finding } from './doctor.ts'
import { openBase } from './open-base.ts'
import { planRestore, restoreBackup } from './restore.ts'
import type { Restored, RestorePlan } from './restore.ts'
import { indexFile } from './stores.ts'

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
  const plan = await planRestore(request.archive, request.into)
  if (plan.replaces && request.replace) await refuseServed(plan, request)
  const restored = await restoreBackup(request.archive, request.into, request)
  const { config } = await loadConfig(inputFor(restored.base, request))
  putIndexInPlace(config)
  const base = await openBase(config)
  try {
    const { documents } = await base.index({})
    const { ok, findings } = await base.doctor({ repair: false })
    return { ...restored, documentsInIndex: documents, ok, findings }
  } finally {
    await base.close()
  }
}

/** Settings of this machine's other bases have nothing to say about this one. */
function inputFor(base: Restored['base'], { input }: RestoreRequest): ConfigInput {
  const { home, cwd } = input
  const nothing = { env: {}, cwd, home, flags: {} }
  return 'folder' in base
    ? { ...nothing, folders: [base.folder], configFile: undefined }
    : { ...nothing, folders: [], configFile: base.configFile }
}

/** Other rules have an index of another name. */
function putIndexInPlace(config: Config): void {
  const copied = join(config.state, 'index.db')
  const wanted = indexFile(config)
  if (wanted !== copied && existsSync(copied) && !existsSync(wanted)) renameSync(copied, wanted)
}

async function refuseServed({ into }: RestorePlan, request: RestoreRequest): Promise<void> {
  if (!existsSync(join(into, '.cairn', 'index.db'))) return
  const { config } = await loadConfig(inputFor({ folder: into }, request))
  const base = await openBase(config)
  try {
    const { indexed_by: holder } = await base.status()
    if (holder === null) return
    throw new KnowledgeError(
      'conflict',
      `A server is at work on ${quoted(into)} (${String(holder)}).`,
      'Nothing was changed. Stop it first, or restore into another place.',
    )
  } finally {
    await base.close()
  }
}
