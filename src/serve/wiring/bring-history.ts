/**
 * Who has kept a base in files and keeps it in a database from now on brings its history along, the
 * first time. The files stay where they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskAddress } from '../../core/domain/store-address.ts'
import { carrying } from '../../core/history/carry-history.ts'
import { openHistory } from '../../core/history/open-history.ts'
import type { StoreWriting } from '../../core/store/opened-store.ts'

/** Says to which databases the history of this folder was brought, a line each. */
const BROUGHT = 'history-brought'

/** What to say where it could not be brought. */
export async function bringHistory(
  { state, store }: { readonly state: string; readonly store: string },
  { lock, history }: Pick<StoreWriting, 'lock' | 'history'>,
): Promise<string | undefined> {
  const folder = join(state, 'history')
  if (!existsSync(folder)) return undefined
  const from = openHistory(folder)
  if (await isEmpty(from)) return undefined
  const known = join(state, BROUGHT)
  const address = maskAddress(store)
  const brought = existsSync(known) ? readFileSync(known, 'utf8').split('\n') : []
  if (brought.includes(address) && !(await isEmpty(history))) return undefined
  const carried = await lock.hold([], carrying(from, history))
  if (carried === undefined) {
    return `The history in ${folder} is not in the database, which has one of its own. It stays where it is; start without --store to see it and to undo what is in it.`
  }
  writeFileSync(known, [...brought.filter(Boolean), address, ''].join('\n'), { mode: 0o600 })
  return undefined
}

async function isEmpty(history: StoreWriting['history']): Promise<boolean> {
  let found = false
  await history.each(() => {
    found = true
    return false
  })
  return !found
}
