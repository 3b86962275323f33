/** What somebody who runs the database should know about it. */
import type { BaseRows } from './base-rows.ts'
import { CONTENT_TABLES } from './schema.ts'

export interface ServerFacts {
  readonly version: string
  readonly isStandby: boolean
  /** Who asks, as statements name it. */
  readonly role: string
  /** What it would need to change the base and may not do: `INSERT ON cairn.documents`. */
  readonly missingRights: readonly string[]
  /** Standbys that follow. */
  readonly standbys: number
  /** Whether the role may see how they follow; where not, what depends on it is undefined. */
  readonly seesStandbys: boolean
  /** Whether a commit waits for one of them. */
  readonly isSynchronous: boolean | undefined
  /** Whether it would, and none is there: nothing can be changed until one is. */
  readonly waitsInVain: boolean | undefined
  /** Whether a commit is on disk when it is acknowledged. */
  readonly isDurable: boolean
  /** How far the slowest standby is behind. */
  readonly lagBytes: number | undefined
  /** Rows that are dead and take room, and those that live. */
  readonly deadRows: number
  readonly liveRows: number
  readonly bytes: number
  readonly hasChecksums: boolean
  /** Bases in the database whose content nobody has a name for. */
  readonly orphans: number
  /** The statement that removes it. */
  readonly forgetOrphans: string
  readonly bases: number
}

/** All that is derived from files, table by table; history and documents stay. */
const FORGET_ORPHANS = `DO $$ DECLARE t text; BEGIN FOREACH t IN ARRAY '{${CONTENT_TABLES.join(',')}}'::text[] LOOP EXECUTE format('DELETE FROM cairn.%I WHERE base NOT IN (SELECT id FROM cairn.bases)', t); END LOOP; END $$`

export async function serverFacts(base: BaseRows): Promise<ServerFacts> {
  const row = await base.row(
    `SELECT current_setting('server_version') AS version,
       pg_is_in_recovery()::text AS standby,
       quote_ident(current_user) AS role,
       (SELECT string_agg(wanted || ' ON cairn.' || c.relname, ',' ORDER BY c.relname, wanted)
         FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
         CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
         WHERE n.nspname = 'cairn' AND c.relkind = 'r' AND NOT has_table_privilege(c.oid, wanted)
       ) AS missing,
       has_sequence_privilege('cairn.content_versions', 'USAGE')::text AS numbers,
       (SELECT count(*) FROM pg_stat_replication) AS standbys,
       -- Everybody sees that somebody follows; how they do is empty for most roles.
       (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL) AS hidden,
       (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
       current_setting('synchronous_standby_names') AS names,
       current_setting('synchronous_commit') AS commit,
       current_setting('fsync') AS fsync,
       current_setting('data_checksums') AS checksums,
       CASE WHEN pg_is_in_recovery() THEN NULL ELSE
         (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FROM pg_stat_replication)
       END AS lag,
       (SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE schemaname = 'cairn') AS dead,
       (SELECT coalesce(sum(n_live_tup), 0) FROM pg_stat_user_tables WHERE schemaname = 'cairn') AS live,
       (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c
         JOIN pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = 'cairn' AND c.relkind = 'r') AS bytes,
       (SELECT count(*) FROM (SELECT DISTINCT base FROM cairn.segments) AS s
         WHERE NOT EXISTS (SELECT 1 FROM cairn.bases AS b WHERE b.id = s.base)) AS orphans,
       (SELECT count(*) FROM cairn.bases WHERE $1::integer IS NOT NULL) AS bases`,
  )
  const number = (name: string): number => Number(row?.[name] ?? 0)
  const standbys = number('standbys')
  const synchronous = number('synchronous')
  const seesStandbys = number('hidden') === 0
  const names = row?.['names'] !== ''
  const waits = names && !['off', 'local'].includes(String(row?.['commit']))
  return {
    version: String(row?.['version']),
    isStandby: row?.['standby'] === 'true',
    role: String(row?.['role']),
    missingRights: [
      ...String(row?.['missing'] ?? '')
        .split(',')
        .filter(Boolean),
      ...(row?.['numbers'] === 'true' ? [] : ['USAGE ON cairn.content_versions']),
    ],
    standbys,
    seesStandbys,
    isSynchronous: names && (seesStandbys ? synchronous > 0 : undefined),
    waitsInVain: waits && (seesStandbys ? synchronous === 0 : undefined),
    isDurable: row?.['fsync'] === 'on' && row?.['commit'] !== 'off',
    lagBytes: row?.['lag'] === null || !seesStandbys ? undefined : number('lag'),
    deadRows: number('dead'),
    liveRows: number('live'),
    bytes: number('bytes'),
    hasChecksums: row?.['checksums'] === 'on',
    orphans: number('orphans'),
    forgetOrphans: FORGET_ORPHANS,
    bases: number('bases'),
  }
}
