import { describe, expect, it } from 'vitest'
import { createAuthentication } from './authentication.ts'

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

describe('basic', () => {
  const auth = createAuthentication({ kind: 'basic', username: 'ann', password: 'p:w' })
  it.each([
    [basic('ann:p:w'), true],
    [{ authorization: basic('ann:p:w').authorization.replace('Basic', 'basic') }, true],
    [basic('ann:p'), false],
    [basic('ann'), false],
    [basic(''), false],
    [basic('Ann:p:w'), false],
    [{ authorization: 'Bearer x' }, false],
    [{ 'x-api-key': 'ann:p:w' }, false],
    [{}, false],
  ])('%j is let in: %s', async (headers, expected) => {
    expect((await auth.callerOf(headers)) !== undefined).toBe(expected)
  })
  it('says how to log in', async () => {
    const response = auth.challenge({ origin: 'http://x', path: '/' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Restricted"')
    expect(await response.text()).toBe('Unauthorized')
  })
})

describe('API keys', () => {
  const auth = createAuthentication({ kind: 'apikey', keys: ['k1', 'k2', 'schlüssel'] })
  it.each([
    [{ 'x-api-key': 'k1' }, true],
    [{ 'x-api-key': 'k2' }, true],
    [{ 'x-api-key': Buffer.from('schlüssel').toString('latin1') }, true],
    [{ 'x-api-key': 'schlüssel' }, false],
    [{ 'x-api-key': 'k' }, false],
    [{ 'x-api-key': 'k1,k2' }, false],
    [{ 'x-api-key': '' }, false],
    [{ 'x-api-key': ['k1', 'k1'] }, false],
    [basic('k1'), false],
  ])('%j is let in: %s', async (headers, expected) => {
    expect((await auth.callerOf(headers)) !== undefined).toBe(expected)
  })
  it('tells callers apart without their secrets', async () => {
    const first = await auth.callerOf({ 'x-api-key': 'k1' })
    const second = await auth.callerOf({ 'x-api-key': 'k2' })
    expect(first?.principal).not.toBe(second?.principal)
    expect(first?.principal).not.toContain('k1')
  })
})
