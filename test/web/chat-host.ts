/**
 * A stand-in for a chat that shows pages (MCP Apps, 2026-01-26): it reads the page as a resource of a
 * real server, shows it in a sandboxed frame under the policy that the specification asks for, and
 * hands on what the page asks to the server. The frame has no origin, so that storage is refused;
 * the policy refuses connections and workers.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import type { Frame, Page } from 'playwright-core'
import { vi } from 'vitest'
import { SOON } from '../support/soon.ts'
import type { OnFinished } from '../support/temporary-folder.ts'
import { closeContext, prepare, startBrowser } from './page.ts'

/** What a host must enforce when a page declares nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ')

export interface Chat {
  readonly page: Page
  /** The page of the server, inside of the chat. */
  readonly frame: Frame
  readonly faults: string[]
  /** Every message from the page, in order. */
  said(): Promise<readonly Said[]>
  /** Says something to the page. */
  tell(method: string, params: object): Promise<void>
  /** Asks the page, as hosts do before they take it away. */
  ask(method: string, params: object): Promise<unknown>
  close(): Promise<void>
}

export interface Said {
  readonly id?: number
  readonly method?: string
  readonly params?: any
}

export interface ChatOptions {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly context?: object
  readonly onFinished: OnFinished
}

/** Calls the tool as a model would, and shows the page that the tool names. */
export async function openChat(client: Client, options: ChatOptions): Promise<Chat> {
  const { tool, args, context = {}, onFinished } = options
  const { tools } = await client.listTools()
  const named = tools.find(({ name }) => name === tool)
  const { _meta: meta } = named ?? {}
  const uri = (meta?.['ui'] as { resourceUri?: string } | undefined)?.resourceUri
  if (uri === undefined) throw new Error(`${tool} names no page`)
  const { contents } = await client.readResource({ uri })
  const [content] = contents as { mimeType?: string; text?: string }[]
  if (content?.mimeType !== 'text/html;profile=mcp-app') throw new Error('that is no page')
  const result: object = await client.callTool({ name: tool, arguments: { ...args } })
  const url = await serveHost(content.text ?? '', onFinished)

  const browser = await startBrowser()
  const opened = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await prepare(opened)
  const page = await opened.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (![`${url}/`, `${url}/view`].includes(request.url()) && !request.url().startsWith('data:'))
      faults.push(`request: ${request.url()}`)
  })
  await page.exposeFunction('toServer', (method: string, params: any) =>
    toServer(client, method, params),
  )
  const start: object = { toolInfo: { tool: named }, ...context }
  await page.goto(`${url}/`)
  await page.evaluate(HOST, { context: start, args, result })
  // It is a process of its own, and may be reported later than it says that it is loaded.
  const frame = await vi.waitFor(() => {
    const found = page.frames().find((each) => each.url() === `${url}/view`)
    if (!found) throw new Error('the page is not in its frame yet')
    return found
  }, SOON)
  return {
    page,
    frame,
    faults,
    said: () => page.evaluate(() => (globalThis as any).said),
    tell: (method, params) => page.evaluate(TELL, { method, params }),
    ask: (method, params) => page.evaluate(ASK, { method, params }),
    close: () => closeContext(opened),
  }
}

async function toServer(client: Client, method: string, params: any): Promise<object> {
  try {
    if (method === 'tools/call') return { result: await client.callTool(params) }
    return { result: await client.readResource(params) }
  } catch (error) {
    return { error: { code: -32000, message: String((error as Error).message) } }
  }
}

async function serveHost(html: string, onFinished: OnFinished): Promise<string> {
  const server = createServer((request, response) => {
    const isView = request.url === '/view'
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(isView && { 'content-security-policy': POLICY }),
    })
    response.end(
      isView ? html : '<!doctype html><title>Chat</title><link rel="icon" href="data:,">',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The host's side of the protocol, in the page around the frame. */
const HOST = async ({
  context,
  args,
  result,
}: {
  readonly context: object
  readonly args: object
  readonly result: object
}): Promise<void> => {
  const shared = globalThis as any
  shared.said = []
  shared.links = []
  const iframe = document.createElement('iframe')
  iframe.setAttribute('sandbox', 'allow-scripts')
  iframe.style.cssText = 'width: 900px; height: 200px; border: 0'
  const post = (message: object): void =>
    iframe.contentWindow!.postMessage({ jsonrpc: '2.0', ...message }, '*')
  shared.post = post
  const own = (method: string, params: any): object => {
    switch (method) {
      case 'ui/initialize':
        return {
          result: {
            protocolVersion: '2026-01-26',
            hostInfo: { name: 'stand-in', version: '1' },
            hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {} },
            hostContext: context,
          },
        }
      case 'ui/request-display-mode':
        iframe.style.height = '780px'
        return { result: { mode: params.mode } }
      case 'ui/message':
      case 'ui/open-link':
        return { result: {} }
      default:
        return { error: { code: -32601, message: `No ${method} here` } }
    }
  }
  addEventListener('message', async ({ source, data }) => {
    if (source !== iframe.contentWindow) return
    shared.said.push(data)
    const { id, method, params } = data
    if (method === 'ui/notifications/size-changed') iframe.style.height = `${params.height}px`
    if (method === 'ui/notifications/initialized') {
      post({ method: 'ui/notifications/tool-input', params: { arguments: args } })
      post({ method: 'ui/notifications/tool-result', params: result })
    }
    if (id === undefined || method === undefined) return
    const passedOn = method === 'tools/call' || method === 'resources/read'
    post({ id, ...(passedOn ? await shared.toServer(method, params) : own(method, params)) })
  })
  const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve))
  iframe.src = '/view'
  document.body.append(iframe)
  await loaded
}

const TELL = ({ method, params }: { readonly method: string; readonly params: object }): void =>
  (globalThis as any).post({ method, params })

const ASK = ({ method, params }: { readonly method: string; readonly params: object }) =>
  new Promise<unknown>((resolve) => {
    addEventListener('message', ({ data }) => {
      if (data.id === 'asked') resolve(data.result ?? data.error)
    })
    ;(globalThis as any).post({ id: 'asked', method, params })
  })
