/**
 * In which texts is a word? What is there before anybody asks is written down as it comes, and
 * sorted by word at the first question: a list for each word would be a hundred thousand small
 * ones that grow by turns, and keep the garbage collector busy. What comes later is little.
 */

const SMALLEST = 4_096

export class Postings {
  /** Until the first question. */
  #log: Log | undefined = new Log()
  /** The texts of word `n` are in `#texts`, from `#starts[n]` to `#starts[n + 1]`. */
  #starts = new Int32Array(1)
  #texts = new Int32Array()
  /** What came after the first question, by word. */
  readonly #later = new Map<number, number[]>()

  /** Words are numbered from 0 without gaps; texts come in the order of their numbers. */
  add(word: number, text: number): void {
    if (this.#log) {
      this.#log.add(word, text)
      return
    }
    const texts = this.#later.get(word)
    if (!texts) this.#later.set(word, [text])
    else if (texts.at(-1) !== text) texts.push(text)
  }

  /** How many texts a word is in. */
  count(word: number): number {
    this.#sort()
    return this.#end(word) - this.#start(word) + (this.#later.get(word)?.length ?? 0)
  }

  /** Raises the mark of every text with the word from the one below to this one. */
  mark(word: number, marks: Uint8Array, mark: number): void {
    this.#sort()
    markSome(this.#texts, this.#start(word), this.#end(word), marks, mark)
    const later = this.#later.size === 0 ? undefined : this.#later.get(word)
    if (later) markSome(later, 0, later.length, marks, mark)
  }

  #start(word: number): number {
    return this.#starts[word] ?? this.#texts.length
  }

  #end(word: number): number {
    return this.#starts[word + 1] ?? this.#texts.length
  }

  #sort(): void {
    const log = this.#log
    if (!log) return
    this.#log = undefined
    this.#starts = new Int32Array(log.counts.length + 1)
    for (let word = 0; word < log.counts.length; word++) {
      this.#starts[word + 1] = this.#starts[word]! + log.counts[word]!
    }
    this.#texts = new Int32Array(log.size)
    const next = this.#starts.slice()
    for (let at = 0; at < log.size; at++) this.#texts[next[log.words[at]!]!++] = log.texts[at]!
  }
}

/** A loop, because iterators would take as long as what is done here. */
function markSome(
  texts: ArrayLike<number>,
  start: number,
  end: number,
  marks: Uint8Array,
  mark: number,
): void {
  for (let at = start; at < end; at++) {
    const text = texts[at]!
    if (marks[text] === mark - 1) marks[text] = mark
  }
}

/** Words with their texts, in the order they came. */
class Log {
  words = new Int32Array(SMALLEST)
  texts = new Int32Array(SMALLEST)
  size = 0
  /** Of each word. */
  readonly counts: number[] = []
  readonly #last: number[] = []

  add(word: number, text: number): void {
    if (word === this.counts.length) {
      this.counts.push(1)
      this.#last.push(text)
    } else {
      if (this.#last[word] === text) return
      this.counts[word]!++
      this.#last[word] = text
    }
    if (this.size === this.words.length) {
      this.words = doubled(this.words)
      this.texts = doubled(this.texts)
    }
    this.words[this.size] = word
    this.texts[this.size++] = text
  }
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
