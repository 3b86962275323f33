/** What doctor says of the database behind a base: version, rights, replication, lag, bloat, orphans. */
import type { ServerFacts } from '../../team/postgres/server-facts.ts'
import type { Store } from '../../core/store/store.ts'
import type { Finding } from './doctor.ts'
import { inDatabase } from '../../serve/parts/store-facts.ts'

const OLDEST = 13
/** A standby that is this far behind would lose a good deal. */
const LAG_BYTES = 16 * 1024 * 1024
/** Dead rows are normal; more than live ones are not. */
const FEW_ROWS = 10_000
const MB = 1024 * 1024
const EXAMPLES = 3

export async function examineStore(store: Store): Promise<Finding[]> {
  const database = inDatabase(store)
  return database ? storeFindings(await database.facts()) : []
}

export function storeFindings(facts: ServerFacts): Finding[] {
  const { version, bases, bytes, isStandby, lagBytes, deadRows, liveRows } = facts
  const findings: Finding[] = []
  const major = Number.parseInt(version, 10)
  if (major < OLDEST) {
    findings.push({
      level: 'warning',
      what: `PostgreSQL ${version} is older than what Cairn is made for.`,
      fix: `Use ${OLDEST} or newer.`,
    })
  } else {
    const what = `PostgreSQL ${version} keeps ${bases} base${bases === 1 ? '' : 's'} in ${Math.ceil(bytes / MB)} MB.`
    findings.push({ level: 'ok', what })
  }
  if (isStandby) {
    findings.push({
      level: 'warning',
      what: 'A standby answers: the base can be read and not changed.',
      fix: 'Name all servers in the address, postgres://…@one,two/…',
    })
  }
  const { role, missingRights } = facts
  if (missingRights.length > 0) {
    const named = missingRights.slice(0, EXAMPLES).join(', ')
    findings.push({
      level: 'error',
      what: `The role ${role} lacks rights: ${named}${missingRights.length > EXAMPLES ? ` and ${missingRights.length - EXAMPLES} more` : ''}.`,
      fix: `Use the role that owns the schema cairn on all servers, or as its owner: GRANT ALL ON ALL TABLES IN SCHEMA cairn TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA cairn TO ${role}`,
    })
  }
  if (!facts.isDurable) {
    findings.push({
      level: 'warning',
      what: 'fsync or synchronous_commit is off: an acknowledged write can be lost when the server stops.',
      fix: 'Turn both on in postgresql.conf.',
    })
  }
  if (!isStandby && facts.isSynchronous !== undefined) findings.push(replication(facts))
  if (!facts.seesStandbys) {
    findings.push({
      level: 'warning',
      what: 'Standbys follow, and this role may not see how: whether commits wait for one, and how far they are behind.',
      fix: `GRANT pg_read_all_stats TO ${role}`,
    })
  }
  if ((lagBytes ?? 0) > LAG_BYTES) {
    findings.push({
      level: 'warning',
      what: `A standby is ${Math.round(lagBytes! / MB)} MB behind.`,
      fix: 'Look at its log and its connection to the primary.',
    })
  }
  if (deadRows > FEW_ROWS && deadRows > liveRows) {
    findings.push({
      level: 'warning',
      what: `${deadRows} rows are dead and ${liveRows} live: autovacuum does not keep up.`,
      fix: 'VACUUM (ANALYZE), and look at the settings of autovacuum.',
    })
  }
  if (facts.orphans > 0) {
    findings.push({
      level: 'warning',
      what: `Content is left of ${facts.orphans === 1 ? 'a base that has' : `${facts.orphans} bases that have`} no name any more.`,
      fix: facts.forgetOrphans,
    })
  }
  if (!facts.hasChecksums) {
    findings.push({
      level: 'ok',
      what: 'The server keeps no checksums of its pages; Cairn checks what it reads by its own.',
    })
  }
  return findings
}

function replication({ standbys, isSynchronous, waitsInVain }: ServerFacts): Finding {
  if (waitsInVain) {
    return {
      level: 'error',
      what: 'Commits wait for a standby and none follows: nothing can be changed.',
      fix: 'Bring the standby back, or take it out of synchronous_standby_names.',
    }
  }
  if (isSynchronous) {
    return { level: 'ok', what: `Commits wait for a standby (${standbys} follow).` }
  }
  return standbys > 0
    ? {
        level: 'warning',
        what: 'Replication is not synchronous: an acknowledged write can be lost when a standby takes over.',
        fix: "Set synchronous_standby_names, such as 'ANY 1 (*)'.",
      }
    : {
        level: 'warning',
        what: 'No standby follows: when this server is lost, so is what was written since its last backup.',
        fix: 'Add a synchronous standby; docs/scaling.md says how.',
      }
}
