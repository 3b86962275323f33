import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { openFolderLocks } from './open-folder-locks.ts'

const between = vi.hoisted(() => ({ looks: undefined as ((place: string) => void) | undefined }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const statSync = (...args: Parameters<typeof fs.statSync>) => {
    const stats = fs.statSync(...args)
    between.looks?.(String(args[0]))
    return stats
  }
  return { ...fs, statSync, default: { ...fs, statSync } }
})

it('does not wait for itself where the state folder is made again between two looks', async () => {
  const folder = temporaryFolder()
  const state = join(folder, '.cairn')
  const locks = openFolderLocks(state)
  await locks.hold([folder], async () => {})
  const away = temporaryFolder()
  between.looks = (place) => {
    if (place !== state) return
    between.looks = undefined
    renameSync(state, join(away, 'state'))
    mkdirSync(state)
  }
  expect(await locks.hold([folder], async () => 'held')).toBe('held')
  await locks.close()
})
