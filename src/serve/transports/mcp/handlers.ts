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
import { type Caller, mayRead } from '../../../core/domain/caller.ts'
import { CHAT_PAGE_TYPE } from '../../../core/domain/chat-page.ts'
import { echoed } from '../../../core/kit/cut-text.ts'
import { type ErrorCode, invalid, KnowledgeError, quoted } from '../../../core/domain/error.ts'
import type {
  CallContext,
  Prompts,
  ResourceContents,
  ResourceEntry,
  Resources,
  Surface,
  ToolDefinition,
  ToolResult,
} from '../../door/surface.ts'
import { safeValue } from '../../door/safe-result.ts'
import { safely } from '../../door/serve-rows.ts'
import { withinTime } from '../../door/within-time.ts'
import { setAside } from './set-aside.ts'

export type Handler<M extends RequestMethod> = (
  request: RequestTypeMap[M],
  context: ServerContext,
) => HandlerResultTypeMap[M] | Promise<HandlerResultTypeMap[M]>

export type Handlers = { [M in RequestMethod]?: Handler<M> }

export function surfaceHandlers(
  surface: Surface,
  server: Server,
  caller?: Caller,
  showSecrets = false,
): Handlers {
  const context = (from: ServerContext): CallContext =>
    callContext(server, from, caller, showSecrets)
  return {
    ...toolHandlers(surface, server, context, caller),
    ...forReaders(caller, {
      ...(surface.resources && resourceHandlers(surface.resources, context, caller)),
      ...(surface.prompts && promptHandlers(surface.prompts, context, caller)),
      ...((surface.resources ?? surface.prompts) && completionHandlers(surface, caller)),
    }),
  }
}

/** Resources, prompts and completions are read, whoever offers them. */
function forReaders(caller: Caller | undefined, handlers: Handlers): Handlers {
  if (!caller || mayRead(caller)) return inTime(handlers)
  const refused = (): never => {
    throw new KnowledgeError(
      'forbidden',
      `${caller.principal} may not read: it needs the permission "read".`,
      'Ask whoever runs this server for a token that has it.',
    )
  }
  return Object.fromEntries(Object.keys(handlers).map((method) => [method, refused]))
}

const READ_MS = 120_000

/** Reading a resource is an operation like any other: it ends, and it can be cancelled. */
function inTime(handlers: Handlers): Handlers {
  const bounded = (handler: Handler<RequestMethod>): Handler<RequestMethod> =>
    ((request, context) =>
      withinTime(READ_MS, context.mcpReq.signal, () =>
        handler(request, context),
      )) as Handler<RequestMethod>
  return Object.fromEntries(
    Object.entries(handlers).map(([method, handler]) => [
      method,
      bounded(handler as Handler<RequestMethod>),
    ]),
  )
}

type Contexts = (context: ServerContext) => CallContext

function toolHandlers(
  surface: Surface,
  server: Server,
  of: Contexts,
  caller: Caller | undefined,
): Handlers {
  return {
    'tools/list': ({ params }, context) => {
      refuseCursor(params?.cursor)
      const pages = showsPages(server, context)
      return { tools: surface.tools(caller).map((tool) => presentTool(tool, pages)) }
    },
    'tools/call': async ({ params }, context) => {
      const call = of(context)
      const result = await surface.call(params.name, params.arguments ?? {}, call)
      return presentResult(setAside(result))
    },
  }
}

/** The address of a resource stands in what is read; a longer one than any path needs is none. */
const LONGEST_URI = 20_000

function resourceHandlers(
  resources: Resources,
  of: Contexts,
  caller: Caller | undefined,
): Handlers {
  return {
    'resources/list': async ({ params }) => {
      const { items, nextCursor } = await resources.list(params?.cursor, caller)
      return { resources: items.map(presentResource).map(safe), nextCursor }
    },
    'resources/templates/list': ({ params }) => {
      refuseCursor(params?.cursor)
      return { resourceTemplates: resources.templates.map((template) => ({ ...template })) }
    },
    'resources/read': async ({ params }, context) => {
      const call = of(context)
      const contents =
        params.uri.length > LONGEST_URI ? undefined : await resources.read(params.uri, call)
      // An empty list would read as "exists and is empty".
      if (!contents?.length) {
        throw new ResourceNotFoundError(
          echoed(params.uri),
          `There is no resource ${quoted(params.uri)}. List resources or search to see what exists.`,
        )
      }
      return { contents: contents.map((content) => presentContents(content, safely(call))) }
    },
  }
}

function promptHandlers(prompts: Prompts, of: Contexts, caller: Caller | undefined): Handlers {
  return {
    'prompts/list': async ({ params }) => {
      const { items, nextCursor } = await prompts.list(params?.cursor, caller)
      const wire = items.map((prompt) => safe({ ...prompt, arguments: [...prompt.arguments] }))
      return { prompts: wire, nextCursor }
    },
    'prompts/get': async ({ params }, context) => {
      const call = of(context)
      const prompt = await prompts.get(params.name, params.arguments ?? {}, call)
      return {
        description: safe(prompt.description),
        messages: prompt.messages.map(({ role, text }) => ({
          role,
          content: { type: 'text', text: safely(call)(text) },
        })),
      }
    },
  }
}

/** What comes from documents beside their texts, such as titles and descriptions. */
function safe<Value>(value: Value): Value {
  return safeValue(value, safely({})) as Value
}

/** The protocol's limit on one completion answer. */
const MAX_COMPLETIONS = 100

function completionHandlers({ resources, prompts }: Surface, caller: Caller | undefined): Handlers {
  return {
    'completion/complete': async ({ params: { ref, argument, context } }) => {
      const others = context?.arguments ?? {}
      const { name, value } = argument
      const found =
        ref.type === 'ref/prompt'
          ? await prompts?.complete(ref.name, name, value, others, caller)
          : resources?.templates.some((template) => template.uriTemplate === ref.uri)
            ? await resources.complete(ref.uri, name, value, others, caller)
            : undefined
      if (!found) {
        throw invalid(
          `There is nothing to complete for ${quoted(ref.type === 'ref/prompt' ? ref.name : ref.uri)}.`,
          'Name a listed prompt, or a resource template exactly as listed.',
        )
      }
      const values = safe(found.values.slice(0, MAX_COMPLETIONS))
      const { total } = found
      return { completion: { values, total, hasMore: total > values.length } }
    },
  }
}

/** Lists that fit one page never hand out a cursor, so any cursor is a mistake. */
function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) {
    throw invalid(`The cursor ${quoted(cursor)} is not valid.`, 'Ask again without a cursor.')
  }
}

function presentContents(content: ResourceContents, safe: (text: string) => string) {
  const { uri, mimeType, text = '', blob, isProgram = false, meta } = content
  const about = { uri: safe(uri), mimeType, ...(meta && { _meta: { ...meta } }) }
  return blob === undefined ? { ...about, text: isProgram ? text : safe(text) } : { ...about, blob }
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

function presentResult({ texts, structured, isError, fitsSchema = !isError }: ToolResult) {
  // Some clients show the model only one of the two forms, so both are always there.
  const shown = texts.length === 0 && structured ? [JSON.stringify(structured)] : texts
  const content = shown.map((text) => ({ type: 'text' as const, text }))
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
  caller?: Caller,
  showSecrets = false,
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
        const { code, message, hint } = safe({ ...error, message: error.message })
        throw new ProtocolError(protocolCode[code], `${message} ${hint}`.trim(), { code, hint })
      }
      // After a cancellation nobody waits for an answer, and the abort itself is no bug.
      if (!context.mcpReq.signal.aborted) onBug(error)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
    }
  }
}
