/** Routes of a surface that are more than MCP, at paths of their own beside the MCP endpoints. */
import type { Hono } from 'hono'
import type { Caller } from '../../../core/domain/caller.ts'
import type { EndpointOptions } from './mcp-endpoint.ts'

/** Who sent a request, as far as the server knows. Routes find it as their `env`. */
export interface Sender {
  /** Who it is, where the server knows its callers. */
  readonly caller: Caller | undefined
  /** The address it came from. */
  readonly peer: string
  /** Scheme and host that it asked for. */
  readonly asked: string
  /** Scheme and host under which clients are told to come. */
  readonly origin: string
  /** Whether the caller is still let in, for answers that take long. */
  readonly isStillIn?: () => Promise<boolean>
}

export interface Mount {
  /** The one that people are told about. */
  readonly path: string
  readonly routes: Hono<{ Bindings: Sender }>
  /** Whether the path, without a query, is one of these routes. */
  owns(path: string): boolean
  /** What may be done there, such as `GET, POST, OPTIONS`; undefined where it is turned off. */
  methods(path: string): string | undefined
  /** Longer bodies are refused. */
  maxBodyBytes(path: string): number
  /**
   * What an answer there counts as: `work` that so much is done of at once, a `stream` that so many
   * are open of, or neither.
   */
  countsAs(path: string): 'work' | 'stream' | 'nothing'
  /** A token that nobody has is refused there (403), and not asked for again (401). */
  readonly refusesWrongTokens?: boolean
  /** What a person whose browser asks for an address that is nobody's is shown. */
  readonly nothingHere?: (request: Request) => Response
  /** How these routes say that a request was refused. */
  problem(status: number, message: string): Response
  /** Resolves when every call has been answered. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** What routes must know of the server around them. */
export interface Site {
  /** Whether pages of this origin may read answers (CORS). */
  mayRead(origin: string): boolean
  readonly endpointOptions: EndpointOptions
}

export type OpenMount = (site: Site) => Mount
