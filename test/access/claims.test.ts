/** Callers with tokens of somebody else: the claims say what they see, over every wire. */
import { expect, it } from 'vitest'
import { bearer, messageOf, openForeignIssuer, serveWorld } from './world.ts'

const AUDIENCE = 'https://kb.example'

it('shows the holder of a foreign token what the rule of their group leaves', async () => {
  const { issuer, sign } = await openForeignIssuer()
  const world = await serveWorld({
    sources: { notes: { 'tea.md': '# Tea\nA kettle.\n', 'pay/mara.md': '# Mara\nA kettle.\n' } },
    surfaces: ['native', 'roux', 'nexus'],
    access: {
      issuer,
      audience: AUDIENCE,
      rules: [
        { claim: 'groups', values: ['board'], see: [], hide: [], write: [] },
        { claim: 'groups', values: ['staff'], see: [], hide: ['notes/pay'], write: ['notes/in'] },
      ],
    },
  })
  const found = async (groups: readonly string[]) => {
    const token = bearer(await sign('read write', AUDIENCE, '1h', { groups }))
    const params = { name: 'search', arguments: { query: 'kettle' } }
    const response = await world.rpc('native', token, 'tools/call', params)
    const { result } = await messageOf(response)
    const notes = await world.fetch('/api/notes', { headers: token })
    const refused = await world.rpc('native', token, 'tools/call', {
      name: 'write',
      arguments: { action: 'append', id: 'notes/tea.md', content: 'x', dry_run: true },
    })
    return {
      search: (result?.structuredContent?.results ?? []).map((each: any) => each.id).toSorted(),
      route: [notes.status, (await notes.text()).includes('Mara')],
      writes: JSON.stringify(await messageOf(refused)).includes('forbidden'),
    }
  }
  expect(await found(['board'])).toEqual({
    search: ['notes/pay/mara.md', 'notes/tea.md'],
    route: [200, true],
    writes: false,
  })
  expect(await found(['staff'])).toEqual({
    search: ['notes/tea.md'],
    route: [200, false],
    writes: true,
  })
  const stranger = bearer(await sign('read write', AUDIENCE, '1h', { groups: ['other'] }))
  expect((await world.fetch('/api/notes', { headers: stranger })).status).toBe(403)
})
