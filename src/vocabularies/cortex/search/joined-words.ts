/** Many words as one text, `word\nword\n`: one search over it is faster than one per word. */
import type { Place } from './split-parts.ts'

export class JoinedWords {
  readonly #text: string
  readonly #numbers: readonly number[]
  /** Where each word begins. */
  readonly #starts: number[] = []

  /** `numbers` are the words to join, in order. */
  constructor(words: readonly string[], numbers: readonly number[], narrow: boolean) {
    let at = 0
    for (const number of numbers) {
      this.#starts.push(at)
      at += words[number]!.length + 1
    }
    const text = numbers.length === 0 ? '' : `${numbers.map((n) => words[n]!).join('\n')}\n`
    // A piece of a text with wide characters stays wide in memory, whatever its own are.
    this.#text = narrow ? Buffer.from(text, 'latin1').toString('latin1') : text
    this.#numbers = numbers
  }

  /** Appends the numbers of the words that have `piece` at this place. */
  find(piece: string, place: Exclude<Place, 'whole'>, found: number[]): void {
    const needle = place === 'end' ? `${piece}\n` : piece
    let word = 0
    for (let at = this.#text.indexOf(needle); at >= 0;) {
      // Hits come in order, so the word of one is not far behind that of the last.
      while (this.#starts[word + 1]! <= at) word++
      // Where a word begins with it, that is the first time it is met there.
      if (place !== 'start' || at === this.#starts[word]) found.push(this.#numbers[word]!)
      const next = this.#starts[word + 1]
      at = next === undefined ? -1 : this.#text.indexOf(needle, next)
    }
  }
}

/** Whether every character fits into a byte. */
export function isNarrow(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 255) return false
  return true
}
