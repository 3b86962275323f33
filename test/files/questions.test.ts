/**
 * Questions with judged answers over the papers of a museum in every kind of file: the file, the page
 * or the heading where the answer stands, and that nothing is quoted from where it does not stand.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askQuestion } from '../../src/core/operations/answering/ask-question.ts'
import type { Citation } from '../../src/core/operations/answering/answer-passages.ts'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'
import { CELLS, LIBRARY, QUESTIONS } from './library.ts'

let base: SmallBase
const closing: (() => unknown)[] = []
beforeAll(async () => {
  const files = Object.fromEntries(
    Object.entries(LIBRARY).map(([path, { bytes }]) => [path, bytes]),
  )
  base = await openSmallBase(files, { learns: true, onFinished: (close) => closing.push(close) })
}, 60_000)
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const ASKED = [
  ...QUESTIONS,
  ...CELLS.map(([question, path, place, , , cell]) => [question, path, place, cell] as const),
]

/** Letters and digits: a line end, a mark of Markdown or the number of a note is no difference. */
const bare = (text: string): string =>
  text
    .replaceAll(/\[\^[\w-]+\]:?/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The innermost heading of a quote that is a place of its paper. */
function placeOf({ id, headingPath }: Citation): string {
  const { places } = LIBRARY[id.slice('notes/'.length)]!
  return headingPath.findLast((heading) => heading in places) ?? ''
}

function stands(citation: Citation): boolean {
  const { places } = LIBRARY[citation.id.slice('notes/'.length)]!
  const place = places[placeOf(citation)]
  return place !== undefined && bare(place).includes(bare(citation.quote))
}

it('reads every paper', async () => {
  const files = await base.store.files('notes')
  expect(files.filter(({ state }) => state !== 'indexed')).toEqual([])
  expect(files).toHaveLength(Object.keys(LIBRARY).length)
  expect(ASKED.length).toBeGreaterThanOrEqual(60)
})

it('finds the file of each answer among the first three', async () => {
  const missed: string[] = []
  for (const [question, path] of ASKED) {
    const { hits } = await searchDocuments(base.kb, question, { limit: 3 })
    if (!hits.some(({ id }) => id === `notes/${path}`)) missed.push(question)
  }
  expect(missed).toEqual([])
})

it('quotes the answer from the page or the heading where it stands', async () => {
  const missed: string[] = []
  const wrong: Citation[] = []
  for (const [question, path, place, answer] of ASKED) {
    const { claims } = await askQuestion(base.kb, question, {})
    const citations = claims.flatMap((claim) => claim.citations)
    wrong.push(...citations.filter((each) => !stands(each)))
    const found = citations.some(
      (each) =>
        each.id === `notes/${path}` &&
        placeOf(each) === place &&
        bare(each.quote).includes(bare(answer)),
    )
    if (!found) missed.push(question)
  }
  expect(wrong).toEqual([])
  // Of a few it says that nothing answers them, where they are asked in other words.
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(ASKED.length * 0.05)
})

it('finds a cell with the names of its row and its column', async () => {
  const missed: string[] = []
  for (const [question, path, place, row, column, cell] of CELLS) {
    const { claims } = await askQuestion(base.kb, question, {})
    const found = claims.some(({ text, citations }) =>
      citations.some(
        (each) =>
          each.id === `notes/${path}` &&
          placeOf(each) === place &&
          [row, column, cell].every((part) => bare(`${text} ${each.quote}`).includes(bare(part))),
      ),
    )
    if (!found) missed.push(question)
  }
  expect(missed).toEqual([])
})
