/**
 * In which texts is a word? A chain per word through two arrays of numbers: a list for each word
 * would be a hundred thousand small ones that grow by turns, and keep the garbage collector busy.
 */

const SMALLEST = 4_096
const NONE = -1

export class Postings {
  #texts = new Int32Array(SMALLEST)
  /** Where the chain of the same word goes on. */
  #next = new Int32Array(SMALLEST)
  #size = 0
  readonly #first: number[] = []
  readonly #last: number[] = []
  readonly #counts: number[] = []

  /** Words are numbered from 0 without gaps; texts come in the order of their numbers. */
  add(word: number, text: number): void {
    const isNew = word === this.#first.length
    const last = isNew ? NONE : this.#last[word]!
    if (!isNew && this.#texts[last] === text) return
    if (this.#size === this.#texts.length) this.#grow()
    const at = this.#size++
    this.#texts[at] = text
    this.#next[at] = NONE
    if (isNew) {
      this.#first.push(at)
      this.#last.push(at)
      this.#counts.push(1)
    } else {
      this.#next[last] = at
      this.#last[word] = at
      this.#counts[word]!++
    }
  }

  /** How many texts a word is in. */
  count(word: number): number {
    return this.#counts[word]!
  }

  /** Raises the mark of every text with the word from the one below to this one. */
  mark(word: number, marks: Uint8Array, mark: number): void {
    const texts = this.#texts
    const next = this.#next
    for (let at = this.#first[word]!; at !== NONE; at = next[at]!) {
      const text = texts[at]!
      if (marks[text] === mark - 1) marks[text] = mark
    }
  }

  #grow(): void {
    this.#texts = grown(this.#texts)
    this.#next = grown(this.#next)
  }
}

function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
