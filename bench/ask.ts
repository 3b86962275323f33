/**
 * Measures answers without a model: how often a relevant document is among the first three sources,
 * beside search on the same questions; whether every quote stands in its file at the lines it
 * names; and how long an answer takes.
 *
 *     node bench/ask.ts SET... [--show N]
 *
 * A set is a folder with docs/, queries.jsonl and qrels.tsv.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { askQuestion } from '../src/core/operations/answering/ask-question.ts'
import type { QuestionAnswer } from '../src/core/operations/answering/ask-question.ts'
import { searchDocuments } from '../src/core/operations/searching/search-documents.ts'
import { questionsOf, withBase } from './answering-base.ts'

const FIRST = 3

const { positionals: sets, values } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', default: '0' } },
})
const rows = []
for (const set of sets) rows.push(await measureSet(set, Number(values.show)))
console.table(rows)

async function measureSet(set: string, show: number) {
  const docs = join(set, 'docs')
  const questions = questionsOf(set)
  const relevant = relevantPaths(join(set, 'qrels.tsv'))
  const found = { ask: 0, search: 0, quotes: 0, wrong: 0, empty: 0, irrelevant: 0 }
  const times: { ask: number[]; search: number[] } = { ask: [], search: [] }
  await withBase(docs, async (kb) => {
    // The first round fills the caches; the second is what counts.
    for (const round of [1, 2]) {
      for (const [index, { _id, text }] of questions.entries()) {
        const wanted = relevant.get(_id) ?? new Set()
        const hit = (ids: readonly { readonly id: string }[]): boolean =>
          ids.slice(0, FIRST).some(({ id }) => wanted.has(id.replace(/^docs\//, '')))
        const started = performance.now()
        const answer = await askQuestion(kb, text)
        const asked = performance.now()
        const { hits } = await searchDocuments(kb, text, { limit: 10 })
        const searched = performance.now()
        if (round === 1) continue
        times.ask.push(asked - started)
        times.search.push(searched - asked)
        found.ask += Number(hit(answer.sources))
        found.search += Number(hit(hits))
        found.irrelevant += Number(!answer.relevant)
        found.empty += Number(answer.relevant && answer.claims.length === 0)
        for (const claim of answer.claims.flatMap(({ citations }) => citations)) {
          found.quotes++
          found.wrong += Number(!standsInFile(docs, claim))
        }
        if (index < show) print(text, answer)
      }
    }
  })
  const ms = (list: readonly number[], share: number) =>
    Number(list.toSorted((a, b) => a - b)[Math.floor(list.length * share)]?.toFixed(2))
  return {
    set: basename(set),
    questions: questions.length,
    'ask@3': found.ask,
    'search@3': found.search,
    irrelevant: found.irrelevant,
    'no sentence': found.empty,
    quotes: found.quotes,
    'not verbatim': found.wrong,
    'ask p50': ms(times.ask, 0.5),
    'ask p95': ms(times.ask, 0.95),
    'search p50': ms(times.search, 0.5),
    'search p95': ms(times.search, 0.95),
  }
}

/** Reads the file itself: the lines a citation names, joined as they stand. */
function standsInFile(
  docs: string,
  { id, lines, quote }: QuestionAnswer['claims'][number]['citations'][number],
): boolean {
  const text = readFileSync(join(docs, id.replace(/^docs\//, '')), 'utf8')
  const named = text.split('\n').slice(lines[0] - 1, lines[1])
  return (
    named.join('\n').includes(quote) &&
    !named.slice(1).join('\n').includes(quote) &&
    !named.slice(0, -1).join('\n').includes(quote)
  )
}

function relevantPaths(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [question = '', path = '', grade] = line.split('\t')
    if (!(Number(grade) > 0)) continue
    found.set(question, (found.get(question) ?? new Set()).add(path))
  }
  return found
}

function print(question: string, { claims, gaps, relevant }: QuestionAnswer): void {
  console.log(`\n${question}${relevant ? '' : '  (nothing relevant)'}`)
  for (const { text, citations } of claims) {
    console.log(`  - ${text.slice(0, 300)}  (${citations[0]?.id}:${citations[0]?.lines.join('-')})`)
  }
  if (gaps.length > 0) console.log(`  gaps: ${gaps.join(', ')}`)
}
