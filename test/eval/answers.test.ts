/** Answers on real documents: no worse at naming sources than search, and every quote verbatim. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { citationsOf, falseCitations } from '../answers/verbatim.ts'
import { evaluationSet } from '../evaluation-set.ts'
import { openTestBaseAt } from '../support/open-test-base.ts'

const FIRST = 3
const QUESTIONS = 100

it.for(['cookbook-docs', 'hotpot'])(
  'answers %s from the documents search finds, word for word',
  async (name, { skip }) => {
    const set = evaluationSet(name)
    if ('missing' in set) return skip(set.missing)
    const docs = join(set.folder, 'docs')
    const base = await openTestBaseAt(docs, { learns: true })
    await base.sync()
    const relevant = linesOf(join(set.folder, 'qrels.tsv')).map((line) => line.split('\t'))
    const found = { ask: 0, search: 0 }
    const wrong: string[] = []
    for (const line of linesOf(join(set.folder, 'queries.jsonl')).slice(0, QUESTIONS)) {
      const { _id, text } = JSON.parse(line) as { readonly _id: string; readonly text: string }
      const wanted = relevant.flatMap(([question, path]) =>
        question === _id ? `notes/${path}` : [],
      )
      const hits = (list: readonly { readonly id: string }[]) =>
        list.slice(0, FIRST).some(({ id }) => wanted.includes(id))
      const answer = await base.call('ask', { question: text })
      const { results } = await base.call('search', { query: text, limit: 10 })
      found.ask += Number(hits(answer.sources))
      found.search += Number(hits(results))
      wrong.push(...falseCitations(citationsOf(answer), { notes: docs }))
    }
    expect(wrong).toEqual([])
    expect(found.ask).toBeGreaterThanOrEqual(found.search)
    // What was measured when this was written, less a few for other machines and later weights.
    expect(found.ask).toBeGreaterThanOrEqual(90)
  },
)

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}
