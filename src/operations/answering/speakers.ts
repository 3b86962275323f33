/** Who says a sentence of a conversation? Lines that begin with a name and a colon are turns. */

/** A heading ends what was said above it: a turn of nobody. */
const TURN = /^(?:#{1,6}[ \t]|[> \t]*[*_]*(\p{Lu}\p{L}{1,20})[*_]*:[*_]*[ \t])/gmu
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
  /** Empty behind a heading. */
  readonly speaker: string
  readonly start: number
}

/**
 * The turns in a part of a text; none where fewer than two people speak, or nobody speaks twice: a
 * list of names with something behind each is no conversation.
 */
export function turnsOf(text: string, start: number, end: number): readonly Turn[] {
  const from = Math.max(0, start - ABOVE)
  const turns = [...text.slice(from, end).matchAll(TURN)]
    .map(({ 1: speaker = '', index }) => ({ speaker, start: from + index }))
    .filter(({ speaker }) => !LABELS.has(speaker))
  const said = turns.flatMap(({ speaker }) => (speaker === '' ? [] : [speaker]))
  const speakers = new Set(said).size
  return speakers > 1 && said.length > speakers ? turns : []
}

/**
 * Whether a question names somebody who speaks here, and a part of the text is said by others, and
 * not of whom is named.
 */
export function isAnothersLine(
  question: string,
  turns: readonly Turn[],
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const named = turns.filter(({ speaker }) => speaker !== '' && names(question, speaker))
  if (named.length === 0) return false
  const first = turns.findLastIndex((turn) => turn.start <= start)
  const own = turns.filter((turn, at) => at >= first && turn.start < end)
  const said = text.slice(start, end)
  return (
    own.some(({ speaker }) => speaker !== '') &&
    !own.some(({ speaker }) => speaker === '' || names(question, speaker)) &&
    !named.some(({ speaker }) => names(said, speaker))
  )
}

function names(question: string, speaker: string): boolean {
  return new RegExp(`(?<!\\p{L})${speaker}(?!\\p{L})`, 'u').test(question)
}
