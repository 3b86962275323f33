/** Who waits for the lock gets it next, and nobody waits for one who is gone. */
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { openWriteLock } from './open-write-lock.ts'
import { HOST_MARK } from '../../kit/processes.ts'

const TURNS = 15

it.each([2, 4])('takes turns among %i that always want it', async (many) => {
  const folder = temporaryFolder()
  const turns: number[] = []
  const take = async (who: number): Promise<void> => {
    const lock = openWriteLock(join(folder, 'write.lock'))
    onTestFinished(() => lock.close())
    for (let turn = 0; turn < TURNS; turn++) {
      await lock.hold(async () => {
        turns.push(who)
        await sleep(1)
      })
    }
  }
  await Promise.all(Array.from({ length: many }, (_, who) => take(who)))
  const again = turns.filter((who, index) => who === turns[index - 1])
  // The last one is alone at the end, and a machine that stood still lets somebody pass.
  expect(again.length).toBeLessThan(turns.length / 4)
  expect(readdirSync(folder).filter((name) => name !== '.gitignore')).toEqual(['write.lock'])
})

it.each([
  ['was killed', 4_000_000, Date.now()],
  ['stands still', process.pid, Date.now() - 60_000],
])('passes by one who waited and %s', async (_, pid, seenAt) => {
  const folder = temporaryFolder()
  const file = join(folder, 'write.lock')
  const lock = openWriteLock(file, { waitMs: 60_000 })
  onTestFinished(() => lock.close())
  await lock.hold(async () => {})
  const ticket = `${file}.${String(1).padStart(15, '0')}.${pid}.${HOST_MARK}.00000000`
  writeFileSync(ticket, '')
  utimesSync(ticket, new Date(seenAt), new Date(seenAt))
  expect(await lock.hold(async () => 'mine')).toBe('mine')
  expect(readdirSync(folder)).not.toContain(ticket)
})
