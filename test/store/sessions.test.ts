/** A client that one server of a base has greeted is answered by the others, in both eras. */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { beginSession, modern, raw, rpc } from '../transports/http-raw.ts'

it('answers a session that another server began', { timeout: 600_000 }, async () => {
  const database = await startPglite()
  onTestFinished(() => database.close())
  const folder = temporaryFolder({ 'kettle.md': '# Kettle\n\nThe zygomorphic kettle boils.' })
  const serve = async (base: string): Promise<string> => {
    const store = `${database.url}?base=${base}`
    const { config } = await loadConfig({
      folders: [folder],
      flags: { state: join(temporaryFolder(), 'state'), store, embedder: 'none', port: '0' },
      configFile: undefined,
      env: {},
      cwd: folder,
      home: folder,
    })
    const server = await startServer(config, { transport: 'http' })
    onTestFinished(() => server.close())
    return new URL(server.url!).origin
  }
  const [one, two, stranger] = [await serve('met'), await serve('met'), await serve('unmet')]
  const params = { name: 'search', arguments: { query: 'zygomorphic kettle' } }
  const found = JSON.stringify('Kettle')
  const headers = await beginSession(one!)
  for (const url of [two!, one!]) {
    await expect
      .poll(async () => (await raw(url, { headers, body: rpc('tools/call', params) })).text, {
        timeout: 300_000,
      })
      .toContain(found)
  }
  expect((await raw(stranger!, { headers, body: rpc('ping') })).status).toBe(404)
  // The other way round, and without any session.
  const second = await beginSession(two!)
  expect((await raw(one!, { headers: second, body: rpc('ping') })).json.result).toEqual({})
  for (const url of [one!, two!]) {
    expect((await raw(url, modern('tools/call', params))).text).toContain(found)
  }
  expect((await raw(one!, { method: 'DELETE', headers: second })).status).toBe(200)
  expect((await raw(one!, { headers: second, body: rpc('ping') })).status).toBe(404)
  // The server that began it finds out while it is used.
  const pinged = async () => (await raw(two!, { headers: second, body: rpc('ping') })).status
  await expect.poll(pinged, { timeout: 300_000, interval: 250 }).toBe(404)
})
