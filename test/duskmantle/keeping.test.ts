/** Backups, feedback and recipes in the words of this surface. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDuskmantleSettings } from '../../src/config/duskmantle-settings.ts'
import { planRestore } from '../../src/app/restore.ts'
import { verifies } from '../support/verifies.ts'
import { openDuskmantle } from './open-duskmantle.ts'

describe('km-backup-trigger', () => {
  it('packs the state and the repository into one archive', async () => {
    verifies('duskmantle:backup-archive')
    verifies('duskmantle:check-15-backup')
    const { call, base } = await openDuskmantle()
    await call('km-ingest-trigger')
    const made = await call('km-backup-trigger')
    expect(Object.keys(made)).toEqual(['status', 'archive', 'archive_path', 'size_bytes'])
    expect(made['status']).toBe('success')
    expect(made['archive']).toMatch(/^backups\/archives\/km-backup-\d{8}T\d{6}\.tgz$/)
    expect(made['archive_path']).toBe(join(base.state, made['archive']))
    expect(statSync(made['archive_path']).size).toBe(made['size_bytes'])
    const names = execFileSync('tar', ['-tzf', made['archive_path']], { encoding: 'utf8' })
    expect(names).toMatch(/^audit\/runs\.jsonl$/m)
    expect(names).toMatch(/^reports\/coverage_report\.json$/m)
    expect(names).toMatch(/^sources\/notes\/\.metadata\/subsystems\.json$/m)
    expect(names).not.toMatch(/backups\//)
    expect(await planRestore(made['archive_path'], '/nowhere')).toMatchObject({ documents: 5 })
    expect(base.bugs).toEqual([])
  })

  it('goes below the state folder or to a folder that was allowed', async () => {
    verifies('duskmantle:backup-destination')
    const { call, base, folder } = await openDuskmantle()
    const inside = await call('km-backup-trigger', { destination: 'backups/mine' })
    expect(inside['archive']).toMatch(/^backups\/mine\/km-backup-/)
    for (const destination of [folder, '../elsewhere', '/']) {
      const refused = await call('km-backup-trigger', { destination })
      expect(refused['error'].code).toBe('forbidden')
    }
    expect(existsSync(join(base.state, '../elsewhere'))).toBe(false)
    expect((await call('km-backup-trigger', { destination: 7 }))['error'].code).toBe(
      'invalid_request',
    )
    const backups = { keep: 2, allowedRoots: [folder] }
    const other = await openDuskmantle({ settings: { backups } })
    const made = await other.call('km-backup-trigger', { destination: folder })
    expect(made['archive']).toBe(made['archive_path'])
    const env = { KM_BACKUP_RETENTION_LIMIT: '3', KM_BACKUP_ALLOWED_ROOTS: '/a, /b' }
    expect(loadDuskmantleSettings({ env, strict: true }).backups).toEqual({
      keep: 3,
      allowedRoots: ['/a', '/b'],
    })
  })
})
