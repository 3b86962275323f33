/**
 * When is nothing relevant? Every test set is asked its own questions and those of the others. A
 * good threshold calls the own ones answered and the foreign ones not.
 *
 *     node bench/relevance.ts
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatOf } from '../src/app/formats.ts'
import { wholeView } from '../src/operations/view/view.ts'
import { openKnowledge } from '../src/app/open-knowledge.ts'
import { openStore } from '../src/app/stores.ts'
import { sync } from '../src/indexing/indexer.ts'
import { learnMeaning } from '../src/indexing/learn-meaning.ts'
import { isRelevant } from '../src/operations/searching/find-passages.ts'
import { searchDocuments } from '../src/operations/searching/search-documents.ts'
import type { Signals } from '../src/search/combine.ts'
import { openFolderSource } from '../src/sources/folder/open-folder-source.ts'
import { findEvaluationSet, markdownTable, NO_EVALUATION_SETS } from './harness.ts'
import { readableExtensions } from '../src/app/formats.ts'

const SETS = ['scifact', 'cran', 'cookbook-docs', 'hotpot', 'vault-jzhao', 'xquad-en', 'vault-mdn']
/** Of each set, spread evenly over its questions. */
const QUESTIONS = 100
const HTTP = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
const OWNER = 'bench'

/** Per question, what the first ten hits are like. */
type Answers = readonly (readonly Signals[])[]

function questionsOf(set: string): string[] {
  const lines = readFileSync(join(set, 'queries.jsonl'), 'utf8').trim().split('\n')
  const step = Math.max(1, Math.floor(lines.length / QUESTIONS))
  return lines
    .filter((_, index) => index % step === 0)
    .slice(0, QUESTIONS)
    .map((line) => (JSON.parse(line) as { text: string }).text)
}

/** What one base answers to the questions of every set. */
async function askAll(folder: string, questions: readonly (readonly string[])[]) {
  const state = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  const { store } = await openStore({ state, sources: [] })
  try {
    const source = openFolderSource({
      name: 'docs',
      extensions: readableExtensions(),
      root: join(folder, 'docs'),
    })
    const sources = new Map([[source.name, source]])
    const lease = (await store.acquireLease(OWNER, 3_600_000))!
    await sync({ store, sources: [source], formatOf, lease })
    await learnMeaning({ store, sources })
    const kb = wholeView(openKnowledge({ config: { http: HTTP }, store, sources }))
    const answers: Answers[] = []
    for (const set of questions) {
      const each: Signals[][] = []
      for (const text of set) {
        const { hits } = await searchDocuments(kb, text, { limit: 10 })
        each.push(hits.map(({ signals }) => signals))
      }
      answers.push(each)
    }
    return answers
  } finally {
    await store.close()
    rmSync(state, { recursive: true, force: true })
  }
}

type Judge = (signals: Signals) => boolean

/** The share of questions that a judge calls unanswered. */
function flagged(answers: Answers, judge: Judge): number {
  return answers.filter((hits) => !hits.some(judge)).length / answers.length
}

function thresholds(together: number, similarity: number): Judge {
  return (signals) => signals.together >= together || (signals.similarity ?? 0) >= similarity
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

async function main(): Promise<void> {
  console.log('## When nothing is relevant\n')
  const folders: string[] = []
  for (const name of SETS) {
    const folder = await findEvaluationSet(name)
    if (folder && existsSync(folder)) folders.push(folder)
  }
  if (folders.length < 2) {
    console.log(NO_EVALUATION_SETS)
    return
  }
  const questions = folders.map(questionsOf)
  const all: (readonly Answers[])[] = []
  for (const folder of folders) all.push(await askAll(folder, questions))
  const own = all.flatMap((answers, index) => answers[index] ?? [])
  const foreignOf = (index: number): Answers =>
    (all[index] ?? []).filter((_, set) => set !== index).flat()
  const foreign = all.flatMap((_, index) => foreignOf(index))
  console.log('Questions called unanswered, by set:\n')
  console.log(
    markdownTable(
      ['set', 'its own', 'those of the others'],
      folders.map((folder, index) => [
        folder.split('/').at(-1) ?? '',
        percent(flagged(all[index]?.[index] ?? [], isRelevant)),
        percent(flagged(foreignOf(index), isRelevant)),
      ]),
    ),
  )
  console.log('\nOther thresholds, all sets together:\n')
  const rows: string[][] = []
  for (const together of [0.25, 0.3, 0.35, 0.4, 0.45, 0.5]) {
    for (const similarity of [0.6, 0.7, 0.75, 0.8, 0.9]) {
      const judge = thresholds(together, similarity)
      rows.push([
        String(together),
        String(similarity),
        percent(flagged(own, judge)),
        percent(flagged(foreign, judge)),
      ])
    }
  }
  console.log(markdownTable(['together', 'cosine', 'own', 'foreign'], rows))
  console.log(
    `\nIn use: own ${percent(flagged(own, isRelevant))}, foreign ${percent(flagged(foreign, isRelevant))}.`,
  )
}

await main()
