/** The surface as it is started: by name, and by its own command with its environment. */
import { describe, expect, it } from 'vitest'
import { loadDuskmantleSettings } from '../../src/config/duskmantle-settings.ts'
import { verifies } from '../support/verifies.ts'
import { openDuskmantle } from './open-duskmantle.ts'

describe('the environment', () => {
  const load = (env: Record<string, string>, strict = true) =>
    loadDuskmantleSettings({ env, strict })

  it.each([
    [{}, true, undefined],
    [{}, false, 'maintainer'],
    [{ KM_AUTH_ENABLED: 'false' }, true, 'maintainer'],
    [{ KM_READER_TOKEN: 'r' }, false, 'reader'],
    [{ KM_READER_TOKEN: 'r', KM_ADMIN_TOKEN: 'a' }, true, 'maintainer'],
    [{ KM_AUTH_ENABLED: 'true' }, false, undefined],
  ])('%j (strict: %s) makes the caller %s', (env, strict, scope) => {
    expect(load(env, strict).scope).toBe(scope)
  })

  it('chooses weights by profile and one by one, clamped', () => {
    expect(load({ KM_SEARCH_WEIGHT_PROFILE: 'analysis' })).toMatchObject({
      weightProfile: 'analysis',
      weights: { subsystem: 0.38, vector: 1, lexical: 0.25 },
    })
    const own = load({ KM_SEARCH_W_SUPPORT: '7', KM_SEARCH_LEXICAL_WEIGHT: '0.5' })
    expect(own.weightProfile).toBe('default+overrides')
    expect(own.weights).toMatchObject({ support: 1, lexical: 0.5, subsystem: 0.28 })
    expect(load({ KM_LIFECYCLE_STALE_DAYS: '9999' }).staleDays).toBe(365)
    expect(load({ KM_INGEST_WINDOW: '500', KM_INGEST_OVERLAP: '600' }).windows).toEqual({
      size: 500,
      overlap: 499,
    })
  })

  it.each([
    { KM_SEARCH_WEIGHT_PROFILE: 'best' },
    { KM_AUTH_ENABLED: 'perhaps' },
    { KM_INGEST_WINDOW: 'wide' },
  ])('refuses %j', (env) => {
    expect(() => load(env as unknown as Record<string, string>)).toThrow(/KM_/)
  })

  it('never repeats a token', async () => {
    verifies('duskmantle:tokens-hidden')
    const settings = load({ KM_READER_TOKEN: 'secret-reader' })
    expect(JSON.stringify(settings)).not.toContain('secret')
    const { call } = await openDuskmantle({ settings })
    expect(JSON.stringify(await call('km-ingest-trigger'))).not.toContain('secret')
  })
})
