/** What was said in one reply, so that nothing is said twice: pages repeat their sentences. */
import type { Sentence } from '../../parsing/split-sentences.ts'

export interface Said {
  /** Whether a sentence was said, by itself or as several that follow each other. */
  has(sentence: string): boolean
  /** Sentences that follow each other, their letters alone. */
  add(sentences: readonly string[]): void
}

/** What is shorter may be a line that something needs. */
const REPEATED_LETTERS = 24

/** Pages say a list once more on one line: that is what its items say one after the other. */
export function createSaid(): Said {
  const sentences = new Set([''])
  const inOrder: string[] = []
  const isJoined = (sentence: string): boolean => {
    for (let first = 0; first < inOrder.length; first++) {
      let at = 0
      for (let next = first; next < inOrder.length; next++) {
        if (!sentence.startsWith(inOrder[next]!, at)) break
        at += inOrder[next]!.length
        if (at === sentence.length) return true
      }
    }
    return false
  }
  return {
    has: (sentence) =>
      sentences.has(sentence) || (sentence.length >= REPEATED_LETTERS && isJoined(sentence)),
    add: (some) => {
      for (const each of some) {
        sentences.add(each)
        inOrder.push(each)
      }
    },
  }
}

/**
 * What the parts of a text say, without those that were said, here or before. `letters` are those of
 * the parts, where somebody knows them.
 */
export function withoutSaid(
  text: string,
  { start, parts }: { readonly start: number; readonly parts: readonly Sentence[] },
  said: Said,
  letters: readonly string[] = parts.map((each) => lettersOf(text.slice(each.start, each.end))),
): string {
  const here = createSaid()
  let kept = ''
  let from = start
  let at = 0
  for (const part of together(parts)) {
    const says = letters.slice(at, (at += part.length))
    const all = says.length === 1 ? says[0]! : says.join('')
    const { end, kind } = part.at(-1)!
    const repeats = all.length >= REPEATED_LETTERS && (said.has(all) || here.has(all))
    if (!repeats) kept += text.slice(from, end)
    if (kind !== 'heading') here.add(says)
    from = end
  }
  return kept
}

/** Sentences stand alone; rows and lines of code need each other. */
function together(parts: readonly Sentence[]): readonly (readonly Sentence[])[] {
  const groups: Sentence[][] = []
  for (const part of parts) {
    const before = groups.at(-1)?.at(-1)
    const isLine = part.kind === 'code' || part.kind === 'row'
    const joins =
      isLine && before?.kind === part.kind && (part.kind === 'row' || before.block === part.block)
    if (joins) groups.at(-1)!.push(part)
    else groups.push([part])
  }
  return groups
}

/**
 * What a sentence says, whatever marks and gaps are in it. Signs that change what a number or a
 * name is stay: 1.5 is not 15, -5 not 5, and C++ not C.
 */
export function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s*_~`"'“”‘’«»()[\]{}|\\;!?…·•–—]+|[.,:](?!\d)|(?<!\d)[.,:]|(?<=\p{L})-/gu, '')
}
