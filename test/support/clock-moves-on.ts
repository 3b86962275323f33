import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { SOON } from './soon.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * Waits until what is written has a later time than this one. The clock of a file system goes in
 * steps of some milliseconds: within one, a second change looks like the first.
 */
export async function clockMovesOn(afterMs: number): Promise<void> {
  const probe = join(temporaryFolder(), 'probe')
  await vi.waitFor(
    () => {
      writeFileSync(probe, '')
      if (statSync(probe).ctimeMs <= afterMs) throw new Error('the clock stands still')
    },
    { ...SOON, interval: 1 },
  )
}
