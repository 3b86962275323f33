/** The JSON in what a language model wrote: it may stand in a fence, in prose, or be cut short. */
import { isObject } from '../../kit/is-object.ts'
import { orElse } from '../../kit/or-else.ts'

/** Longer answers are not looked at: nobody asked for them. */
const LONGEST = 100_000

/** The first object or list of the text; undefined when there is none that can be read. */
export function findJson(given: string): unknown {
  if (given.length > LONGEST) return undefined
  const answer = withoutThoughts(given)
  const start = answer.search(/[[{]/)
  if (start < 0) return undefined
  const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))
  return parse(answer.slice(start, end + 1))
}

/** Complete objects within a text that is no JSON as a whole, such as one that was cut short. */
export function findObjects(given: string): readonly Record<string, unknown>[] {
  if (given.length > LONGEST) return []
  const answer = withoutThoughts(given)
  const found: Record<string, unknown>[] = []
  const open: number[] = []
  let inText = false
  for (let at = 0; at < answer.length; at++) {
    const character = answer[at]
    if (inText) {
      if (character === '\\') at++
      else if (character === '"') inText = false
    } else if (character === '"') inText = open.length > 0
    else if (character === '{') open.push(at)
    else if (character === '}' && open.length > 0) {
      const value = parse(answer.slice(open.pop(), at + 1))
      if (isObject(value)) found.push(value)
      if (found.length > MOST_OBJECTS) break
    }
  }
  return found
}

const MOST_OBJECTS = 100

/** Models that think aloud do so before they answer, between marks of their own. */
function withoutThoughts(answer: string): string {
  const end = answer.lastIndexOf('</think>')
  return end < 0 ? answer : answer.slice(end)
}

function parse(text: string): unknown {
  return orElse(() => JSON.parse(text), undefined)
}

/** One line of text without control characters, as long as it may be; empty for anything else. */
export function oneLine(value: unknown, longest: number): string {
  if (typeof value !== 'string') return ''
  const clean = value.replaceAll(
    /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g,
    ' ',
  )
  return clean.trim().slice(0, longest).toWellFormed()
}
