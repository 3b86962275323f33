/** Light Spanish stemming, after Jacques Savoy's UniNE stemmer: number and gender. */

export function stemSpanish(word: string): string {
  if (word.length < 4) return word
  if (/[aeo]$/.test(word)) return word.slice(0, -1)
  if (word.endsWith('eses')) return word.slice(0, -2)
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`
  return /[aeo]s$/.test(word) ? word.slice(0, -2) : word
}
