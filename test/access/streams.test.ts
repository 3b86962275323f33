/** Streams of notifications are for readers, for as long as they are let in. */
import { expect, it, vi } from 'vitest'
import { SOON } from '../support/soon.ts'
import { bearer, messageOf, serveWorld } from './world.ts'
import type { Credentials, World } from './world.ts'

const NOTES = ['notes/tea.md', 'notes/cup.md'] as const
const URIS = NOTES.map((id) => `kb://${id}`)
const EVENTS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

/** All that is said until the stream ends. */
function hear(response: Response) {
  const heard = { text: '', isOver: false }
  const listen = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const part of response.body!) heard.text += decoder.decode(part)
  }
  void listen()
    .catch(() => {})
    .finally(() => (heard.isOver = true))
  return heard
}

/** A stream of each kind: of the 2026 revision, of a session before it, and of the wire before that. */
async function listen(world: World, who: Credentials) {
  const notifications = { resourcesListChanged: true, resourceSubscriptions: URIS }
  const modern = await world.rpc('native', who, 'subscriptions/listen', { notifications })
  const rpc = (id: number | undefined, method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params })
  const clientInfo = { name: 't', version: '1' }
  const begin = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const post = (path: string, body: string, headers: Credentials = {}) =>
    world.fetch(path, { method: 'POST', headers: { ...EVENTS, ...who, ...headers }, body })
  const begun = await post('/mcp', rpc(1, 'initialize', begin))
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id')! }
  await begun.body?.cancel()
  await (await post('/mcp', rpc(undefined, 'notifications/initialized', {}), session)).text()
  for (const uri of URIS) {
    await (await post('/mcp', rpc(2, 'resources/subscribe', { uri }), session)).text()
  }
  const stream = await world.fetch('/mcp', { headers: { ...EVENTS, ...who, ...session } })
  const old = await world.fetch('/sse', { headers: { ...EVENTS, ...who } })
  const heard = { modern: hear(modern), session: hear(stream), old: hear(old) }
  await vi.waitFor(() => expect(heard.old.text).toContain('endpoint'), SOON)
  const address = /data: (\S+)/.exec(heard.old.text)![1]!
  await (await post(address, rpc(1, 'initialize', begin))).text()
  await (await post(address, rpc(undefined, 'notifications/initialized', {}))).text()
  return heard
}

async function open() {
  const text = '---\nname: Tea\ndescription: x\n---\n# Tea\n'
  const sources = { notes: { 'tea.md': text, 'cup.md': text } }
  const world = await serveWorld({ sources, surfaces: ['native', 'acdc'] })
  const writer = bearer(world.token('writer', { may: ['read', 'write'] }))
  const write = async (action: object): Promise<void> => {
    const params = { name: 'write', arguments: { ...action } }
    const { result } = await messageOf(await world.rpc('native', writer, 'tools/call', params))
    expect(result.isError).toBeUndefined()
  }
  let made = 0
  /** Something that everybody who follows hears of. */
  const change = async (id: string): Promise<void> => {
    await write({ action: 'append', id, content: 'more' })
    await write({ action: 'create', id: `notes/new-${made++}.md`, content: text })
  }
  return { world, change }
}

const TOLD = /notifications\/resources\/(?:list_changed|updated)/
const TOLD_OF_CUP = /resources\/updated[^\n]*cup\.md/

it('end for whoever is no longer let in, without a word more', async () => {
  const { world, change } = await open()
  const heard = await listen(world, bearer(world.token('gone', { may: ['read'] })))
  const still = await listen(world, bearer(world.token('stays', { may: ['read'] })))
  await change(NOTES[0])
  const all = [...Object.values(heard), ...Object.values(still)]
  await vi.waitFor(() => {
    for (const { text } of all) expect(text).toMatch(TOLD)
  }, SOON)
  world.tokens.revoke('gone')
  await change(NOTES[1])
  await vi.waitFor(() => {
    for (const { text } of [still.modern, still.session]) expect(text).toMatch(TOLD_OF_CUP)
    for (const { isOver } of Object.values(heard)) expect(isOver).toBe(true)
  }, SOON)
  for (const { text } of Object.values(heard)) expect(text).not.toMatch(TOLD_OF_CUP)
})

it('tell nothing to whoever may not read', async () => {
  const { world, change } = await open()
  const heard = await listen(world, bearer(world.token('mute', { may: ['maintain'] })))
  const still = await listen(world, bearer(world.token('stays', { may: ['read'] })))
  await change(NOTES[0])
  await vi.waitFor(() => {
    for (const { text } of Object.values(still)) expect(text).toMatch(TOLD)
  }, SOON)
  for (const { text } of Object.values(heard)) expect(text).not.toMatch(TOLD)
})
