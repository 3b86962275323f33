import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openTemporaryState } from './temporary-state.ts'

it('is there until it is removed', () => {
  const parent = temporaryFolder({})
  const state = openTemporaryState(parent)
  writeFileSync(join(state.path, 'x'), '')
  state.remove()
  state.remove()
  expect(readdirSync(parent)).toEqual([])
})

it('sweeps what dead processes left, and nothing else', () => {
  const parent = temporaryFolder({ 'notes/x.md': '' })
  const { path: own } = openTemporaryState(parent)
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const named = (number: number, host?: string): string => {
    const name = own
      .replace(`-${process.pid}-`, `-${number}-`)
      .replace(/-[\w.]+-(\w+)$/, (all, random) => (host ? `-${host}-${random}` : all))
    return name
  }
  const [dead, living, elsewhere] = [named(pid), named(process.ppid), named(pid, 'other.host')]
  for (const path of [dead, living, elsewhere]) mkdirSync(path)
  writeFileSync(join(dead, 'index'), 'x')
  const link = named(pid).replace(/\w{6}$/, 'linked')
  symlinkSync(join(parent, 'notes'), link)
  openTemporaryState(parent)
  expect(existsSync(dead)).toBe(false)
  for (const path of [own, living, elsewhere, link, join(parent, 'notes/x.md')]) {
    expect([path, existsSync(path)]).toEqual([path, true])
  }
})
