import { expect, it } from 'vitest'
import { openSealed, paramsOf, sealSession, whoIs } from './session-ids.ts'

const params = paramsOf({
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'Ünïcödé', version: '1', icons: ['x'.repeat(99)] },
  },
})
const begun = { surface: 'native', who: whoIs(undefined), begunAt: 1_000, params }

it('is read by whoever has the key, for a day', () => {
  const id = sealSession('key', begun)
  expect(id).toMatch(/^[\w.-]+$/)
  expect(openSealed('key', id, 2_000)).toEqual(begun)
  expect(openSealed('key', id, 1_000 + 23 * 3_600_000)).toEqual(begun)
  expect(openSealed('key', id, 1_000 + 25 * 3_600_000)).toBeUndefined()
  expect(openSealed('another', id, 2_000)).toBeUndefined()
  expect(sealSession('key', begun)).not.toBe(id)
  for (const other of ['', '.', '..', 'a.b.c', `${id}.`, id.slice(1), id.slice(0, -1)]) {
    expect(openSealed('key', other, 2_000)).toBeUndefined()
  }
})

it('has room for whatever a client says', () => {
  const said = { name: 'n'.repeat(99_999), version: 5 }
  const capabilities = { experimental: { x: 'y'.repeat(99_999) } }
  const long = paramsOf({ params: { protocolVersion: '1', capabilities, clientInfo: said } })
  expect(sealSession('key', { ...begun, params: long }).length).toBeLessThan(2_000)
  expect(paramsOf({ params: null }).clientInfo).toEqual({ name: '', version: '' })
  expect(paramsOf({})).toEqual(paramsOf({ params: [] }))
})

it('tells callers apart by name and rights', () => {
  const ada = whoIs({ principal: 'ada', may: ['write', 'read'] })
  expect(ada).toBe(whoIs({ principal: 'ada', may: ['read', 'write'] }))
  expect(new Set([ada, whoIs({ principal: 'ada', may: ['read'] }), whoIs(undefined)]).size).toBe(3)
})
