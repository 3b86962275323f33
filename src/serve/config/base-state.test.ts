import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { claimState, readClaim, resolveState } from './base-state.ts'

function places() {
  const root = temporaryFolder({ 'one/a.md': '', 'two/b.md': '' })
  const source = (name: string) => [{ name, path: join(root, name) }]
  const state = join(root, 'state')
  mkdirSync(state)
  /** As a start does it. */
  const open = (sources: readonly { name: string; path: string }[], named = state) => {
    const own = resolveState(named, sources)
    mkdirSync(own, { recursive: true })
    claimState(own, sources)
    return own
  }
  return { root, source, state, open }
}

it('gives the folder to the first base and one inside it to each other, every time', () => {
  const { source, state, open } = places()
  expect(open(source('one'))).toBe(state)
  const other = open(source('two'))
  expect(other.startsWith(join(state, 'bases', 'two-'))).toBe(true)
  expect([open(source('one')), open(source('two'))]).toEqual([state, other])
  // Whoever names the folder inside gets that.
  expect(open(source('two'), other)).toBe(other)
})

it('knows a base by its first source, wherever and however it is called', () => {
  const { root, source, state, open } = places()
  open(source('one'))
  expect(open([...source('one'), ...source('two')])).toBe(state)
  symlinkSync(join(root, 'one'), join(root, 'link'))
  expect(open([{ name: 'else', path: join(root, 'link') }])).toBe(state)
  expect(readClaim(state)).toEqual({ folder: join(root, 'one'), name: 'one' })
})

it('leaves a base whose folder has moved its state', () => {
  const { root, state, open, source } = places()
  open(source('one'))
  renameSync(join(root, 'one'), join(root, 'moved'))
  expect(open(source('moved'))).toBe(state)
  // State that lies in the folder goes with it.
  const inside = join(root, 'two', '.cairn')
  open(source('two'), inside)
  renameSync(join(root, 'two'), join(root, 'three'))
  mkdirSync(join(root, 'two'))
  expect(open(source('three'), join(root, 'three', '.cairn'))).toBe(join(root, 'three', '.cairn'))
  rmSync(join(root, 'two'), { recursive: true })
})

it('lets only one of two have it that come at the same time', () => {
  const { source, state } = places()
  const [one, two] = [source('one'), source('two')]
  expect([resolveState(state, one), resolveState(state, two)]).toEqual([state, state])
  claimState(state, two)
  expect(() => claimState(state, one)).toThrow('belongs to another base')
  expect(resolveState(state, one)).not.toBe(state)
})

it('takes a claim that cannot be read for none, and leaves nothing beside its own', () => {
  const { source, state, open } = places()
  writeFileSync(join(state, 'base.json'), '')
  expect(open(source('one'))).toBe(state)
  expect(readClaim(state)?.name).toBe('one')
  expect(readdirSync(state)).toEqual(['base.json'])
})

it.skipIf(process.platform === 'win32')('waits for no pipe and follows no link', () => {
  const { root, source, state, open } = places()
  open(source('one'))
  renameSync(join(state, 'base.json'), join(root, 'base.json'))
  symlinkSync(join(root, 'base.json'), join(state, 'base.json'))
  expect(readClaim(state)).toBeUndefined()
  rmSync(join(state, 'base.json'))
  expect(spawnSync('mkfifo', [join(state, 'base.json')]).status).toBe(0)
  expect(readClaim(state)).toBeUndefined()
})
