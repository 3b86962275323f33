/** How much of a question is names? Words with a capital that do not begin it, as a share of all. */

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu

export function nameShare(question: string): number {
  const words = question.match(WORD) ?? []
  const named = words.filter((word, place) => place > 0 && /^\p{Lu}/u.test(word))
  return words.length === 0 ? 0 : named.length / words.length
}
