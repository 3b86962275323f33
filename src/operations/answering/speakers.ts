/** Who says a sentence of a conversation? Lines that begin with a name and a colon are turns. */

const TURN = /^[>\s]*[*_]*(\p{Lu}\p{L}{1,20})[*_]*:[*_]*\s/gmu
/** Turns are looked for so far above a passage: one may begin before it. */
const ABOVE = 2_000
/** Labels of notes that nobody says. */
const LABELS: ReadonlySet<string> = new Set(
  `Answer Author Bug Caution Context Date Decision Definition Due Example Examples Fact Fix Goal Hint
  How Idea Important Info Location Name Note Notes Owner Place Problem Question Reason Remark Result
  See Solution Source Status Summary Task Time Tip Title Todo Topic Type Update Version Warning What
  When Where Who Why`.split(/\s+/),
)

export interface Turn {
  readonly speaker: string
  readonly start: number
}

/** The turns in a part of a text; none where fewer than two people speak. */
export function turnsOf(text: string, start: number, end: number): readonly Turn[] {
  const from = Math.max(0, start - ABOVE)
  const turns = [...text.slice(from, end).matchAll(TURN)]
    .map(({ 1: speaker = '', index }) => ({ speaker, start: from + index }))
    .filter(({ speaker }) => !LABELS.has(speaker))
  return new Set(turns.map(({ speaker }) => speaker)).size > 1 ? turns : []
}

/** Whether a question names somebody who speaks here, and somebody else says what ends at a place. */
export function isAnothersLine(question: string, turns: readonly Turn[], end: number): boolean {
  const said = turns.findLast(({ start }) => start < end)
  if (!said || !turns.some(({ speaker }) => names(question, speaker))) return false
  return !names(question, said.speaker)
}

function names(question: string, speaker: string): boolean {
  return new RegExp(`(?<!\\p{L})${speaker}(?!\\p{L})`, 'u').test(question)
}
