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

  constructor(code: ErrorCode, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

export function invalid(message: string, hint: string): KnowledgeError {
  return new KnowledgeError('invalid', message, hint)
}

/** At most this much of what a caller sent is repeated back to it. */
const QUOTE_LIMIT = 120

/** Quotes untrusted text inside a message: bounded, on one line, without control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return `"${clean.length > QUOTE_LIMIT ? `${clean.slice(0, QUOTE_LIMIT)}…` : clean}"`
}
