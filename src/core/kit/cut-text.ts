/** The beginning of a text, with a mark where it was cut. Never half a character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

/** The beginning and the end of a text, with a mark where its middle was. Never half a character. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = limit >> 2
  const tail = text
    .slice(-end)
    .toWellFormed()
    .replace(/^\uFFFD/, '')
  return `${cutText(text, limit - end - 1)} ${tail}`
}

/** What was asked is repeated in the answer, up to so many characters. */
const LONGEST_ECHO = 2_000

export function echoed(text: string): string {
  return cutText(text, LONGEST_ECHO)
}
