import { describe, expect, it } from 'vitest'
import { maskAddress, parseStoreAddress } from './store-address.ts'

describe('the address of a store', () => {
  it('is read as other programs write it', () => {
    expect(parseStoreAddress('postgres://ann:p%40ss@db:6432/notes?base=team')).toEqual({
      hosts: [{ host: 'db', port: 6432 }],
      user: 'ann',
      password: 'p@ss',
      database: 'notes',
      base: 'team',
      sslmode: 'prefer',
      sslrootcert: undefined,
    })
    const { hosts, base, user } = parseStoreAddress('postgresql://a:1,b,[::1]:7/x')
    expect([base, user]).toEqual(['main', undefined])
    expect(hosts).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 5432 },
      { host: '::1', port: 7 },
    ])
    expect(parseStoreAddress('postgres://').hosts).toEqual([{ host: 'localhost', port: 5432 }])
    const socket = parseStoreAddress('postgres:///x?host=/run/postgresql')
    expect(socket.hosts[0]?.host).toBe('/run/postgresql')
  })

  const refused = [
    'mysql://a/b',
    'postgres://a:b:c/d',
    'postgres://a:99999/d',
    'postgres://a/d?password=secret',
    'postgres://a/d?sslmode=maybe',
    'postgres://a/d?base=',
    'postgres://a/d?base=two%0Alines',
    `postgres://a/d?base=${'x'.repeat(101)}`,
    'postgres://a:%zz@b/d',
    'postgres://a:b@c@d/e',
    'postgres://a:b/c@d/e',
    'postgres://a/d?host=b@c',
    'postgres://a/d?base=b&base=c',
    'postgres://a/d?host=/run/a&host=/run/b',
  ]
  it.each(refused)('is refused: %s', (text) => {
    expect(() => parseStoreAddress(text)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  it('takes any name for a base that fits on a line', () => {
    const name = `'; DROP SCHEMA cairn; -- "größe" 茶`
    const { base } = parseStoreAddress(`postgres://a/d?base=${encodeURIComponent(name)}`)
    expect(base).toBe(name)
  })

  it('never shows its password', () => {
    const shown = (text: string) => {
      try {
        parseStoreAddress(text)
      } catch (error) {
        return `${String(error)} ${(error as { hint: string }).hint}`
      }
      return maskAddress(text)
    }
    for (const text of [
      'postgres://ann:secret@db/notes',
      'postgres://ann:secret@db:1:2/notes',
      'postgres://ann:sec:ret@db/notes',
      'postgres://:secret@db/notes?x=1',
      'postgres://ann:se@cret@db/notes',
      'postgres://ann@here:secret@db/notes',
      'postgres://ann:1/cret@db/notes',
      'postgres://ann:1?cret@db/notes',
      'postgres://ann:1/x?cret@db/notes',
      'mysql://ann:secret@db/notes',
    ]) {
      expect(shown(text)).not.toMatch(/sec|cret/)
    }
  })
})
