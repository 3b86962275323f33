/**
 * When is nothing relevant? Every test set, whole and cut down to a small base, is asked its own
 * questions and those of the others. A good rule calls the own ones answered and the foreign ones not.
 *
 *     node bench/relevance.ts [SET...]
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { formatOf, readableExtensions } from '../src/app/formats.ts'
import { openKnowledge } from '../src/app/open-knowledge.ts'
import { openStore } from '../src/app/stores.ts'
import { sync } from '../src/indexing/indexer.ts'
import { learnMeaning } from '../src/indexing/learn-meaning.ts'
import { rankDocuments } from '../src/operations/searching/rank-documents.ts'
import { wholeView } from '../src/operations/view/view.ts'
import type { Signals } from '../src/search/combine.ts'
import { isRelevant } from '../src/search/relevance.ts'
import { openFolderSource } from '../src/sources/folder/open-folder-source.ts'
import { findEvaluationSet, markdownTable, NO_EVALUATION_SETS } from './harness.ts'

const SETS = [
  'handbook-para',
  'cookbook-docs',
  'xquad-en',
  'hotpot',
  'vault-jzhao',
  'cran',
  'scifact',
]
/** Both are drawn from one encyclopedia: some of their questions have an answer in the other. */
const RELATED = new Set(['hotpot xquad-en', 'xquad-en hotpot'])
/** Of each set, spread evenly over its questions: its own, and for each of the others. */
const OWN_QUESTIONS = 80
const FOREIGN_QUESTIONS = 25
/** Documents of a small base: those that answer every so many questions, and others. */
const SMALL = 60
const LONG = 9
const SHORT = 3
const HTTP = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
const OWNER = 'bench'

interface Question {
  readonly id: string
  readonly text: string
}

interface Base {
  readonly name: string
  readonly set: string
  readonly docs: string
  readonly questions: readonly Question[]
}

interface Answer {
  readonly base: Base
  readonly own: boolean
  readonly words: number
  readonly hits: readonly Signals[]
  readonly nearEnough: number | undefined
  readonly unrelatedAt: number | undefined
}

function readQuestions(set: string): Question[] {
  const lines = readFileSync(join(set, 'queries.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { _id: id, text } = JSON.parse(line) as { _id: string; text: string }
    return { id, text }
  })
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, index) => index % step === 0).slice(0, count)
}

function answersOf(set: string): Map<string, Set<string>> {
  const answers = new Map<string, Set<string>>()
  for (const line of readFileSync(join(set, 'qrels.tsv'), 'utf8').split('\n')) {
    const [question = '', path = '', relevance] = line.split('\t')
    if (!(Number(relevance) > 0)) continue
    answers.set(question, (answers.get(question) ?? new Set()).add(path))
  }
  return answers
}

function whole(set: string): Base {
  const questions = spread(readQuestions(set), OWN_QUESTIONS)
  return { name: basename(set), set, docs: join(set, 'docs'), questions }
}

/** The documents that answer some of the questions, in a folder of their own. */
function cut(set: string, into: string): Base {
  const answers = answersOf(set)
  const kept = new Set<string>()
  const questions = spread(readQuestions(set), OWN_QUESTIONS).filter(({ id }) => {
    const wanted = [...(answers.get(id) ?? [])]
    const fits = wanted.length > 0 && new Set([...kept, ...wanted]).size <= SMALL
    if (fits) for (const path of wanted) kept.add(path)
    return fits
  })
  for (const path of kept) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    cpSync(join(set, 'docs', path), join(into, path))
  }
  return { name: `${basename(set)}, ${kept.size} documents`, set, docs: into, questions }
}

/** What one base answers to its own questions and to those of the other sets. */
async function askAll(base: Base, sets: readonly string[]): Promise<Answer[]> {
  const state = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  const { store } = await openStore({ state, sources: [] })
  try {
    const source = openFolderSource({
      name: 'docs',
      extensions: readableExtensions(),
      root: base.docs,
    })
    const sources = new Map([[source.name, source]])
    const lease = (await store.acquireLease(OWNER, 3_600_000))!
    await sync({ store, sources: [source], formatOf, lease })
    await learnMeaning({ store, sources })
    const kb = wholeView(openKnowledge({ config: { http: HTTP }, store, sources }))
    const ask = async (text: string, own: boolean): Promise<Answer> => {
      const { hits, words, nearEnough, unrelatedAt } = await rankDocuments(kb, text, { limit: 10 })
      const signals = hits.map((hit) => hit.signals)
      return { base, own, words: words.length, hits: signals, nearEnough, unrelatedAt }
    }
    const answers: Answer[] = []
    for (const { text } of base.questions) answers.push(await ask(text, true))
    for (const set of sets) {
      const pair = `${basename(base.set)} ${basename(set)}`
      if (set === base.set || RELATED.has(pair)) continue
      for (const { text } of spread(readQuestions(set), FOREIGN_QUESTIONS)) {
        answers.push(await ask(text, false))
      }
    }
    return answers
  } finally {
    await store.close()
    rmSync(state, { recursive: true, force: true })
  }
}

/** The share of questions that are called unanswered. */
function flagged(answers: readonly Answer[]): string {
  if (answers.length === 0) return '–'
  const unanswered = answers.filter(
    ({ hits, nearEnough, unrelatedAt }) =>
      !hits.some((signals) => isRelevant(signals, nearEnough, unrelatedAt)),
  )
  return `${((100 * unanswered.length) / answers.length).toFixed(1)} %`
}

async function main(): Promise<void> {
  console.log('## When nothing is relevant\n')
  const sets: string[] = []
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : SETS) {
    const folder = await findEvaluationSet(name)
    if (folder && existsSync(folder)) sets.push(folder)
  }
  if (sets.length < 2) {
    console.log(NO_EVALUATION_SETS)
    return
  }
  const small = mkdtempSync(join(tmpdir(), 'cairn-bench-small-'))
  const all: Answer[] = []
  const rows: string[][] = []
  const row = (name: string, answers: readonly Answer[]): void => {
    const own = answers.filter((answer) => answer.own)
    const foreign = answers.filter((answer) => !answer.own)
    rows.push([name, flagged(own), flagged(foreign), `${own.length} / ${foreign.length}`])
  }
  try {
    for (const set of sets) {
      const bases = [whole(set)]
      if (basename(set) !== 'handbook-para') bases.push(cut(set, join(small, basename(set))))
      for (const base of bases) {
        const answers = await askAll(base, sets)
        all.push(...answers)
        row(base.name, answers)
      }
    }
  } finally {
    rmSync(small, { recursive: true, force: true })
  }
  const paraphrased = (answer: Answer): boolean => basename(answer.base.set) === 'handbook-para'
  const usual = all.filter((answer) => !paraphrased(answer))
  row('**all but the paraphrases**', usual)
  row(
    `questions of ${LONG} words and more`,
    usual.filter(({ words }) => words >= LONG),
  )
  row(
    `questions of ${SHORT} words and fewer`,
    usual.filter(({ words }) => words <= SHORT),
  )
  const head = ['base', 'its own', 'those of the others', 'questions']
  console.log('Questions called unanswered:\n')
  console.log(markdownTable(head, rows))
}

await main()
