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

interface Turn {
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

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Tells of parts of a text whether the question names somebody who speaks here, and a part is said by
 * others, and not of whom is named.
 */
export function anothersLines(
  question: string,
  text: string,
  { start, end }: Place,
): (part: Place) => boolean {
  const asked = wordsOf(question)
  const turns = turnsOf(text, start, end)
  const named = new Set(turns.map(({ speaker }) => speaker).filter((each) => asked.has(each)))
  if (named.size === 0) return () => false
  return (part) => {
    const speakers: string[] = []
    let at = turns.findLastIndex((turn) => turn.start <= part.start)
    for (at = Math.max(0, at); at < turns.length && turns[at]!.start < part.end; at++) {
      speakers.push(turns[at]!.speaker)
    }
    if (speakers.length === 0 || speakers.some((each) => each === '' || named.has(each)))
      return false
    const words = wordsOf(text.slice(part.start, part.end))
    return ![...named].some((each) => words.has(each))
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\p{L}+/gu))
}
