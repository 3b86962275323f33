/**
 * What a surface answers to each MCP request, in the protocol's words. Schemas, order and
 * validation are the surface's own: nothing here looks inside arguments.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type HandlerResultTypeMap,
  ProtocolError,
  ProtocolErrorCode,
  type RequestMethod,
  type RequestTypeMap,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server'
import { CHAT_PAGE_TYPE } from '../../../core/domain/chat-page.ts'
import { echoed } from '../../../core/kit/cut-text.ts'
import { type ErrorCode, invalid, KnowledgeError, quoted } from '../../../core/domain/error.ts'
import type {
  CallContext,
  ResourceContents,
  ResourceEntry,
  Surface,
  ToolDefinition,
  ToolResult,
} from '../../door/surface.ts'
import { openReading, type Reading } from '../../door/reading.ts'
import { safely } from '../../door/safe-result.ts'

export type Handler<M extends RequestMethod> = (
  request: RequestTypeMap[M],
  context: ServerContext,
) => HandlerResultTypeMap[M] | Promise<HandlerResultTypeMap[M]>

export type Handlers = { [M in RequestMethod]?: Handler<M> }

/** Who is on the other side of a connection, what they ask for, and how their wire takes long results. */
interface Asking extends Pick<CallContext, 'caller' | 'showSecrets' | 'tools'> {
  readonly setAside?: ((result: ToolResult) => ToolResult) | undefined
}

export function surfaceHandlers(surface: Surface, server: Server, asking: Asking): Handlers {
  const context = (from: ServerContext): CallContext => callContext(server, from, asking)
  const reading = openReading(surface)
  return {
    ...toolHandlers(surface, server, context, asking),
    ...(surface.resources && resourceHandlers(reading, context)),
    ...(surface.prompts && promptHandlers(reading, context)),
    ...((surface.resources ?? surface.prompts) && completionHandlers(surface, reading, context)),
  }
}

type Contexts = (context: ServerContext) => CallContext

function toolHandlers(
  surface: Surface,
  server: Server,
  of: Contexts,
  { caller, tools, setAside }: Asking,
): Handlers {
  return {
    'tools/list': ({ params }, context) => {
      refuseCursor(params?.cursor)
      const pages = showsPages(server, context)
      return { tools: surface.tools(caller, tools).map((tool) => presentTool(tool, pages)) }
    },
    'tools/call': async ({ params }, context) => {
      const call = of(context)
      const result = await surface.call(params.name, params.arguments ?? {}, call)
      return presentResult(setAside?.(result) ?? result)
    },
  }
}

/** The address of a resource stands in what is read; a longer one than any path needs is none. */
const LONGEST_URI = 20_000

function resourceHandlers(reading: Reading, of: Contexts): Handlers {
  return {
    'resources/list': async ({ params }, context) => {
      const { items, nextCursor } = await reading.list(params?.cursor, of(context))
      return { resources: items.map(presentResource), nextCursor }
    },
    'resources/templates/list': async ({ params }, context) => {
      refuseCursor(params?.cursor)
      const templates = await reading.templates(of(context))
      return { resourceTemplates: templates.map((template) => ({ ...template })) }
    },
    'resources/read': async ({ params: { uri } }, context) => {
      const contents = uri.length > LONGEST_URI ? [] : await reading.read(uri, of(context))
      // An empty list would read as "exists and is empty".
      if (!contents?.length) {
        throw new ResourceNotFoundError(
          echoed(uri),
          `There is no resource ${quoted(uri)}. List resources or search to see what exists.`,
        )
      }
      return { contents: contents.map(presentContents) }
    },
  }
}

function promptHandlers(reading: Reading, of: Contexts): Handlers {
  return {
    'prompts/list': async ({ params }, context) => {
      const { items, nextCursor } = await reading.prompts(params?.cursor, of(context))
      const prompts = items.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] }))
      return { prompts, nextCursor }
    },
    'prompts/get': async ({ params: { name, arguments: args = {} } }, context) => {
      const { description, messages } = await reading.prompt(name, args, of(context))
      return {
        description,
        messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
      }
    },
  }
}

/** The protocol's limit on one completion answer. */
const MAX_COMPLETIONS = 100

function completionHandlers(
  { resources, prompts }: Surface,
  reading: Reading,
  of: Contexts,
): Handlers {
  return {
    'completion/complete': async ({ params: { ref, argument, context: given } }, context) => {
      const [kind, about] =
        ref.type === 'ref/prompt'
          ? (['prompts', ref.name] as const)
          : (['resources', ref.uri] as const)
      const isThere =
        kind === 'prompts'
          ? prompts
          : resources?.templates.some(({ uriTemplate }) => uriTemplate === about)
      if (!isThere) {
        throw invalid(
          `There is nothing to complete for ${quoted(about)}.`,
          'Name a listed prompt, or a resource template exactly as listed.',
        )
      }
      const { name, value } = argument
      const args = [about, name, value, given?.arguments ?? {}] as const
      const found = await reading.complete(kind, [...args], of(context))
      const values = found.values.slice(0, MAX_COMPLETIONS)
      return { completion: { values, total: found.total, hasMore: found.total > values.length } }
    },
  }
}

/** Lists that fit one page never hand out a cursor, so any cursor is a mistake. */
function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) {
    throw invalid(`The cursor ${quoted(cursor)} is not valid.`, 'Ask again without a cursor.')
  }
}

function presentContents({ uri, mimeType, text = '', blob, meta }: ResourceContents) {
  const about = { uri, mimeType, ...(meta && { _meta: { ...meta } }) }
  return blob === undefined ? { ...about, text } : { ...about, blob }
}

/** MCP Apps: a client says which pages it can show. */
const PAGES = 'io.modelcontextprotocol/ui'

function showsPages(server: Server, context: ServerContext): boolean {
  const said = (envelopeValue(context, CLIENT_CAPABILITIES_META_KEY) ??
    server.getClientCapabilities()) as
    { readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: unknown }>> } | undefined
  const types = said?.extensions?.[PAGES]?.mimeTypes
  return Array.isArray(types) && types.includes(CHAT_PAGE_TYPE)
}

function presentTool(tool: ToolDefinition, pages: boolean) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
    ...(pages && tool.meta && { _meta: { ...tool.meta } }),
  }
}

function presentResult({
  texts,
  structured,
  pictures = [],
  isError,
  fitsSchema = !isError,
}: ToolResult) {
  // Some clients show the model only one of the two forms, so both are always there.
  const shown = texts.length === 0 && structured ? [JSON.stringify(structured)] : texts
  const content = [
    ...shown.map((text) => ({ type: 'text' as const, text })),
    ...pictures.map((picture) => ({ type: 'image' as const, ...picture })),
  ]
  // A failure does not have the shape the tool promises, and clients that check it against the
  // output schema would show a complaint about that instead of the message.
  return {
    content,
    ...(isError && { isError }),
    ...(structured && fitsSchema && { structuredContent: structured }),
  }
}

function presentResource({ lastModified, ...entry }: ResourceEntry) {
  return { ...entry, ...(lastModified && { annotations: { lastModified } }) }
}

export function callContext(
  server: Server,
  context: ServerContext,
  { caller, showSecrets = false, tools }: Asking = {},
): CallContext {
  const { signal } = context.mcpReq
  return {
    signal,
    client: clientName(server, context),
    connection: server,
    principal: caller?.principal,
    ...(caller && { caller }),
    ...traceOf(context),
    ...(showSecrets && { showSecrets }),
    ...(tools && { tools }),
    progress: progressReporter(context),
  }
}

/** A trace is named in a hundred characters or not at all. */
function traceOf(context: ServerContext): Pick<CallContext, 'traceparent'> {
  const { _meta: meta } = context.mcpReq as { readonly _meta?: Readonly<Record<string, unknown>> }
  const said = meta?.[TRACEPARENT_META_KEY] ?? envelopeValue(context, TRACEPARENT_META_KEY)
  return typeof said === 'string' && said.length <= 100 ? { traceparent: said } : {}
}

/** The envelope speaks for one request (2026), the handshake for the whole connection (2025). */
function clientName(server: Server, context: ServerContext): string | undefined {
  const info = (envelopeValue(context, CLIENT_INFO_META_KEY) ?? server.getClientVersion()) as
    { readonly name?: unknown; readonly version?: unknown } | undefined
  if (typeof info?.name !== 'string') return undefined
  const text = typeof info.version === 'string' ? `${info.name}/${info.version}` : info.name
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').slice(0, 120)
}

/** The SDK's type of the envelope does not name all its keys. */
export function envelopeValue({ mcpReq }: ServerContext, key: string): unknown {
  return (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[key]
}

/** More reports than this are noise to a person and load to the wire. */
const PROGRESS_INTERVAL_MS = 50

/** Progress must grow and must not flood; the last step (`done === total`) always goes out. */
function progressReporter({ mcpReq }: ServerContext): CallContext['progress'] {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return () => {}
  let reported = -Infinity
  let reportedAt = -Infinity
  return (done, total, message) => {
    const now = performance.now()
    if (mcpReq.signal.aborted || !(done > reported)) return
    if (done !== total && now - reportedAt < PROGRESS_INTERVAL_MS) return
    reported = done
    reportedAt = now
    const params = { progressToken, progress: done, total, message }
    // The client may be gone; the call itself learns that from its signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/** Protocol errors have fewer words than ours: the client's mistake, or our trouble. */
const protocolCode = {
  invalid: ProtocolErrorCode.InvalidParams,
  not_found: ProtocolErrorCode.InvalidParams,
  exists: ProtocolErrorCode.InvalidParams,
  conflict: ProtocolErrorCode.InvalidParams,
  unauthorized: ProtocolErrorCode.InvalidParams,
  forbidden: ProtocolErrorCode.InvalidParams,
  unsupported: ProtocolErrorCode.InvalidParams,
  unavailable: ProtocolErrorCode.InternalError,
  upstream: ProtocolErrorCode.InternalError,
  internal: ProtocolErrorCode.InternalError,
} as const satisfies Record<ErrorCode, ProtocolErrorCode>

/** Translates what a handler throws; a bug is reported here and leaves only a calm sentence. */
export function guarded<M extends RequestMethod>(
  handler: Handler<M>,
  onBug: (error: unknown) => void,
): Handler<M> {
  return async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      if (error instanceof KnowledgeError) {
        const { code } = error
        const [message, hint] = [error.message, error.hint].map(safely({})) as [string, string]
        throw new ProtocolError(protocolCode[code], `${message} ${hint}`.trim(), { code, hint })
      }
      // After a cancellation nobody waits for an answer, and the abort itself is no bug.
      if (!context.mcpReq.signal.aborted) onBug(error)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
    }
  }
}
