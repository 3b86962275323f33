/**
 * In whose words? A surface is data: tools, resources and prompts of one vocabulary, already bound
 * to a knowledge base. Transports carry it over a wire and know nothing else.
 */

import type { Caller } from '../../core/domain/caller.ts'
import type { ShownBefore } from '../../core/operations/searching/shown-before.ts'
import type { ToolLimits } from './limit-tools.ts'

/** JSON Schema of an object, as it goes over the wire. */
export type ObjectSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint: boolean
}

export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations: ToolAnnotations
  /** For clients that show a page; no model reads it. */
  readonly meta?: { readonly ui: { readonly resourceUri: string } }
}

/** What a surface may know about the call it answers. */
export interface CallContext {
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal
  /** `name/version` of the client where it introduced itself. */
  readonly client?: string
  /** The same object for every call of one connection; missing where calls stand alone. */
  readonly connection?: object
  /** How the caller is called in history. */
  readonly principal?: string
  /** Who was let in, where not everybody may do everything. */
  readonly caller?: Caller
  /** What looks like a secret is shown as it stands: asked for by someone who may. */
  readonly showSecrets?: boolean
  /** The trace that the client has begun (W3C Trace Context). */
  readonly traceparent?: string
  /** How whoever sent the call names it, where the wire has such names. */
  readonly requestId?: string | undefined
  /** A program reads the reply: what a model would read of it is not made. */
  readonly onlyData?: boolean
  /** Which tools the client asks for; it can only take away from what the operator leaves. */
  readonly tools?: ToolLimits
  /** A tool calls another: whatever is listed, it may be called. */
  readonly isInside?: boolean
  /** The reply is kept where it lasts: its row says on what it rests. */
  readonly keeps?: boolean
  /** What this connection has been shown, where somebody keeps that in mind. */
  readonly seen?: ShownBefore
  /** Reports progress when the client asked for it; a no-op otherwise. */
  readonly progress: (done: number, total?: number, message?: string) => void
}

/** Who asks, and whether secrets are shown to them. */
export type Who = Pick<CallContext, 'caller' | 'showSecrets'>

/** A picture as it goes over the wire, in base64. */
export interface ShownPicture {
  readonly data: string
  readonly mimeType: string
}

/** Result of a tool call. `text` holds the same facts as `structured`; several texts are allowed. */
export interface ToolResult {
  readonly texts: readonly string[]
  readonly structured?: Readonly<Record<string, unknown>>
  readonly pictures?: readonly ShownPicture[]
  readonly isError?: boolean
  /** Whether `structured` is what the tool's output schema says; of errors only where it is said. */
  readonly fitsSchema?: boolean
  /** Tokens that were not repeated because the client has seen them. */
  readonly saved?: number
}

/** A result before it is made safe. Without texts, models read the value as JSON. */
export interface Reply extends Omit<ToolResult, 'texts' | 'structured'> {
  readonly texts?: readonly string[]
  readonly structured?: unknown
  /** The field in which `structured` stands where it is no object by itself. */
  readonly under?: string | undefined
}

export interface ResourceEntry {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  /** ISO instant. */
  readonly lastModified?: string
}

export interface ResourceTemplateEntry {
  /** RFC 6570, such as `kb://{source}/{+path}`. */
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  /** One of both: words, or bytes in base64. */
  readonly text?: string
  readonly blob?: string
  /** Words of ours: nothing in them is shown as anything else than it is. */
  readonly isProgram?: boolean
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

export interface Resources {
  readonly templates: readonly ResourceTemplateEntry[]
  /** Throws KnowledgeError `invalid` for a cursor that is not one of ours. */
  list(cursor: string | undefined, caller?: Caller): Promise<Page<ResourceEntry>>
  /** Resolves to undefined when there is no such resource. Throws `invalid` for a malformed URI. */
  read(uri: string, call: CallContext): Promise<readonly ResourceContents[] | undefined>
  /** Values for one variable of a template, given what was filled in already. At most 100. */
  complete(
    uriTemplate: string,
    variable: string,
    value: string,
    others: Readonly<Record<string, string>>,
    caller?: Caller,
  ): Promise<{ readonly values: readonly string[]; readonly total: number }>
}

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

export interface PromptEntry {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly PromptArgument[]
}

export interface Prompts {
  list(cursor: string | undefined, caller?: Caller): Promise<Page<PromptEntry>>
  /** Throws KnowledgeError `not_found` or `invalid`. */
  get(
    name: string,
    args: Readonly<Record<string, string>>,
    call: CallContext,
  ): Promise<{
    readonly description?: string
    readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  }>
  complete(
    name: string,
    argument: string,
    value: string,
    others: Readonly<Record<string, string>>,
    caller?: Caller,
  ): Promise<{ readonly values: readonly string[]; readonly total: number }>
}

/** What clients can be told about without asking. */
export type SurfaceEvent =
  | { readonly kind: 'resources_changed' }
  | { readonly kind: 'resource_updated'; readonly uri: string }
  | { readonly kind: 'tools_changed' }
  | { readonly kind: 'prompts_changed' }

export interface Surface {
  /** Whether everything it says keeps to what a caller sees; else only who sees all is let in. */
  readonly narrows?: boolean
  /** Short name: `native`, `roux`, … It is the last part of `/mcp/<name>`. */
  readonly name: string
  readonly serverInfo: { readonly name: string; readonly title?: string; readonly version: string }
  /** Under 2 KB: clients cut what is longer. */
  readonly instructions?: string
  /** Whether tools may name a page, so that what is listed differs from client to client. */
  readonly showsPages?: boolean
  /** In a fixed order; the same for every connection of callers who may and ask for the same. */
  tools(caller?: Caller, asked?: ToolLimits): readonly ToolDefinition[]
  /** Of all tools for this caller, also where the operator leaves them out of the list. */
  names(caller?: Caller): readonly string[]
  /**
   * Validates and runs. Failures the caller can mend come back as `isError` results; an unknown
   * tool throws KnowledgeError `not_found`; bugs are caught inside and come back scrubbed.
   */
  call(name: string, args: unknown, call: CallContext): Promise<ToolResult>
  readonly resources?: Resources
  readonly prompts?: Prompts
  /** What this caller may hear of. Returns the function that stops listening. */
  subscribe(listener: (event: SurfaceEvent) => void, caller?: Caller): () => void
}
