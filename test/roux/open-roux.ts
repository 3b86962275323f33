/** A roux server over real files, behind the official client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import type { Answerer } from '../../src/core/models/answerer.ts'
import type { Knowledge, Similarity } from '../../src/core/operations/view/knowledge.ts'
import { openRouxSurface } from '../../src/vocabularies/roux/open-roux-surface.ts'
import type { Changes } from '../../src/core/store/store.ts'
import { buildMcpServer } from '../../src/serve/transports/mcp/mcp-server.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'

/** The fixture of the contract's acceptance checks. */
export const GRAPH = {
  'a.md': '[[b]] [[d]]',
  'b.md': '[[c]] [[e]]',
  'c.md': 'text',
  'd.md': '[[e]]',
  'e.md': 'text',
  'Notes/Lemon.md': '---\ntitle: Lemon\ntags: [Fruit, citrus]\norigin: IT\n---\nSour.\n',
}

export interface RouxAnswer {
  readonly isError: boolean | undefined
  /** What the first text says. */
  readonly value: any
  readonly texts: readonly string[]
  readonly structured: any
  /** Code and message of an error. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  readonly warnings: readonly string[]
}

export interface Roux {
  readonly client: Client
  readonly base: SmallBase
  call(name: string, args?: Record<string, unknown>): Promise<RouxAnswer>
  /** Says that files changed, as a watcher does. */
  tell(changes: Partial<Changes>): void
}

export interface RouxOptions {
  readonly similar?: (base: SmallBase) => Similarity
  readonly readOnly?: boolean
  readonly answerer?: Answerer
  readonly catchingUp?: Knowledge['catchingUp']
}

export async function openRoux(
  files: Readonly<Record<string, string | Uint8Array>> = GRAPH,
  { similar, readOnly = false, answerer, catchingUp }: RouxOptions = {},
): Promise<Roux> {
  const base = await openSmallBase(files, { readsAnyNote: true })
  const listeners = new Set<(changes: Changes) => void>()
  const kb: Knowledge = {
    ...base.base,
    similar: similar?.(base),
    ...(readOnly && { writing: undefined }),
    ...(answerer && { answerer }),
    ...(catchingUp && { catchingUp }),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const surface = openRouxSurface(kb, { log: (error) => base.bugs.push(error) })
  const server = buildMcpServer(surface, { era: 'legacy' })
  const client = new Client({ name: 'test', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  // The two generations of the SDK describe the same wire with types that differ in detail.
  await Promise.all([server.connect(far), client.connect(near as unknown as Transport)])
  onTestFinished(() => client.close())
  // The client checks structured results against the schemas it has seen listed.
  await client.listTools()
  return {
    client,
    base,
    call: (name, args) => callTool(client, name, args),
    tell: (changes) => {
      const numbers = { putDocs: [], goneDocs: [], relinkedDocs: [] }
      const names = { put: [], removed: [], listChanged: false, unnamed: false }
      const nothing = { generation: 0, ...names, ...numbers }
      for (const listener of listeners) listener({ ...nothing, ...changes })
    },
  }
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<RouxAnswer> {
  const result = await client.callTool({ name, arguments: args })
  const texts = (result.content as { type: string; text: string }[]).map(({ text }) => text)
  const [value, more] = texts.map((text) => JSON.parse(text))
  const error = result.isError ? value.error : undefined
  const warnings = more?.['_warnings'] ?? value?.['_warnings'] ?? []
  const structured = result.structuredContent
  return {
    isError: result.isError as boolean | undefined,
    value,
    texts,
    structured,
    error,
    warnings,
  }
}

export function ids(nodes: readonly { readonly id: string }[]): string[] {
  return nodes.map(({ id }) => id)
}
