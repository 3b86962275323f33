/** A disk that is full or may not be written: a clear error, nothing changed, and it goes on later. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBaseAt } from '../support/open-test-base.ts'
import { mountSmallDisk, NO_MOUNT } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('a disk that refuses', () => {
  it('because it is full', async (context) => {
    const folder = mountSmallDisk()
    if (folder === undefined) return context.skip(NO_MOUNT)
    writeFileSync(join(folder, 'tea.md'), '# Tea\n')
    const base = await openTestBaseAt(folder)
    await base.sync()
    const large = 'x'.repeat(300_000)
    const created = await base.call('write', { action: 'create', id: 'a/b/big', content: large })
    expect(created['error']).toMatchObject({ code: 'unavailable' })
    expect(created['error'].message).toContain('the disk is full')
    const replaced = await base.call('write', { action: 'replace', id: 'tea', content: large })
    expect(replaced['error'].code).toBe('unavailable')
    expect(readdirSync(folder)).toEqual(['.cairn', 'tea.md'])
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n')
    const { operations } = await base.call('history')
    expect(operations.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed'])

    // Full to the last byte: even a small write fails, and works again when there is room.
    try {
      writeFileSync(join(folder, 'filler.bin'), Buffer.alloc(300_000))
    } catch {
      // It filled what there was.
    }
    const small = { action: 'append', id: 'tea', content: 'more '.repeat(2000) }
    expect((await base.call('write', small))['error'].code).toBe('unavailable')
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n')
    rmSync(join(folder, 'filler.bin'))
    expect((await base.call('write', small))['error']).toBeUndefined()
    expect(base.bugs).toEqual([])
  })

  it('because the state folder is full', async (context) => {
    const state = mountSmallDisk()
    if (state === undefined) return context.skip(NO_MOUNT)
    const { openHistory } = await import('../../src/core/history/open-history.ts')
    const folder = temporaryFolder({ 'tea.md': '# Tea\n' })
    const base = await openTestBaseAt(folder)
    await base.sync()
    const history = openHistory(join(state, 'history'))
    Object.assign(base.kb, { writing: { ...base.kb.writing, history } })
    await base.call('write', { action: 'append', id: 'tea', content: 'one' })
    try {
      writeFileSync(join(state, 'filler.bin'), Buffer.alloc(300_000))
    } catch {
      // It filled what there was.
    }
    const text = 'two '.repeat(3000)
    const { error } = await base.call('write', { action: 'append', id: 'tea', content: text })
    expect(error.code).toBe('unavailable')
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\none\n')
    rmSync(join(state, 'filler.bin'))
    await base.call('write', { action: 'append', id: 'tea', content: 'three' })
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\none\n\nthree\n')
    const { operations } = await base.call('history')
    expect(operations).toHaveLength(2)
    expect(base.bugs).toEqual([])
  })

  it('because it is read-only', async (context) => {
    const folder = mountSmallDisk()
    if (folder === undefined) return context.skip(NO_MOUNT)
    writeFileSync(join(folder, 'tea.md'), '# Tea\n')
    const base = await openTestBaseAt(folder)
    await base.sync()
    execFileSync('mount', ['-o', 'remount,ro', folder])
    for (const args of [
      { action: 'create', id: 'new', content: 'x' },
      { action: 'append', id: 'tea', content: 'x' },
      { action: 'move', id: 'tea', to: 'cha' },
    ]) {
      const { error } = await base.call('write', args)
      expect(error).toMatchObject({ code: 'unavailable' })
      expect(error.message).toContain('read-only')
    }
    expect((await base.call('delete', { id: 'tea' }))['error'].code).toBe('unavailable')
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).toBe('# Tea\n')
    execFileSync('mount', ['-o', 'remount,rw', folder])
    const { error } = await base.call('write', { action: 'append', id: 'tea', content: 'x' })
    expect(error).toBeUndefined()
    expect(base.bugs).toEqual([])
  })
})
