/**
 * One spelling for upper and lower case that keeps every place: the folded text is as long as the
 * text, so a hit in one is a hit at the same place in the other.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  const folded = lower.length === text.length ? lower : text.replace(/[^]/gu, lowerInPlace)
  // A sigma at the end of a word has a letter of its own.
  return folded.replaceAll('ς', 'σ')
}

function lowerInPlace(letter: string): string {
  const lower = letter.toLowerCase()
  return lower.length === letter.length ? lower : letter
}
