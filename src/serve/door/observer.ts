/** Observers: whoever is told of calls. The door has one list of them, collected where it is wired. */
import type { ErrorCode } from '../../core/domain/error.ts'
import type { CallContext } from './surface.ts'
import type { Access } from './tool.ts'

export interface Observer {
  /** Told of the calls of this surface alone; of all where none is named. */
  readonly surface?: string
  /** Before a call is looked at. What it gives is known to the tool, such as what was shown before. */
  readonly began?: (call: CallContext) => Partial<CallContext> | undefined
  /** When a call is over, however it ended. */
  readonly ended?: (record: CallRecord, said: Said) => void
  /** Whether it is told of the first call alone. */
  readonly once?: boolean
  /** Writes or sends what waits. */
  readonly close?: () => void | Promise<void>
}

/** What is known of a call when it is over. Never what was said in it, see `Said`. */
export interface CallRecord {
  readonly surface: string
  /** Undefined for a tool that there is not: callers make up any number of names. */
  readonly tool: string | undefined
  /** What it does; undefined for a tool that there is not. */
  readonly access: Access | undefined
  readonly client: string | undefined
  readonly principal: string | undefined
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: 'ok' | 'cancelled' | ErrorCode
  /** The trace that the client has begun, as it says it. */
  readonly traceparent?: string
}

/** What was said in a call; nobody keeps it unless the operator says so. */
export interface Said {
  readonly args?: unknown
  /** The reply as a value, where there was one. */
  readonly reply?: unknown
  /** What a model reads of it. */
  readonly texts?: readonly string[]
  /** Tokens that were not repeated, where that is counted. */
  readonly saved?: number
}
