/** The beginning of a text, with a mark where it was cut. Never half a character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
