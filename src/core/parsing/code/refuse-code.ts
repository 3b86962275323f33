/** Which source files are left alone, and why: those that a machine wrote for a machine. */

/** Nobody writes so much by hand; the limit of the duskmantle contract. */
const MOST_CHARACTERS = 1024 * 1024
/** Minified code, embedded data. */
const LONGEST_LINE = 20_000
/** A parser may follow brackets this deep; people do not. */
const DEEPEST = 500

export function refuseCode(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return 'more than 1 MiB of source code in one file'
  const line = longestLine(text)
  if (line > LONGEST_LINE) return `minified or generated: a line of ${line} characters`
  if (isDeeplyNested(text)) return `brackets nested more than ${DEEPEST} deep`
  return undefined
}

function longestLine(text: string): number {
  let longest = 0
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    longest = Math.max(longest, end - start)
    start = end + 1
  }
  return Math.max(longest, text.length - start)
}

/** Counts every bracket, those in texts and comments too: the few that are wrong cancel out. */
function isDeeplyNested(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > DEEPEST) return true
    } else if (code === 41 || code === 93 || code === 125) {
      if (depth > 0) depth--
    }
  }
  return false
}
