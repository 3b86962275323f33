/** What a language model claims, and with which quotes. Nothing here has been checked yet. */
import { isObject } from '../../kit/is-object.ts'
import { findJson, findObjects, oneLine } from './read-json.ts'

export interface Claim {
  readonly text: string
  readonly citations: readonly { readonly passage: number; readonly quote: string }[]
}

export interface Claims {
  readonly claims: readonly Claim[]
  /** Parts of the question it found no answer to. */
  readonly missing: readonly string[]
}

const MOST_CLAIMS = 12
const MOST_CITATIONS = 4
const LONGEST_CLAIM = 600
const LONGEST_QUOTE = 2_000

/** Undefined when the answer holds no claims in any form we know. */
export function parseClaims(answer: string): Claims | undefined {
  const json = findJson(answer)
  if (isObject(json) && Array.isArray(json['claims'])) {
    return { claims: claimsOf(json['claims']), missing: textsOf(json['missing']) }
  }
  if (Array.isArray(json)) return nonEmpty(claimsOf(json))
  // An answer that was cut short still holds whole claims.
  return nonEmpty(claimsOf(findObjects(answer)))
}

function nonEmpty(claims: readonly Claim[]): Claims | undefined {
  return claims.length > 0 ? { claims, missing: [] } : undefined
}

function claimsOf(values: readonly unknown[]): Claim[] {
  return values
    .filter(isObject)
    .map((value) => ({
      text: withoutMarks(oneLine(value['text'] ?? value['claim'], LONGEST_CLAIM)),
      citations: citationsOf(value['citations'] ?? value['citation']),
    }))
    .filter(({ text }) => text !== '')
    .slice(0, MOST_CLAIMS)
}

/** Sources are named by us, behind a claim that was checked: a `[2]` in its text proves nothing. */
function withoutMarks(text: string): string {
  return text.replaceAll(/(^|[\s.,;:!?])(?:\[\d{1,3}(?:[,–-] ?\d{1,3})*\]\s*)+/g, '$1').trim()
}

function citationsOf(value: unknown): Claim['citations'] {
  const values = Array.isArray(value) ? value : [value]
  return values
    .slice(0, MOST_CITATIONS)
    .filter(isObject)
    .map(({ passage, quote }) => ({
      passage: typeof passage === 'number' ? passage : Number(/\d{1,3}/.exec(String(passage))?.[0]),
      quote: typeof quote === 'string' && quote.length <= LONGEST_QUOTE ? quote : '',
    }))
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, MOST_CLAIMS)
    .map((each) => oneLine(each, LONGEST_CLAIM))
    .filter((each) => each !== '')
}
