import { expect, it, onTestFinished } from 'vitest'
import { smallSurface } from '../../../../test/transports/small-surface.ts'
import type { Nexus } from '../open-nexus.ts'
import { NEXUS_DEFAULTS } from '../settings.ts'
import { nexusMount } from './nexus-mount.ts'

it('sends those away who want too many answers that are as long as the base', async () => {
  const endless = async function* () {
    yield { name: 'a.md', text: 'a', modifiedAt: 0 }
    await new Promise(() => {})
  }
  const nexus = {
    settings: NEXUS_DEFAULTS,
    surface: smallSurface(),
    notesFor: () => ({ exportFiles: async () => endless() }),
    pass: (_what: unknown, _call: unknown, work: (safe: (text: string) => string) => unknown) =>
      work((text) => text),
    failure: (error: unknown) => ({ status: 500, error: String(error) }),
  } as unknown as Nexus
  const endpointOptions = { maxSessions: 1, idleMs: 1_000 }
  const mount = nexusMount(nexus, { onBug: () => {} })({ mayRead: () => false, endpointOptions })
  onTestFinished(() => mount.close())
  const sender = {
    caller: undefined,
    peer: '127.0.0.1',
    asked: 'http://127.0.0.1',
    origin: 'http://127.0.0.1',
  }
  const ask = async () => mount.routes.fetch(new Request('http://x/api/export'), sender)
  const answers = Array.from({ length: 40 }, ask)
  const refused = await Promise.all(answers.slice(20))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  expect(refused[0]?.headers.get('retry-after')).toBe('5')
  const first = await answers[0]!
  expect(first.status).toBe(200)
  await first.body?.cancel()
  // Whoever waited longest is next.
  expect((await answers[4]!).status).toBe(200)
})
