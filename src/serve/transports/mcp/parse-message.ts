/** JSON from outside, bounded before anything recursive touches it. */
import { orElse } from '../../../core/kit/or-else.ts'

/** One message, over any wire, is at most this long. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/**
 * `JSON.parse` survives any nesting, but what reads the value afterwards is often recursive and
 * would overflow the stack. No honest message is nested this deeply.
 */
const MAX_DEPTH = 200

export type Parsed =
  { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'problem'; why: string }

export function parseJson(text: string): Parsed {
  if (deeperThan(text, MAX_DEPTH)) {
    return { kind: 'problem', why: `the JSON is nested more than ${MAX_DEPTH} levels deep` }
  }
  return orElse(() => ({ kind: 'value', value: JSON.parse(text) }), {
    kind: 'problem',
    why: 'it is not valid JSON',
  })
}

/** Counts brackets outside strings. Text that is not JSON may count wrong; parsing refuses it. */
function deeperThan(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === BRACKET || code === BRACE) {
      if (++depth > limit) return true
    } else if (code === BRACKET_END || code === BRACE_END) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d
