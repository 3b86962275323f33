/**
 * What was quoted, and another note says otherwise: the same frame with another value, as
 * `insights` with `report: contradictions` finds it in the whole base.
 */
import { documentId, headingsAt } from '../../domain/document.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { differenceOf, isSameFrame, parseStatement } from '../reading/statements.ts'
import type { Statement } from '../reading/statements.ts'
import { areAboutSame, subjectOf } from '../reading/subjects.ts'
import { compareWhen, isOver, momentAt, whenOfStatement } from '../reading/when-of.ts'
import type { When } from '../reading/when-of.ts'
import type { AnswerPassage, Quoted } from './answer-passages.ts'
import { chunkAt } from './answer-passages.ts'

export interface Differing {
  readonly quoted: Quoted
  readonly other: Quoted
}

/** The first quote that another of the passages contradicts, with the sentence that does. */
export function findDiffering(
  quotes: readonly Quoted[],
  passages: readonly AnswerPassage[],
): Differing | undefined {
  const said = passages.flatMap((passage) => statementsIn(passage))
  for (const quoted of quotes) {
    const mine = said.filter(
      ({ place }) =>
        place.passage === quoted.passage && place.start >= quoted.start && place.end <= quoted.end,
    )
    for (const one of mine) {
      const other = said.find((each) => areDiffering(one, each))
      if (other) return { quoted: one.place, other: other.place }
    }
  }
  return undefined
}

interface Said {
  readonly place: Quoted
  readonly statement: Statement
}

function statementsIn(passage: AnswerPassage): Said[] {
  const { text, record } = passage.found.live
  if (isOver(record, momentAt(Date.now()))) return []
  return splitSentences(text, passage.start, passage.end).flatMap(({ start, end, kind }) => {
    if (kind !== 'prose' && kind !== 'item') return []
    const statement = parseStatement(text.slice(start, end))
    return statement ? [{ place: { passage, start, end }, statement }] : []
  })
}

function areDiffering(a: Said, b: Said): boolean {
  if (a.place.passage.found === b.place.passage.found) return false
  if (!isSameFrame(a.statement, b.statement)) return false
  const differs = differenceOf(a.statement, b.statement)
  if (differs === undefined) return false
  const side = ({ statement, place }: Said) => ({ statement, subject: subjectAt(place) })
  return areAboutSame(side(a), side(b), differs)
}

function headingsOf({ passage, start }: Quoted): readonly string[] {
  const chunk = chunkAt(passage.found, start)
  return chunk ? headingsAt(chunk, start) : []
}

function subjectAt(place: Quoted) {
  return subjectOf(place.passage.found.live.record.title, headingsOf(place))
}

/** In words, with both quotes, when each was said, and which is newer, where that is known. */
export function sayDiffering({ quoted, other }: Differing): string {
  const [a, b] = [told(quoted), told(other)]
  const order = a.when && b.when ? compareWhen(a.when, b.when) : 0
  const newer = order === 0 ? '' : ` ${order < 0 ? b.id : a.id} is newer.`
  return `The notes differ: ${a.id}${saidOn(a.when)} says "${a.quote}", ${b.id}${saidOn(b.when)} says "${b.quote}".${newer}`
}

/** The day behind a note that has one: ` (2026-03-01)`. */
export function saidOn(when: When | undefined): string {
  return when ? ` (${new Date(when.at).toISOString().slice(0, 10)})` : ''
}

function told(place: Quoted) {
  const { record, text } = place.passage.found.live
  const quote = text.slice(place.start, place.end).replaceAll(/\s+/g, ' ')
  const { when } = whenOfStatement(record, quote, headingsOf(place))
  return { id: documentId(record), quote, when }
}
