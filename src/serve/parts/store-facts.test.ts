import { expect, it } from 'vitest'
import type { HeldRole } from '../../core/store/lease-store.ts'
import type { Store } from '../../core/store/store.ts'
import { leaseOwner } from '../lifecycle/start-indexing.ts'
import { storeMetrics } from './store-facts.ts'

const held = (role: HeldRole['role'], owner: string): HeldRole => ({
  role,
  owner,
  fence: 1,
  since: 0,
})

function inDatabase(heldRoles: () => Promise<HeldRole[]>): Store {
  const store = {
    facts: async () => ({}),
    trips: () => 3,
    copies: () => ({ bytes: 0, found: 0, fetched: 0 }),
    heard: () => ({ listening: true, hints: 0 }),
    heldRoles,
  }
  return store as unknown as Store
}

const rolesIn = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('cairn_store_roles{'))

it('names the roles of this server, and of no other', async () => {
  const store = inDatabase(async () => [
    held('indexing', leaseOwner()),
    held('merging', '1@elsewhere:00'),
    held('home:notes', leaseOwner()),
  ])
  const text = await storeMetrics({ store }, { leads: true })
  expect(rolesIn(text)).toEqual([
    'cairn_store_roles{role="indexing"} 1',
    'cairn_store_roles{role="home:notes"} 1',
  ])
  expect(text).toContain('\ncairn_store_leads 1\n')
})

it('answers while no database does', async () => {
  const asked: string[] = []
  const silent = inDatabase(() => (asked.push('roles'), new Promise(() => {})))
  const gone = await storeMetrics(
    { store: silent, trouble: () => 'No database answers.' },
    { leads: false },
  )
  expect([rolesIn(gone), asked]).toEqual([[], []])
  expect(gone).toContain('\ncairn_store_out_of_reach 1\n')
  expect(rolesIn(await storeMetrics({ store: silent }, { leads: false }))).toEqual([])
  const broken = inDatabase(() => Promise.reject(new Error('the connection was lost')))
  expect(rolesIn(await storeMetrics({ store: broken }, { leads: false }))).toEqual([])
  expect(asked).toEqual(['roles'])
})
