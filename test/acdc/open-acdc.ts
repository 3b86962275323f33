/** An acdc server over real files, started as the command starts it and reached over HTTP. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { onTestFinished } from 'vitest'
import { loadAcdcSettings } from '../../src/vocabularies/acdc/start/acdc-settings.ts'
import { startAcdc } from '../../src/vocabularies/acdc/start/start-acdc.ts'
import { temporaryFolder, type OnFinished } from '../support/temporary-folder.ts'

/** The fixture of the contract's acceptance checks. */
export const FIXTURE: Readonly<Record<string, string>> = {
  'cfg/mcp-metadata.yaml': `server: { name: KB, version: 1.0, instructions: Use search first }
content:
  - { name: docs, description: The docs, path: ../docs-src }
  - { name: ops, description: The runbooks, path: ../ops-src }
`,
  'docs-src/mcp-resources/guides/getting-started.md': resource(
    'Getting Started',
    '# Start\n\nThis is about searching capabilities.\n',
    { description: 'How to begin', keywords: '[setup, install]' },
  ),
  'docs-src/mcp-resources/nameless.md': '---\nname: Nameless\n---\nText.\n',
  'docs-src/mcp-prompts/code-review.md': `---
name: code-review
description: Reviews code
arguments:
  - { name: commit, description: Which one, required: false }
  - { name: lang, description: Which language }
---
Review {{.lang}}{{if .commit}} at {{.commit}}{{else}} all{{end}}.`,
  'ops-src/mcp-resources/guides/getting-started.md': resource(
    'Ops Start',
    'Deploy with searching tools.',
    { description: 'Ops' },
  ),
}

export interface Front {
  readonly description?: string
  readonly keywords?: string
}

export function resource(
  name: string,
  body: string,
  { description = `About ${name}`, keywords }: Front = {},
): string {
  const extra = keywords === undefined ? '' : `keywords: ${keywords}\n`
  return `---\nname: ${name}\ndescription: ${description}\n${extra}---\n${body}`
}

/** A config file with one location, `docs`, and these resources in it. */
export function oneLocation(files: Readonly<Record<string, string>>): Record<string, string> {
  const content = Object.entries(files).map(([path, text]) => [`docs-src/${path}`, text])
  return {
    'cfg/mcp-metadata.yaml':
      'server: { name: KB, version: 2, instructions: Search }\ncontent: [{ name: docs, description: Docs, path: ../docs-src }]\n',
    'docs-src/mcp-resources/.keep': '',
    ...Object.fromEntries(content),
  }
}

export interface Acdc {
  readonly folder: string
  /** Such as `http://127.0.0.1:4040`. */
  readonly url: string
  readonly log: readonly string[]
  readonly client: Client
  /** The text of a tool's answer; an error has `!` in front. */
  call(name: string, args: Record<string, unknown>): Promise<string>
  /** Names of the resources a search finds, best first. */
  names(query: string, source?: string): Promise<string[]>
  close(): Promise<void>
}

export interface AcdcOptions {
  readonly flags?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly onFinished?: OnFinished
}

export async function openAcdc(
  files: Readonly<Record<string, string>> = FIXTURE,
  options: AcdcOptions = {},
): Promise<Acdc> {
  const { onFinished = onTestFinished } = options
  const folder = temporaryFolder(files, onFinished)
  const flags = {
    config: join(folder, 'cfg/mcp-metadata.yaml'),
    transport: 'sse',
    host: '127.0.0.1',
    port: '0',
    ...options.flags,
  }
  const log: string[] = []
  const settings = loadAcdcSettings({ flags, env: options.env ?? {}, cwd: folder })
  const server = await startAcdc(settings, {
    cwd: folder,
    log: (level, message) => log.push(`${level}: ${message}`),
  })
  onFinished(() => server.close())
  const url = new URL(server.url!).origin
  const client = await sseClient(url, options.headers, onFinished)
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const result = await client.callTool({ name, arguments: args })
    const [item] = result.content as { text: string }[]
    return `${result.isError ? '!' : ''}${item!.text}`
  }
  return {
    folder,
    url,
    log,
    client,
    call,
    async names(query, source) {
      const { structuredContent } = await client.callTool({
        name: 'search',
        arguments: { query, ...(source !== undefined && { source }) },
      })
      const { results } = structuredContent as { results: { name: string }[] }
      return results.map(({ name }) => name)
    },
    close: () => server.close(),
  }
}

/** The old client over the old transport. */
export async function sseClient(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  onFinished: OnFinished = onTestFinished,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new SSEClientTransport(new URL('/sse', url), {
    requestInit: { headers },
    eventSourceInit: {
      fetch: (address, init) =>
        fetch(address, { ...init, headers: { ...(init.headers as object), ...headers } }),
    },
  })
  await client.connect(transport)
  onFinished(() => client.close())
  // The client checks structured results against the schemas it has seen listed.
  await client.listTools()
  return client
}
