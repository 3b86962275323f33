import { expect, it } from 'vitest'
import type { ServerFacts } from '../../team/postgres/server-facts.ts'
import { storeFindings } from './doctor-store.ts'

const SOUND: ServerFacts = {
  version: '15.18 (Debian)',
  isStandby: false,
  role: 'cairn',
  missingRights: [],
  standbys: 1,
  seesStandbys: true,
  isSynchronous: true,
  waitsInVain: false,
  isDurable: true,
  lagBytes: 0,
  deadRows: 0,
  liveRows: 10,
  bytes: 5_000_000,
  hasChecksums: true,
  orphans: 0,
  forgetOrphans: 'DO …',
  bases: 1,
}

it('says what is wrong with a database, and what to do', () => {
  expect(storeFindings(SOUND).every(({ level }) => level === 'ok')).toBe(true)
  const warned = (change: Partial<ServerFacts>) =>
    storeFindings({ ...SOUND, ...change }).flatMap(({ level, what, fix }) =>
      level === 'warning' ? [`${what} ${fix}`] : [],
    )
  expect(warned({ isSynchronous: false })).toEqual([
    expect.stringContaining('an acknowledged write can be lost when a standby takes over'),
  ])
  expect(warned({ isSynchronous: false, standbys: 0 })[0]).toContain('No standby follows')
  const waiting = storeFindings({ ...SOUND, isSynchronous: false, waitsInVain: true })
  expect(waiting.at(-1)).toMatchObject({
    level: 'error',
    what: expect.stringContaining('none follows'),
  })
  const hidden = { seesStandbys: false, waitsInVain: undefined, lagBytes: undefined }
  expect(warned({ ...hidden, isSynchronous: undefined })).toEqual([
    expect.stringMatching(/may not see how.*GRANT pg_read_all_stats TO cairn/),
  ])
  expect(warned({ ...hidden, isSynchronous: false })).toHaveLength(2)
  expect(warned({ version: '12.4' })[0]).toContain('older')
  expect(warned({ isStandby: true })[0]).toContain('can be read and not changed')
  expect(warned({ isDurable: false })[0]).toContain('fsync')
  expect(warned({ lagBytes: 50 * 1024 * 1024 })[0]).toContain('50 MB behind')
  expect(warned({ deadRows: 50_000 })[0]).toContain('autovacuum')
  expect(warned({ orphans: 2 })[0]).toContain('2 bases')
})
