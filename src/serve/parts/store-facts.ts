/** What a store in a database can tell besides; one in a file has nothing to say. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedStore } from '../../core/store/opened-store.ts'
import type { PostgresStore } from '../../team/postgres/open-postgres-store.ts'
import type { Store } from '../../core/store/store.ts'
import { labels } from '../observers/prometheus.ts'

export function inDatabase(store: Store): PostgresStore | undefined {
  return 'facts' in store ? (store as PostgresStore) : undefined
}

/** Whoever watches a server is answered, also while its database is slow. */
const ROLES_MS = 1_000

/** So long after its last answer a database is out of reach; it is looked at twice a second. */
const OUT_OF_REACH_MS = 5_000

/** Goes by the age of the last look that was answered, whatever those that wait will come to. */
export function isInReach({ trouble, lagMs }: Pick<OpenedStore, 'trouble' | 'lagMs'>): boolean {
  return trouble?.() === undefined && (lagMs?.() ?? 0) < OUT_OF_REACH_MS
}

/** In the text form of Prometheus. */
export async function storeMetrics(
  opened: Pick<OpenedStore, 'store' | 'trouble' | 'lagMs'>,
  { leads }: { readonly leads: boolean },
): Promise<string> {
  const database = inDatabase(opened.store)
  if (!database) return ''
  const inReach = isInReach(opened)
  const { bytes, found, fetched } = database.copies()
  const { listening, hints } = database.heard()
  const roles = inReach ? await rolesHere(database) : []
  const lines = (name: string, type: string, help: string, value: number): string[] => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    `${name} ${value}`,
  ]
  return [
    ...lines(
      'cairn_store_round_trips_total',
      'counter',
      'Messages to the database of this server.',
      database.trips(),
    ),
    ...lines(
      'cairn_store_out_of_reach',
      'gauge',
      '1 while no database answers, 0 while one does.',
      inReach ? 0 : 1,
    ),
    ...lines(
      'cairn_store_lag_seconds',
      'gauge',
      'Time since a look at the database was last answered.',
      (opened.lagMs?.() ?? 0) / 1_000,
    ),
    ...lines(
      'cairn_store_leads',
      'gauge',
      '1 while this server has the lease to index, 0 while another has.',
      leads ? 1 : 0,
    ),
    '# HELP cairn_store_roles 1 for every lease of this server: indexing, merging, learning, homes.',
    '# TYPE cairn_store_roles gauge',
    ...roles.map((role) => `cairn_store_roles{${labels({ role })}} 1`),
    ...lines(
      'cairn_store_listening',
      'gauge',
      '1 while other servers tell of their commits, 0 while they are looked for.',
      listening ? 1 : 0,
    ),
    ...lines('cairn_store_hints_total', 'counter', 'Commits that others told of.', hints),
    ...lines('cairn_store_copies_bytes', 'gauge', 'Local copies of segments.', bytes),
    ...lines(
      'cairn_store_copies_found_total',
      'counter',
      'Segments that were here already.',
      found,
    ),
    ...lines('cairn_store_copies_fetched_total', 'counter', 'Segments that were fetched.', fetched),
    '',
  ].join('\n')
}

/** What this process does for the base; what it is cannot be told of a database that is silent. */
async function rolesHere(database: PostgresStore): Promise<string[]> {
  const here = `${process.pid}@${hostname().replaceAll(':', '-')}:`
  const waited = new AbortController()
  const held = await Promise.race([
    database.heldRoles().catch(() => []),
    sleep(ROLES_MS, [], { signal: waited.signal }).catch(() => []),
  ])
  waited.abort()
  return held.flatMap(({ role, owner }) => (owner.startsWith(here) ? [role] : []))
}
