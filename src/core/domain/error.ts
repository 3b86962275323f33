import { withoutMiddle } from '../kit/cut-text.ts'

/** Every way a request can fail that the caller can understand. Surfaces translate these codes. */
export const ERROR_CODES = [
  'invalid',
  'not_found',
  'exists',
  'conflict',
  'unauthorized',
  'forbidden',
  'unsupported',
  'unavailable',
  'upstream',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** Something the caller can understand and act on. Anything else that is thrown is a bug. */
export class KnowledgeError extends Error {
  override readonly name: string = 'KnowledgeError'
  readonly code: ErrorCode
  /** What to try next, said to a person and an agent alike. */
  readonly hint: string
  /** Documents that may have been meant: where one can follow them, they are links. */
  readonly candidates: readonly string[]

  /** Names, headings and arguments of any length may be told in it: their middle is left out. */
  constructor(code: ErrorCode, message: string, hint: string, candidates: readonly string[] = []) {
    super(withoutMiddle(message, LONGEST_MESSAGE))
    this.code = code
    this.hint = withoutMiddle(hint, LONGEST_HINT)
    this.candidates = candidates
  }
}

/** Together no more than a client reads. */
const LONGEST_MESSAGE = 1_200
const LONGEST_HINT = 800

type Saying = (message: string, hint: string) => KnowledgeError

const saying =
  (code: ErrorCode): Saying =>
  (message, hint) =>
    new KnowledgeError(code, message, hint)

export const invalid = saying('invalid')
export const notFound = saying('not_found')
export const alreadyThere = saying('exists')
export const conflict = saying('conflict')
export const forbidden = saying('forbidden')
export const unsupported = saying('unsupported')
export const unavailable = saying('unavailable')
export const upstream = saying('upstream')

/** At most this much of what a caller sent is repeated back to it. */
const QUOTE_LIMIT = 120

/** Quotes untrusted text inside a message: bounded, on one line, without control characters. */
export function quoted(text: string): string {
  const short = withoutMiddle(text, QUOTE_LIMIT)
  return `"${short.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')}"`
}
