/** What doctor says of the machine: the Node, the state folder, who works on the base. */
import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Config } from '../../serve/config/config.ts'
import { isAlive } from '../../core/kit/processes.ts'
import type { Store } from '../../core/store/store.ts'
import type { Finding } from './doctor.ts'

/** An index grows in steps; below this the next one may not fit. */
const SPACE_NEEDED = 100 * 1024 * 1024

export async function examineMachine(config: Config, store: Store): Promise<Finding[]> {
  return [
    nodeFinding(process.versions.node),
    ...stateFindings(config.state),
    ...(await holderFindings(store)),
  ]
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < 22 || (major === 22 && minor < 13) || (major === 23 && minor < 4)
  if (!isOld) return { level: 'ok', what: `Node ${version}.` }
  const what = `Node ${version} is older than what Cairn is tested with.`
  return { level: 'warning', what, fix: 'npx -y node@24 --version, then install a current Node.' }
}

export function stateFindings(state: string): Finding[] {
  const stats = statSync(state, { throwIfNoEntry: false })
  if (!stats) return [{ level: 'warning', what: `${state} is not there yet.`, fix: 'cairn index' }]
  const findings: Finding[] = []
  try {
    accessSync(state, constants.W_OK)
  } catch {
    findings.push({
      level: 'error',
      what: `${state} cannot be written.`,
      fix: `chmod u+rwx ${state}`,
    })
  }
  // Others must not read what is derived from private notes.
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    findings.push({
      level: 'warning',
      what: `Others on this machine may look into ${state}.`,
      fix: `chmod -R go-rwx ${state}`,
    })
  }
  if (lstatSync(state).isSymbolicLink()) {
    findings.push({ level: 'ok', what: `${state} is a link to another place.` })
  }
  const { bavail, bsize } = statfsSync(state)
  if (bavail * bsize < SPACE_NEEDED) {
    findings.push({
      level: 'warning',
      what: `Only ${Math.floor((bavail * bsize) / 1024 / 1024)} MB are left on the disk of ${state}.`,
      fix: 'Free some space, or keep the index elsewhere with --state DIR.',
    })
  }
  return findings.length > 0
    ? findings
    : [{ level: 'ok', what: `${state} is private and writable.` }]
}

/** `host:pid:…` says who keeps the index current. One that is gone gives way by itself. */
async function holderFindings(store: Store): Promise<Finding[]> {
  const holder = await store.leaseHolder()
  if (holder === undefined) return [{ level: 'ok', what: 'No other process holds the index.' }]
  const owner = typeof holder === 'string' ? holder : JSON.stringify(holder)
  const pid = Number(/\b(\d{2,10})\b/.exec(owner)?.[1])
  const isHere = owner.includes(hostname())
  if (isHere && Number.isInteger(pid) && !isAlive(pid)) {
    return [
      {
        level: 'warning',
        what: `The index is held by process ${pid}, which is gone.`,
        fix: 'Run "cairn index": it takes over within a minute.',
      },
    ]
  }
  return [{ level: 'ok', what: `The index is kept current by ${owner}.` }]
}
