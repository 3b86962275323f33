/** A cortex server over real files, started as the command starts it and reached over SSE. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { onTestFinished } from 'vitest'
import { startCortex } from '../../src/vocabularies/cortex/start/start-cortex.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export const CONCEPTS = 'knowledge/entities/concepts.jsonl'
export const RELATIONS = 'knowledge/relations/2026-02.jsonl'

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

export function thisMonth(): string {
  return `knowledge/relations/${new Date().toISOString().slice(0, 7)}.jsonl`
}

export function lines(...objects: readonly unknown[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('')
}

/** The fixture of the contract's acceptance checks. */
export function fixture(): Record<string, string> {
  return {
    [CONCEPTS]: lines(
      {
        id: 'tool_use',
        type: 'concept',
        name: 'Tool Use',
        desc: 'Calling functions',
        tags: ['agent'],
        updated_at: daysAgo(0),
      },
      {
        id: 'rag',
        type: 'pattern',
        name: 'RAG',
        desc: 'Retrieval augmented',
        tags: ['AI', 'search'],
        updated_at: daysAgo(31),
      },
    ),
    'knowledge/entities/tech_stack/ai.jsonl': lines({
      id: 'mcp',
      type: 'tech',
      name: 'MCP 协议',
      desc: '模型上下文协议',
      tags: [],
      updated_at: '',
    }),
    [RELATIONS]: lines(
      { src: 'mcp', rel: 'enables', dst: 'tool_use', context: '', created_at: '2026-02-14' },
      { src: 'mcp', rel: 'uses', dst: 'gone', context: '', created_at: '2026-02-15T10:00:00' },
    ),
  }
}

export interface Called {
  readonly text: string
  readonly isError: boolean
  readonly data: Record<string, any>
}

export interface Cortex {
  /** Below a folder of its own, so that one can look above it. */
  readonly root: string
  readonly url: string
  readonly client: Client
  readonly log: readonly string[]
  call(name: string, args?: Record<string, unknown>): Promise<Called>
  /** Ids that a search finds, best first. */
  found(query: string): Promise<string[]>
  read(uri: string): Promise<any>
  /** Every file in the root and beside it, with its content; not the lock. */
  files(): Record<string, string>
}

export async function openCortex(files: Record<string, string> = fixture()): Promise<Cortex> {
  const inside = Object.entries(files).map(([path, text]) => [`brain/${path}`, text])
  const folder = temporaryFolder({ 'brain/.keep': '', ...Object.fromEntries(inside) })
  const root = join(folder, 'brain')
  const log: string[] = []
  const url = await serve(root, log)
  const client = await sseClient(url)
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Called> => {
    const result = await client.callTool({ name, arguments: args })
    const [item] = result.content as { text: string }[]
    const data = (result.structuredContent ?? {}) as Record<string, any>
    return { text: item!.text, isError: result.isError === true, data }
  }
  return {
    root,
    url,
    client,
    log,
    call,
    async found(query) {
      const { text } = await call('search_knowledge', { query })
      return (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return JSON.parse((contents[0] as { text: string }).text)
    },
    files: () => filesBelow(folder),
  }
}

/** Starts a server on a root and returns its address, without a path. */
export async function serve(root: string, log: string[] = []): Promise<string> {
  const settings = {
    root,
    transport: 'sse',
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
  } as const
  const server = await startCortex(settings, {
    log: (level, message) => log.push(`${level}: ${message}`),
  })
  onTestFinished(() => server.close())
  return new URL(server.url!).origin
}

/** The old client over the old transport. */
export async function sseClient(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new SSEClientTransport(new URL('/sse', url)))
  onTestFinished(() => client.close())
  // The client checks structured results against the schemas it has seen listed.
  await client.listTools()
  return client
}

export function filesBelow(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.includes('.cairn') && statSync(join(folder, path)).isFile())
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
}
