/**
 * Resource limits for YAML that others wrote. A few lines of aliases stand for gigabytes (the
 * "billion laughs"), and thousands of keys take the parser the square of their number.
 */

/** Far more than settings need; a hostile file of this length takes a second or two. */
export const LONGEST_YAML_FILE = 65_536

/** How often parts may be repeated, as the parser counts them. */
export const MOST_YAML_ALIASES = 100

/** What the parser threw, in words that complete "it cannot be read: …". */
export function yamlTrouble(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply'
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('Excessive alias count')) return 'its aliases repeat its parts too often'
  return message.split('\n', 1)[0]!.slice(0, 200)
}
