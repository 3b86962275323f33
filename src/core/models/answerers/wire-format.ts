/** How one family of servers wants to be asked, and how it answers. */
import type { AnswerPrompt } from '../answerer.ts'

export type BoundedPrompt = AnswerPrompt & { readonly maxTokens: number }

export interface WireFormat {
  /** Where and what to send for a prompt. */
  request(server: AnswerServer, prompt: BoundedPrompt): WireRequest
  /** What an event of a stream says, or an answer that came whole. Undefined where it says nothing. */
  read(event: unknown): Piece | undefined
}

export interface AnswerServer {
  /** Base of the API, without a slash at its end. */
  readonly url: string
  readonly model: string
  readonly apiKey: string | undefined
}

export interface WireRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

export interface Piece {
  readonly text?: string
  /** Nothing more will come: without this, an answer was cut off on its way. */
  readonly done?: boolean
  /** The server reports trouble of its own in the middle of an answer. */
  readonly failed?: boolean
}

/** A field of something that may be anything. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
