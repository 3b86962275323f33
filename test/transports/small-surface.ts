/** A surface small enough to read, with one of everything a transport must carry. */
import { setTimeout as delay } from 'node:timers/promises'
import { invalid, KnowledgeError } from '../../src/core/domain/error.ts'
import type {
  CallContext,
  ResourceEntry,
  Surface,
  SurfaceEvent,
  ToolDefinition,
  ToolResult,
} from '../../src/serve/door/surface.ts'

export interface SmallSurface extends Surface {
  /** What clients are to be told. */
  emit(event: SurfaceEvent): void
  /** How many transports listen. */
  readonly listeners: number
  /** How many slow calls have begun. */
  readonly begun: number
  /** Names of the calls that ended because they were cancelled. */
  readonly cancelled: readonly string[]
}

const NOTES = 250
const PAGE = 100

export function smallSurface(): SmallSurface {
  const listeners = new Set<(event: SurfaceEvent) => void>()
  const cancelled: string[] = []
  let begun = 0
  const counting = { goesOn: false }
  const emit = (event: SurfaceEvent) => {
    for (const listener of listeners) listener(event)
  }

  return {
    name: 'small',
    serverInfo: { name: 'small', title: 'Small', version: '1.2.3' },
    instructions: 'Search first, then read.',
    tools: () => TOOLS,
    names: () => TOOLS.map((each) => each.name),
    call: (name, args, call) => callTool(name, args as Record<string, unknown>, call),
    resources: {
      templates: [{ uriTemplate: 'kb://notes/{+path}', name: 'note', mimeType: 'text/markdown' }],
      list: async (cursor) => {
        const from = cursor === undefined ? 0 : Number(cursor)
        if (!Number.isInteger(from) || from < 0) {
          throw invalid('The cursor is not one of ours.', 'Ask again without a cursor.')
        }
        const to = Math.min(from + PAGE, NOTES)
        const items = Array.from({ length: to - from }, (_, at) => entry(from + at))
        return { items, nextCursor: to < NOTES ? String(to) : undefined }
      },
      read: async (uri) => {
        if (!uri.startsWith('kb://')) throw invalid('Not a kb:// URI.', 'Use a listed URI.')
        // The URI arrives as it was sent: decoding it is the surface's business.
        if (uri === 'kb://notes/a%20b.md') return [{ uri, mimeType: 'text/markdown', text: uri }]
        const number = /^kb:\/\/notes\/(\d+)\.md$/.exec(uri)?.[1]
        if (number === undefined || Number(number) >= NOTES) return undefined
        return [{ uri, mimeType: 'text/markdown', text: `Note ${number}` }]
      },
      complete: async (_template, _variable, value) => {
        const all = Array.from({ length: NOTES }, (_, at) => `${at}.md`)
        const fitting = all.filter((path) => path.startsWith(value))
        return { values: fitting.slice(0, 100), total: fitting.length }
      },
    },
    prompts: {
      list: async () => ({
        items: [
          {
            name: 'summarize',
            description: 'Summarize a note.',
            arguments: [{ name: 'note', required: true }],
          },
        ],
      }),
      get: async (name, args) => {
        if (name !== 'summarize') throw new KnowledgeError('not_found', 'No such prompt.', 'List.')
        return { messages: [{ role: 'user', text: `Summarize ${args.note}.` }] }
      },
      complete: async (_name, _argument, value) => {
        const values = ['kettle', 'tea'].filter((note) => note.startsWith(value))
        return { values, total: values.length }
      },
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit,
    get listeners() {
      return listeners.size
    },
    get begun() {
      return begun
    },
    cancelled,
  }

  async function callTool(
    name: string,
    args: Record<string, unknown>,
    call: CallContext,
  ): Promise<ToolResult> {
    switch (name) {
      case 'echo': {
        if (typeof args.text !== 'string') {
          return { texts: ['text must be a string. Example: {"text": "tea"}'], isError: true }
        }
        const structured = { text: args.text, client: call.client ?? 'unknown' }
        return { texts: [JSON.stringify(structured)], structured }
      }
      case 'slow':
        return slow(Number(args.ms ?? 60_000), call)
      case 'count':
        return count(call)
      case 'enough':
        counting.goesOn = false
        return { texts: ['done'] }
      case 'emit':
        emit(args.event as SurfaceEvent)
        return { texts: ['done'] }
      case 'cancelled':
        return { texts: [], structured: { begun, cancelled: [...cancelled] } }
      case 'chatty':
        console.log('a stray line')
        process.stdout.write('and a stray write\n')
        return { texts: ['said'] }
      case 'broken':
        throw new TypeError('a secret detail')
      default:
        throw new KnowledgeError('not_found', `There is no tool "${name}".`, 'List the tools.')
    }
  }

  /** Ten steps with progress; stops at once when cancelled. */
  async function slow(ms: number, call: CallContext): Promise<ToolResult> {
    begun++
    try {
      for (let step = 1; step <= 10; step++) {
        await delay(ms / 10, undefined, { signal: call.signal })
        call.progress(step, 10, `step ${step}`)
      }
      return { texts: ['finished'] }
    } catch (error) {
      cancelled.push('slow')
      throw error
    }
  }

  /** Reports progress until somebody says that it is enough. */
  async function count(call: CallContext): Promise<ToolResult> {
    counting.goesOn = true
    for (let step = 1; step <= 10_000 && counting.goesOn; step++) {
      await delay(20, undefined, { signal: call.signal })
      call.progress(step, 10_000)
    }
    return { texts: ['finished'] }
  }
}

function entry(number: number): ResourceEntry {
  return {
    uri: `kb://notes/${number}.md`,
    name: `${number}.md`,
    mimeType: 'text/markdown',
    size: 7,
    lastModified: '2026-01-02T03:04:05Z',
  }
}

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

function tool(name: string, properties: Record<string, unknown> = {}): ToolDefinition {
  const inputSchema = { type: 'object' as const, properties, additionalProperties: false }
  return {
    name,
    title: name,
    description: `The ${name} tool.`,
    inputSchema,
    annotations: READ_ONLY,
  }
}

export const TOOLS: readonly ToolDefinition[] = [
  {
    ...tool('echo', { text: { type: 'string', 'x-cairn-example': 'tea' } }),
    outputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, client: { type: 'string' } },
      required: ['text', 'client'],
    },
  },
  tool('slow', { ms: { type: 'number' } }),
  tool('count'),
  tool('enough'),
  tool('emit', { event: { type: 'object' } }),
  tool('cancelled'),
  tool('chatty'),
  tool('broken'),
]
