/**
 * Gives every distinct word a number. A `Map` would do the same, but needs the word cut out of its
 * text to ask about it: a million pieces for a large graph, most of them thrown away at once.
 */

const SMALLEST = 1_024

export class WordNumbers {
  readonly words: string[] = []
  readonly #hashes: number[] = []
  /** A word's number plus one at the place its hash says, or the next that was free; 0: free. */
  #places = new Int32Array(SMALLEST)

  /** The number of the word from `start` to `end`, or -1. */
  find(text: string, start = 0, end = text.length): number {
    return this.#places[this.#placeOf(text, start, end, hashOf(text, start, end))]! - 1
  }

  /** The number of the word; a new one when it was not known. */
  put(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end)
    const place = this.#placeOf(text, start, end, hash)
    const known = this.#places[place]! - 1
    if (known >= 0) return known
    const number = this.words.push(text.slice(start, end)) - 1
    this.#hashes.push(hash)
    this.#places[place] = number + 1
    if (2 * this.words.length > this.#places.length) this.#grow()
    return number
  }

  #placeOf(text: string, start: number, end: number, hash: number): number {
    const last = this.#places.length - 1
    for (let place = hash & last; ; place = (place + 1) & last) {
      const number = this.#places[place]! - 1
      if (number < 0) return place
      if (this.#hashes[number] !== hash) continue
      const word = this.words[number]!
      if (word.length === end - start && text.startsWith(word, start)) return place
    }
  }

  #grow(): void {
    const places = new Int32Array(2 * this.#places.length)
    const last = places.length - 1
    for (let number = 0; number < this.words.length; number++) {
      let place = this.#hashes[number]! & last
      while (places[place] !== 0) place = (place + 1) & last
      places[place] = number + 1
    }
    this.#places = places
  }
}

/** FNV-1a over the characters, mixed once more; thirty bits, which need no allocation. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}
