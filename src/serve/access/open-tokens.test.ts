import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openTokens, parsePermissions } from './open-tokens.ts'

const READ = { may: ['read'], see: [], hide: [] } as const

function open() {
  const file = join(temporaryFolder({}), 'state', 'tokens.json')
  const clock = { at: 1_000_000 }
  return { file, clock, tokens: openTokens(file, () => clock.at) }
}

it('asks nobody for a token until there is one, and everybody from then on', () => {
  const { tokens } = open()
  expect(tokens.areNeeded()).toBe(false)
  const { token } = tokens.create('laptop', READ)
  expect(tokens.areNeeded()).toBe(true)
  expect(tokens.callerOf(token)).toEqual({ principal: 'token:laptop', may: ['read'] })
  tokens.revoke('laptop')
  expect([tokens.callerOf(token), tokens.areNeeded()]).toEqual([undefined, true])
})

it('keeps no token in its file, and the file from others', () => {
  const { file, tokens } = open()
  const { token } = tokens.create('laptop', READ)
  const secret = token.split('_').slice(2).join('_')
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('knows what another process made or took back', () => {
  const { file, tokens } = open()
  const other = openTokens(file)
  const { token, entry } = other.create('ci', READ)
  expect(tokens.callerOf(token)?.principal).toBe('token:ci')
  other.revoke(entry.id)
  expect(tokens.callerOf(token)).toBeUndefined()
})

it('lets nobody in with something like a token, nor with one that is over', () => {
  const { tokens, clock } = open()
  const expiresAt = new Date(clock.at + 1_000).toISOString()
  const { token } = tokens.create('guest', { ...READ, expiresAt })
  expect(tokens.callerOf(token)).toBeDefined()
  for (const wrong of ['', 'cairn', `${token}x`, token.slice(0, -1), token.toUpperCase()]) {
    expect(tokens.callerOf(wrong)).toBeUndefined()
  }
  clock.at += 1_000
  expect(tokens.callerOf(token)).toBeUndefined()
})

it('lets nobody in when its file is damaged', () => {
  const { file, tokens } = open()
  const { token } = tokens.create('laptop', READ)
  writeFileSync(file, '{ "tokens": [')
  expect([tokens.areNeeded(), tokens.callerOf(token)]).toEqual([true, undefined])
})

it('sees some sources and folders, and not others', () => {
  const { tokens } = open()
  const grant = { may: ['read'], see: ['docs', 'notes/public'], hide: ['docs/Secret'] } as const
  const { sees } = tokens.callerOf(tokens.create('guest', grant).token)!
  const seen = (id: string) => {
    const slash = id.indexOf('/')
    return sees!({ source: id.slice(0, slash), path: id.slice(slash + 1) })
  }
  expect(['docs/a.md', 'docs/secretary.md', 'notes/public/b.md'].map(seen)).toEqual([
    true,
    true,
    true,
  ])
  expect(['docs/secret/a.md', 'notes/a.md', 'notes/publicity.md', 'docs2/a.md'].map(seen)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

it('refuses a name twice, a name that is none, and a permission nobody knows', () => {
  const { tokens } = open()
  tokens.create('laptop', READ)
  expect(() => tokens.create('laptop', READ)).toThrow('already')
  expect(() => tokens.create('a/b', READ)).toThrow('cannot be the name')
  expect(() => tokens.revoke('nobody')).toThrow('There is no token')
  expect(() => parsePermissions(['read', 'rwite'])).toThrow('"rwite"')
  expect(parsePermissions(['write', 'read', 'read'])).toEqual(['read', 'write'])
  // Who may write may read.
  expect(parsePermissions(['maintain', 'write'])).toEqual(['read', 'write', 'maintain'])
  expect(parsePermissions(['maintain'])).toEqual(['maintain'])
})
