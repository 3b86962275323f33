/**
 * What a connection has been shown, so that looking again around the same subject costs less: a
 * passage that stands in the conversation already is named instead of repeated. What answers another
 * question is shown again, and so is whatever somebody asks for.
 */
import { randomInt } from 'node:crypto'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { lettersOf } from './said.ts'

/** Of one reply. A sentence is known by its document too: the same words elsewhere are new. */
export interface Shown {
  /** Whether there is nothing that need not be repeated. */
  readonly isBlank: boolean
  has(id: string, sentence: string): boolean
  add(id: string, sentence: string): void
  /** The same for whoever has kept what stands for a sentence (`keyOf`). */
  hasKey(key: number): boolean
  addKey(key: number): void
  /** Whether the document was named; it is from now on. */
  names(id: string): boolean
  /** What was added stands in the conversation from now on: the reply is on its way. */
  told(): void
}

export interface ShownBefore {
  /** What was shown for questions like this one, and what was read; what is added is of this one. */
  about(query: string, options?: { readonly again?: boolean | undefined }): Shown
  /** A text that was read as a whole. */
  read(id: string, text: string): void
}

/** Replies that are remembered, sentences of each, and sentences that were read. */
const REPLIES = 20
const SENTENCES = 500
const READ = 5_000
/** Two questions are about the same where they share two words, and so much of the longer one. */
const ALIKE = 0.6

export function createShownBefore(): ShownBefore {
  const replies: Reply[] = []
  const read = new Set<number>()
  return {
    about(query, { again = false } = {}) {
      // Many connections ask once: what the last reply showed is looked at when there is a next.
      for (const reply of replies) settle(reply)
      const own: Reply = { query, words: undefined, keys: new Set(), pending: [] }
      const alike = again ? [] : replies.filter((reply) => areAlike(wordsIn(reply), wordsIn(own)))
      const isBlank = alike.length === 0 && (again || read.size === 0)
      const hasKey = (key: number): boolean =>
        !isBlank && ((!again && read.has(key)) || alike.some(({ keys }) => keys.has(key)))
      const has = (id: string, sentence: string): boolean => !isBlank && hasKey(keyOf(id, sentence))
      const note = (shown: Reply['pending'][number]): void => {
        if (own.pending.length < SENTENCES) own.pending.push(shown)
      }
      const add = (id: string, sentence: string): void => note([id, sentence])
      return {
        isBlank,
        has,
        add,
        hasKey,
        addKey: note,
        names: (id) => {
          add(id, '')
          return has(id, '')
        },
        told: () => {
          replies.push(own)
          if (replies.length > REPLIES) replies.shift()
        },
      }
    },
    read(id, text) {
      for (const sentence of sentencesIn(text)) {
        read.add(keyOf(id, sentence))
        if (read.size > READ) read.delete(read.values().next().value!)
      }
    },
  }
}

interface Reply {
  readonly query: string
  words: ReadonlySet<string> | undefined
  readonly keys: Set<number>
  /** Sentences that were shown: their keys, or each with its document as long as it has none. */
  pending: (number | readonly [string, string])[]
}

function wordsIn(reply: Reply): ReadonlySet<string> {
  return (reply.words ??= wordsOf(reply.query))
}

function settle(reply: Reply): void {
  for (const shown of reply.pending) {
    reply.keys.add(typeof shown === 'number' ? shown : keyOf(...shown))
  }
  reply.pending = []
}

/** The letters of every sentence of a text; headings stand above what is said. */
export function sentencesIn(text: string): readonly string[] {
  return splitSentences(text)
    .filter(({ kind }) => kind !== 'heading')
    .map(({ start, end }) => lettersOf(text.slice(start, end)))
    .filter((letters) => letters !== '')
}

/** From where the numbers of sentences are counted: nobody can write two that have the same. */
const SEEDS = [randomInt(2 ** 32), randomInt(2 ** 32)] as const

/** A number for a sentence of a document; that two have the same happens to nobody. */
export function keyOf(id: string, sentence: string): number {
  let [a, b] = SEEDS
  for (const text of [id, sentence]) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      a = Math.imul(a ^ unit, 0x9e3779b1)
      b = Math.imul(b ^ unit, 0x5f356495)
    }
    a ^= a >>> 15
    b ^= b >>> 13
  }
  return (b >>> 11) * 2 ** 32 + (a >>> 0)
}

const EMPTY = new Set(
  'about also does from have into that their them then there these they this what when where which while will with would your'.split(
    ' ',
  ),
)

function wordsOf(query: string): ReadonlySet<string> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return new Set(
    words
      .filter((word) => !EMPTY.has(word) && (word.length > 3 || /[^a-z]/.test(word)))
      .map((word) => (word.length > 4 ? word.replace(/(?:s|ed|ing)$/, '') : word)),
  )
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared >= Math.min(2, a.size, b.size) && shared / Math.max(1, a.size, b.size) >= ALIKE
}
