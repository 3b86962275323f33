/**
 * Every distinct word of many short texts, with the texts it is in. Only ever grows. What counts as
 * a word is the caller's business, as long as there is no line break in it.
 */
import { isNarrow, JoinedWords } from './joined-words.ts'
import { Postings } from './postings.ts'
import type { Place } from './split-parts.ts'
import { WordNumbers } from './word-numbers.ts'
import { withinEdits } from '../../../core/kit/within-edits.ts'

/** New words are looked through one by one until there are this many, then joined to the others. */
const LOOSE_AT_MOST = 500

export class WordList {
  readonly #numbers = new WordNumbers()
  /** The texts of each word. */
  readonly texts = new Postings()
  readonly #lengths: number[] = []
  /** Which letters a word has, one bit each: most words differ in more of them than edits allow. */
  readonly #letters: number[] = []
  /** How many words, from the first on, are in one of the two below. */
  #joined = 0
  /** Apart, because a text without wide characters takes half the memory and is searched faster. */
  #narrow = new JoinedWords([], [], true)
  #wide = new JoinedWords([], [], false)

  /** Takes what stands from `start` to `end`. Texts are added in the order of their numbers. */
  add(text: number, folded: string, start = 0, end = folded.length): void {
    this.texts.add(this.#numbers.put(folded, start, end), text)
  }

  /** Numbers of the words that have `piece` at this place. */
  find(piece: string, place: Place): readonly number[] {
    if (place === 'whole') {
      const number = this.#numbers.find(piece)
      return number < 0 ? [] : [number]
    }
    this.#join()
    const found: number[] = []
    if (isNarrow(piece)) this.#narrow.find(piece, place, found)
    this.#wide.find(piece, place, found)
    for (let n = this.#joined; n < this.#numbers.words.length; n++) {
      if (has(this.#numbers.words[n]!, piece, place)) found.push(n)
    }
    return found
  }

  /** Numbers of the words that are so many edits away, or fewer. */
  similar(word: string, edits: number): readonly number[] {
    for (let n = this.#letters.length; n < this.#numbers.words.length; n++) {
      this.#letters.push(lettersOf(this.#numbers.words[n]!))
      this.#lengths.push(this.#numbers.words[n]!.length)
    }
    const letters = lettersOf(word)
    const found: number[] = []
    for (let n = 0; n < this.#letters.length; n++) {
      const difference = this.#lengths[n]! - word.length
      if (difference > edits || difference < -edits) continue
      // An edit brings one new letter at most, and takes one away at most.
      const theirs = this.#letters[n]!
      if (moreThan(letters & ~theirs, edits) || moreThan(theirs & ~letters, edits)) continue
      if (withinEdits(word, this.#numbers.words[n]!, edits)) found.push(n)
    }
    return found
  }

  #join(): void {
    if (this.#numbers.words.length - this.#joined <= LOOSE_AT_MOST) return
    const numbers: [narrow: number[], wide: number[]] = [[], []]
    for (let n = 0; n < this.#numbers.words.length; n++) {
      numbers[isNarrow(this.#numbers.words[n]!) ? 0 : 1].push(n)
    }
    this.#narrow = new JoinedWords(this.#numbers.words, numbers[0], true)
    this.#wide = new JoinedWords(this.#numbers.words, numbers[1], false)
    this.#joined = this.#numbers.words.length
  }
}

function has(word: string, piece: string, place: Place): boolean {
  if (place === 'start') return word.startsWith(piece)
  return place === 'end' ? word.endsWith(piece) : word.includes(piece)
}

/** Thirty bits, because larger numbers cost an allocation each. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 30)
  return letters
}

/** Whether more than `most` bits are set. */
function moreThan(bits: number, most: number): boolean {
  let left = bits
  for (let count = 0; left !== 0; count++) {
    if (count === most) return true
    left &= left - 1
  }
  return false
}
