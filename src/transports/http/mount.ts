/** Routes of a surface that are more than MCP, at paths of their own beside the MCP endpoints. */
import type { EndpointOptions } from './mcp-endpoint.ts'

export interface Mount {
  /** The one that people are told about. */
  readonly path: string
  /** Whether the path, without a query, is one of these routes. */
  owns(path: string): boolean
  /** Longer bodies are refused. */
  maxBodyBytes(path: string): number
  /** `principal` is who sends it, where the server itself knows its callers. */
  fetch(request: Request, principal?: string): Promise<Response>
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
