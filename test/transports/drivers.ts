/** The official clients, old and new, behind one face, so that each test runs with all of them. */
import { fileURLToPath } from 'node:url'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

/** Where the server under test is. */
export type Target =
  /** Default: the small test surface. */
  | { readonly kind: 'stdio'; readonly command?: StdioCommand }
  | { readonly kind: 'http'; readonly url: URL }

export interface StdioCommand {
  readonly command: string
  readonly args: string[]
  readonly env?: Record<string, string>
}

export interface Driver {
  /** What both clients understand. Their types differ; what the tests use of them does not. */
  readonly client: ClientV2
  /** Names of the changes the client was told about, such as `updated kb://notes/1.md`. */
  readonly told: readonly string[]
  call(request: ToolCall, options: CallOptions): Promise<{ readonly content: unknown }>
  follow(uris: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface ToolCall {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number }) => void
}

export interface DriverKind {
  readonly name: string
  readonly protocol: string
  open(target: Target): Promise<Driver>
}

export const DRIVERS: readonly DriverKind[] = [
  { name: 'v1 client', protocol: '2025-11-25', open: openV1 },
  { name: 'v2 client, 2025 era', protocol: '2025-11-25', open: (at) => openV2(at, 'legacy') },
  { name: 'v2 client, 2026 era', protocol: '2026-07-28', open: (at) => openV2(at, 'auto') },
]

const INFO = { name: 'driver', version: '9.9' }

export const STDIO_COMMAND: StdioCommand = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./stdio-server.ts', import.meta.url))],
}

async function openV1(target: Target): Promise<Driver> {
  const client = new ClientV1(INFO)
  const told: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(`updated ${params.uri}`)
  })
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    told.push('resources')
  })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.push('tools'))
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
    told.push('prompts')
  })
  const transport =
    target.kind === 'stdio'
      ? new StdioV1({ ...(target.command ?? STDIO_COMMAND), stderr: 'ignore' })
      : new HttpV1(target.url)
  await client.connect(transport)
  return {
    client: client as unknown as ClientV2,
    told,
    // The old client takes a result schema second, where the new one takes the options.
    call: async ({ name, arguments: args }, options) => {
      const { content } = await client.callTool({ name, arguments: args }, undefined, options)
      return { content }
    },
    follow: async (uris) => {
      for (const uri of uris) await client.subscribeResource({ uri })
    },
    close: () => client.close(),
  }
}

async function openV2(target: Target, mode: 'legacy' | 'auto'): Promise<Driver> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } })
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(`updated ${params.uri}`)
  })
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    told.push('resources')
  })
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    told.push('tools')
  })
  client.setNotificationHandler('notifications/prompts/list_changed', () => {
    told.push('prompts')
  })
  const transport =
    target.kind === 'stdio'
      ? new StdioV2({ ...(target.command ?? STDIO_COMMAND), stderr: 'ignore' })
      : new HttpV2(target.url)
  await client.connect(transport)
  return {
    client,
    told,
    call: (request, options) => client.callTool(request, options),
    follow: async (uris) => {
      if (mode === 'legacy') {
        for (const uri of uris) await client.subscribeResource({ uri })
        return
      }
      await client.listen({
        resourceSubscriptions: [...uris],
        resourcesListChanged: true,
        toolsListChanged: true,
        promptsListChanged: true,
      })
    },
    close: () => client.close(),
  }
}
