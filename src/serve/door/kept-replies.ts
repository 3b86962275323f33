/**
 * LRU cache of finished replies: what is asked again, word for word, is answered as before where all
 * that its answer rests on is as it was. Most is asked once, so a reply is kept when its question
 * comes a second time (a doorkeeper, as caches with admission have one).
 */
import { BoundedMap } from '../../core/kit/bounded-map.ts'
import type { CallContext, ToolResult } from './surface.ts'

/** Of a result that may be given again. */
export interface Lasting {
  /** Whether it would be the same for this call; what it shows has then been shown to the caller. */
  again(call: CallContext): Promise<boolean>
}

export interface KeptReplies {
  find(question: Question, call: CallContext): Promise<ToolResult | undefined>
  /** Whether this was asked before; it has been from now on. */
  wasAsked(question: Question): boolean
  keep(question: Question, lasting: Lasting, answer: ToolResult): void
}

/** What is asked, of what. */
export interface Question {
  readonly key: string
  readonly subject: object
}

interface Kept extends Lasting {
  readonly subject: object
  readonly answer: ToolResult
  readonly characters: number
}

/** Questions that are known to have been asked, and the longest of them. */
const ASKED = 1_000
const LONGEST_QUESTION = 500
/** Of all replies together, about; a hundred or two (docs/decisions/0055-core-and-wings.md). */
const CHARACTERS = 4_000_000
/** Of one question: what stands in a conversation already differs. */
const FORMS = 12

const replies = new WeakSet<object>()

/** Whether it is given again, so that whoever has written it down need not do so a second time. */
export function isKept(result: object): boolean {
  return replies.has(result)
}

export function createKeptReplies(): KeptReplies {
  const asked = new BoundedMap<string, true>(ASKED)
  const kept = new BoundedMap<string, readonly Kept[]>(CHARACTERS, (forms) =>
    forms.reduce((sum, { characters }) => sum + characters, 0),
  )
  return {
    async find({ key, subject }, call) {
      for (const each of kept.get(key) ?? []) {
        if (each.subject === subject && (await each.again(call))) return each.answer
      }
      return undefined
    },
    wasAsked({ key }) {
      if (key.length > LONGEST_QUESTION) return false
      const before = asked.get(key) ?? false
      if (!before) asked.set(key, true)
      return before
    },
    keep({ key, subject }, { again }, answer) {
      const written = JSON.stringify(answer)
      // Pieces of texts hold on to the whole of them; these are whole themselves.
      const own = JSON.parse(written) as ToolResult
      replies.add(own)
      // Once as a value and once as it is written.
      const form = { subject, again, answer: own, characters: 2 * written.length }
      kept.set(key, [form, ...(kept.get(key) ?? [])].slice(0, FORMS))
    },
  }
}
