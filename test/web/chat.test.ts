/** The page in a chat: a stand-in for the host in a real browser, a real client, the built server. */
import { cpSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CAIRN, cleanEnvironment, ROOT } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder, writeFiles, type OnFinished } from '../support/temporary-folder.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { openChat, type Chat, type ChatOptions } from './chat-host.ts'
import { axeFaults, closeBrowser, startBrowser, untilSaid } from './page.ts'
import { serve } from './served.ts'

const UI = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** One that is asked and never changed. */
let asked: Connected
const finished: (() => void | Promise<void>)[] = []

beforeAll(async () => {
  asked = await connect(['--chat'], UI, (clean) => finished.unshift(clean))
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

interface Connected {
  readonly client: Client
  readonly folder: string
}

async function connect(
  flags: readonly string[],
  extensions: Record<string, object> = UI,
  onFinished: OnFinished = onTestFinished,
): Promise<Connected> {
  const root = temporaryFolder({}, onFinished)
  const folder = `${root}/handbook`
  cpSync(resolve(ROOT, 'examples/handbook'), folder, {
    recursive: true,
    filter: (path) => !path.includes('.cairn'),
  })
  writeFiles(folder, {
    'picture.md': '# A picture\n\n![a dot](dot.png) and [outside](https://example.org/).\n',
    'dot.png': DOT,
    'secret.md': '# A secret\n\nThe key is AKIAIOSFODNN7EXAMPLE, keep it.\n',
  })
  const client = new Client(
    { name: 'chat', version: '1' },
    { capabilities: { extensions } as object },
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CAIRN, 'serve', folder, '--state', `${root}/state`, ...flags],
    env: cleanEnvironment({ HOME: root }),
    stderr: 'ignore',
  })
  await client.connect(transport)
  onFinished(() => client.close())
  await vi.waitFor(async () => {
    const { structuredContent } = await client.callTool({ name: 'list', arguments: { limit: 1 } })
    const { total, indexing } = structuredContent as { total?: number; indexing?: string }
    if ((total ?? 0) < 35 || indexing) throw new Error(JSON.stringify(structuredContent))
  }, SOON)
  return { client, folder }
}

async function chat(
  { client }: Connected,
  options: Omit<ChatOptions, 'onFinished'>,
): Promise<Chat> {
  const opened = await openChat(client, { ...options, onFinished: onTestFinished })
  onTestFinished(() => opened.close())
  return opened
}

const methods = async ({ said }: Chat): Promise<string[]> =>
  (await said()).flatMap(({ method }) => method ?? [])

describe('the page for chats', () => {
  it('is one document of at most 150 KB that loads nothing', () => {
    const file = join(ROOT, 'dist/chat.html')
    expect(statSync(file).size).toBeLessThanOrEqual(150_000)
    const html = readFileSync(file, 'utf8')
    const [, ...found] =
      /(<link\b|<iframe\b|<script[^>]* src=)|(\bfetch\(|localStorage|EventSource|BroadcastChannel|new Worker)/.exec(
        html,
      ) ?? []
    // What a chat forbids is not even tried.
    expect(found).toEqual([])
  })

  it('offers nothing that makes, moves or fills in notes', () => {
    const html = readFileSync(join(ROOT, 'dist/chat.html'), 'utf8')
    const words = ['New note', 'Today’s note', 'Make a note', 'mend it', 'Rename or move']
    expect(words.filter((each) => html.includes(each))).toEqual([])
  })

  it('is there only when it was asked for, and for clients that can show it', async () => {
    const named = async ({ client }: Connected): Promise<string[]> => {
      const { tools } = await client.listTools()
      return tools.flatMap(({ name, _meta }) => (_meta ? [name] : []))
    }
    expect(await named(asked)).toEqual(['search', 'neighbors', 'path', 'ask', 'history'])
    expect(await named(await connect(['--chat'], {}))).toEqual([])
    const off = await connect([])
    expect(await named(off)).toEqual([])
    await expect(off.client.readResource({ uri: 'ui://cairn/page' })).rejects.toThrow(/no resource/)

    const names = async ({ client }: Connected) =>
      (await client.listTools()).tools.map((t) => t.name)
    expect(await names(asked)).toEqual(await names(off))
    const { resources } = await asked.client.listResources()
    expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([])
  })

  it('is told to clients of both eras over HTTP', async () => {
    const served = await serve(onTestFinished, { flags: ['--chat'] })
    for (const [mode, protocol] of [
      ['legacy', '2025-11-25'],
      ['auto', '2026-07-28'],
    ] as const) {
      const client = new Client(
        { name: 'chat', version: '1' },
        { capabilities: { extensions: UI } as object, versionNegotiation: { mode } },
      )
      await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)))
      expect(client.getNegotiatedProtocolVersion()).toBe(protocol)
      const { tools } = await client.listTools()
      const { _meta: meta } = tools.find(({ name }) => name === 'ask')!
      expect([protocol, meta]).toEqual([protocol, { ui: { resourceUri: 'ui://cairn/page' } }])
      const { contents } = await client.readResource({ uri: 'ui://cairn/page' })
      expect(contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app' })
      await client.close()
    }
  })

  it('answers what makes no sense with what to do', async () => {
    const { client } = asked
    const read = async (uri: string) =>
      JSON.parse(((await client.readResource({ uri })).contents[0] as { text: string }).text)
    expect(await read('ui://cairn/read/constructor?%7B%7D')).toMatchObject({
      error: { code: 'not_found' },
    })
    expect(await read('ui://cairn/read/note?nonsense')).toMatchObject({
      error: { code: 'invalid', hint: expect.stringMatching(/./) },
    })
    expect(await read('ui://cairn/read/note?%7B%22id%22%3A%22gone.md%22%7D')).toMatchObject({
      error: { code: 'not_found' },
    })
    await expect(client.readResource({ uri: 'ui://cairn/elsewhere' })).rejects.toThrow(
      /no resource/,
    )
    const picture = 'ui://cairn/picture/handbook/..%2F..%2Fstate%2Fmap.bin?from=picture.md'
    await expect(client.readResource({ uri: picture })).rejects.toThrow(/picture|not/i)
    // What looks like a secret is masked, as in every answer to a chat.
    const note = await read('ui://cairn/read/note?%7B%22id%22%3A%22secret.md%22%7D')
    expect(note.value.html).toContain('[masked AWS key]')
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'in a chat' : NO_BROWSER, () => {
  it('shows what was searched, opens notes, goes back and sends one to the chat', async () => {
    await startBrowser()
    const opened = await chat(asked, {
      tool: 'search',
      args: { query: 'roll back a release' },
      context: { theme: 'dark', containerDimensions: { width: 900, maxHeight: 600 } },
    })
    const { frame, page, faults, said } = opened
    await frame.locator('[role=option] .name', { hasText: 'Roll back a release' }).first().waitFor()
    expect(await frame.locator('#q').inputValue()).toBe('roll back a release')
    // Theme and size are the host's.
    expect(await frame.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    const size = (await said()).find(({ method }) => method === 'ui/notifications/size-changed')
    expect(size?.params).toEqual({ width: 900, height: 600 })
    await expect.poll(() => frame.evaluate(() => [innerWidth, innerHeight])).toEqual([900, 600])
    expect((await methods(opened)).slice(0, 1)).toEqual(['ui/initialize'])

    await frame.locator('#q').focus()
    await page.keyboard.press('Enter')
    await frame.locator('.prose', { hasText: 'Rolling back is never a failure' }).waitFor()
    await frame.locator('.backlinks h2').waitFor()
    await frame.locator('.prose a.note').first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => frame.locator('.pane, .spine').count()).toBe(2)
    await page.keyboard.press('[')
    await expect.poll(() => frame.locator('.pane, .spine').count()).toBe(1)

    await frame.locator('button[aria-label="Send to the chat"]').focus()
    await page.keyboard.press('Enter')
    await untilSaid(frame, 'Sent to the chat')
    const message = (await said()).find(({ method }) => method === 'ui/message')
    expect(message?.params.content[0].text).toContain('handbook/runbooks/roll-back-a-release.md')
    // Code that is wider than its note is reachable by keyboard a frame after it is shown.
    await expect.poll(() => axeFaults(frame as never), SOON).toEqual([])
    expect(faults).toEqual([])
  })

  it('shows pictures of notes and lets the chat open what is outside', async () => {
    const opened = await chat(asked, {
      tool: 'search',
      args: { query: 'a picture dot' },
    })
    const { frame, faults, said, tell } = opened
    await frame.locator('[role=option]', { hasText: 'A picture' }).first().click()
    const picture = frame.locator('.prose img')
    await expect
      .poll(() => picture.evaluate((each: HTMLImageElement) => each.src.slice(0, 22)))
      .toBe('data:image/png;base64,')
    await expect.poll(() => picture.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1)
    await frame.locator('.prose a', { hasText: 'outside' }).click()
    await expect
      .poll(async () => (await said()).find(({ method }) => method === 'ui/open-link')?.params)
      .toEqual({ url: 'https://example.org/' })
    await tell('ui/notifications/host-context-changed', { theme: 'light' })
    await expect
      .poll(() => frame.evaluate(() => document.documentElement.dataset['theme']))
      .toBe('light')
    expect(await opened.ask('ui/resource-teardown', { reason: 'test' })).toEqual({})
    expect(await opened.ask('ping', {})).toEqual({})
    expect(await opened.ask('sampling/createMessage', {})).toMatchObject({ code: -32601 })
    expect(faults).toEqual([])
  })

  it('does not ask again what the chat has asked, and lights the quotes', async () => {
    const opened = await chat(asked, {
      tool: 'ask',
      args: { question: 'When may we roll back a release?' },
    })
    const { frame, faults, said } = opened
    await frame.locator('.cite').first().click()
    await frame.locator('mark.quote').first().waitFor()
    const calls = (await said()).filter(({ method }) => method === 'tools/call')
    expect(calls.filter(({ params }) => params.name === 'ask')).toEqual([])
    expect(faults).toEqual([])
  })

  it('draws the map around a note, larger where the chat lets it', async () => {
    const opened = await chat(asked, {
      tool: 'neighbors',
      args: { id: 'handbook/runbooks/roll-back-a-release.md', depth: 2 },
      context: { availableDisplayModes: ['inline', 'fullscreen'], displayMode: 'inline' },
    })
    const { frame, faults, said } = opened
    await frame.locator('.chosen h1', { hasText: 'Roll back a release' }).waitFor()
    await expect.poll(() => frame.locator('.map-table tbody tr').count()).toBeGreaterThan(3)
    await frame.locator('.foot button', { hasText: 'larger' }).click()
    await frame.locator('.foot button', { hasText: 'smaller' }).waitFor()
    expect(
      (await said()).find(({ method }) => method === 'ui/request-display-mode')?.params,
    ).toEqual({ mode: 'fullscreen' })
    expect(faults).toEqual([])
  })

  it('undoes one change through the tool, and the file is what it was', async () => {
    const connected = await connect(['--chat'])
    const file = join(connected.folder, 'picture.md')
    const before = readFileSync(file)
    await connected.client.callTool({
      name: 'write',
      arguments: { action: 'append', id: 'handbook/picture.md', content: 'An agent was here.' },
    })
    expect(readFileSync(file).equals(before)).toBe(false)
    const opened = await chat(connected, { tool: 'history', args: {} })
    const { frame, faults } = opened
    await frame.locator('.changes button', { hasText: 'undo' }).first().click()
    await frame.locator('.confirm .removed', { hasText: 'An agent was here.' }).waitFor()
    await frame.locator('.confirm button.danger').click()
    await expect.poll(() => readFileSync(file).equals(before)).toBe(true)
    // What takes back more than one belongs to the host's own confirmations.
    expect(await frame.locator('input[type=datetime-local]').count()).toBe(0)
    expect(await frame.locator('.views a').allTextContents()).not.toContain('Live')
    expect(faults).toEqual([])
  })
})
