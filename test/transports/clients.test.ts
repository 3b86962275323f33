/** The same conversation with every official client, over every wire, in both protocol eras. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type HttpServer, serveHttp } from '../../src/serve/transports/http/serve-http.ts'
import { DRIVERS, type Driver, type DriverKind, type Target } from './drivers.ts'
import { TOOLS, smallSurface } from './small-surface.ts'
import { SOON } from '../support/soon.ts'

describe('over stdio', () => {
  describe.each(DRIVERS)('$name', (kind) => {
    describeConversation(kind, () => ({ kind: 'stdio' }))
  })
})

describe('over HTTP', () => {
  describe.each(DRIVERS)('$name', (kind) => {
    let server: HttpServer
    beforeAll(async () => {
      const surfaces = [{ path: '/mcp', surface: smallSurface() }]
      server = await serveHttp({ surfaces, port: 0, onBug: () => {} })
    })
    afterAll(() => server.close())

    describeConversation(kind, () => ({ kind: 'http', url: new URL('/mcp', server.url) }))
  })
})

function describeConversation(kind: DriverKind, target: () => Target): void {
  let driver: Driver
  beforeAll(async () => {
    driver = await kind.open(target())
  })
  afterAll(() => driver.close())

  it('introduces itself and lists the tools exactly as defined', async () => {
    const { client } = driver
    expect(client.getServerVersion()).toMatchObject({ name: 'small', version: '1.2.3' })
    expect(client.getInstructions()).toBe('Search first, then read.')
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools)).toBe(JSON.stringify(TOOLS.map(inWireOrder)))
  })

  it('calls tools and tells failures apart', async () => {
    const { client } = driver
    const structured = { text: 'tea', client: 'driver/9.9' }
    const result = await client.callTool({ name: 'echo', arguments: { text: 'tea' } })
    expect(result.structuredContent).toEqual(structured)
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(structured) }])
    expect(result.isError).toBeFalsy()

    const mistake = await client.callTool({ name: 'echo', arguments: { text: 1 } })
    expect(mistake).toMatchObject({ isError: true, content: [{ text: expect.any(String) }] })

    await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 })
    const bug = client.callTool({ name: 'broken' })
    await expect(bug).rejects.toMatchObject({ code: -32603 })
    await expect(bug).rejects.not.toThrow(/secret/)
  })

  it('reports progress', async () => {
    const steps: number[] = []
    // Steps that share a packet with the answer are lost on the client, so it ends once some came.
    const onprogress = ({ progress }: { progress: number }) => {
      if (steps.push(progress) === 3) driver.client.callTool({ name: 'enough' }).catch(() => {})
    }
    const result = await driver.call({ name: 'count', arguments: {} }, { onprogress })
    expect(result.content).toEqual([{ type: 'text', text: 'finished' }])
    expect(steps.length).toBeGreaterThanOrEqual(3)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  })

  it('stops a call that is cancelled', async () => {
    const cancel = new AbortController()
    const request = { name: 'slow', arguments: { ms: 60_000 } }
    const state = async (): Promise<Record<string, any>> =>
      (await driver.client.callTool({ name: 'cancelled' })).structuredContent as object
    const { begun } = await state()
    const call = driver.call(request, { signal: cancel.signal })
    const refused = expect(call).rejects.toThrow()
    await vi.waitFor(async () => expect((await state())['begun']).toBe(begun + 1), SOON)
    cancel.abort()
    await refused
    await vi.waitFor(async () => expect((await state())['cancelled']).toEqual(['slow']), SOON)
  })

  it('pages through resources', async () => {
    const uris: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await driver.client.listResources(cursor === undefined ? {} : { cursor })
      uris.push(...page.resources.map((resource) => resource.uri))
      cursor = page.nextCursor
      pages++
      // The new client collects every page by itself when asked without a cursor.
    } while (cursor !== undefined)
    expect(new Set(uris).size).toBe(250)
    expect(uris.length).toBe(250)
    expect(pages).toBeGreaterThanOrEqual(1)
    const bad = driver.client.listResources({ cursor: 'made up' })
    await expect(bad).rejects.toMatchObject({ code: -32602 })
  })

  it('reads resources', async () => {
    const { client } = driver
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'kb://notes/{+path}' }])
    const { contents } = await client.readResource({ uri: 'kb://notes/7.md' })
    expect(contents).toMatchObject([{ uri: 'kb://notes/7.md', text: 'Note 7' }])
    const encoded = await client.readResource({ uri: 'kb://notes/a%20b.md' })
    expect(encoded.contents).toMatchObject([{ text: 'kb://notes/a%20b.md' }])

    const missing = await client.readResource({ uri: 'kb://notes/999.md' }).catch((e) => e)
    expect(missing.data).toEqual({ uri: 'kb://notes/999.md' })
    const malformed = client.readResource({ uri: 'http://elsewhere/' })
    await expect(malformed).rejects.toMatchObject({ code: -32602 })
  })

  it('completes template variables and prompt arguments', async () => {
    const { client } = driver
    const paths = await client.complete({
      ref: { type: 'ref/resource', uri: 'kb://notes/{+path}' },
      argument: { name: 'path', value: '1' },
    })
    expect(paths.completion).toMatchObject({ total: 111, hasMore: true })
    expect(paths.completion.values).toHaveLength(100)
    const notes = await client.complete({
      ref: { type: 'ref/prompt', name: 'summarize' },
      argument: { name: 'note', value: 'k' },
    })
    expect(notes.completion).toEqual({ values: ['kettle'], total: 1, hasMore: false })
    const unknown = client.complete({
      ref: { type: 'ref/resource', uri: 'kb://other/{x}' },
      argument: { name: 'x', value: '' },
    })
    await expect(unknown).rejects.toMatchObject({ code: -32602 })
  })

  it('gets prompts', async () => {
    const { client } = driver
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['summarize'])
    const { messages } = await client.getPrompt({ name: 'summarize', arguments: { note: 'tea' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Summarize tea.' } }])
    const unknown = client.getPrompt({ name: 'nope' })
    await expect(unknown).rejects.toMatchObject({ code: -32602 })
  })

  it('hears of the changes it follows, and of no others', async () => {
    const { client, told } = driver
    await driver.follow(['kb://notes/1.md', 'kb://notes/2.md'])
    const events = [
      { kind: 'resource_updated', uri: 'kb://notes/1.md' },
      { kind: 'resource_updated', uri: 'kb://notes/3.md' },
      { kind: 'resource_updated', uri: 'kb://notes/2.md' },
      { kind: 'resources_changed' },
      { kind: 'tools_changed' },
      { kind: 'prompts_changed' },
    ]
    const expected = [
      'prompts',
      'resources',
      'tools',
      'updated kb://notes/1.md',
      'updated kb://notes/2.md',
    ]
    // Over HTTP the stream of the old client may open a moment after the handshake.
    await vi.waitFor(async () => {
      for (const event of events) await client.callTool({ name: 'emit', arguments: { event } })
      expect([...new Set(told)].toSorted()).toEqual(expected)
    }, SOON)
  })
}

/** Absent optional fields are absent on the wire too. */
function inWireOrder({ name, title, description, ...rest }: (typeof TOOLS)[number]) {
  const { inputSchema, outputSchema, annotations } = rest
  return {
    name,
    title,
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations,
  }
}
