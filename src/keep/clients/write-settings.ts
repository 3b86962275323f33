/** Reads and writes settings files of other programs: whole or not at all, with what was there kept. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { unavailable } from '../../core/domain/error.ts'
import type { ConnectionPlan, Found } from './plan-connection.ts'
import { realPlace } from './settings-place.ts'
import type { RealPlace, SettingsPlace } from './settings-place.ts'
import { putFile, readText, statsOf, swapFile } from './swap-file.ts'

export function readSettingsFile(place: SettingsPlace): Found {
  return explaining(place.file, () => {
    const real = realPlace(place)
    return { file: place.file, text: readText(real.file), backup: readText(real.backup) }
  })
}

type SettingsPlan = Omit<ConnectionPlan, 'client' | 'file' | 'diff' | 'name'>

export async function writeSettings(plan: SettingsPlan, place: SettingsPlace): Promise<void> {
  if (plan.action === 'none') return
  const { before, isFirst, isLast } = plan
  try {
    // Again, and not from the plan: somebody was asked in between.
    const real = realPlace(place)
    // The text from before the first change is what is worth keeping.
    const keeps = isFirst && before !== undefined && readText(real.backup) === undefined
    if (before === undefined) mkdirSync(dirname(real.file), { recursive: true })
    if (keeps) putFile(real.backup, before, statsOf(real.file))
    try {
      await swap(plan, real, place)
    } catch (error) {
      if (keeps) rmSync(real.backup, { force: true })
      throw error
    }
    if (isLast) rmSync(real.backup, { force: true })
  } catch (error) {
    throw explained(place.file, error)
  }
}

/** Of a link that is to go, only the link goes. */
async function swap(
  { before, after }: SettingsPlan,
  { file, isLink }: RealPlace,
  place: SettingsPlace,
): Promise<void> {
  if (isLink && after === undefined) rmSync(place.file)
  else await swapFile(file, before, after)
}

function explaining<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw explained(file, error)
  }
}

function explained(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return unavailable(
    `${file} cannot be read and written: ${error.message}.`,
    'It was left as it is. Give permission or make room there, then run the command again.',
  )
}
