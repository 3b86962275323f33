/**
 * When is nothing relevant? Every test set, whole and cut down to bases of two notes and more, is
 * asked its own questions, those of the others, and, where it was cut, questions about documents
 * that were left out. A good rule calls the first answered and the others not; of the last, some are
 * answered by what was kept all the same.
 *
 *     node bench/relevance.ts [SET...]
 */
import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { formatOf, readableExtensions } from '../src/serve/parts/formats.ts'
import { openKnowledge } from '../src/serve/parts/open-knowledge.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { sync } from '../src/core/indexing/indexer.ts'
import { learnMeaning } from '../src/core/indexing/learn-meaning.ts'
import { rankDocuments } from '../src/core/operations/searching/rank-documents.ts'
import { wholeView } from '../src/core/operations/view/view.ts'
import type { Signals } from '../src/core/search/combine.ts'
import { isNearMiss, isRelevant } from '../src/core/search/relevance.ts'
import type { Enough } from '../src/core/search/relevance.ts'
import type { MatchedWord } from '../src/core/search/lexical-index.ts'
import { openFolderSource } from '../src/core/sources/folder/open-folder-source.ts'
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
/** How many documents a small base has, and how many bases of each size are cut from a set. */
const SMALL = [2, 4, 8, 16, 30, 60]
const CUTS = 4
/** Asked of each cut: questions it answers, questions about what was left out, and foreign ones. */
const CUT_QUESTIONS = 8
const FEW = 32
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
  readonly documents: number
  readonly questions: readonly Question[]
  /** Questions about documents of the same set that are not there. */
  readonly leftOut: readonly Question[]
}

type Kind = 'own' | 'left out' | 'foreign'

interface Answer {
  readonly base: Base
  readonly kind: Kind
  readonly question: string
  readonly words: readonly MatchedWord[]
  readonly hits: readonly Signals[]
  readonly enough: Enough
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
  const docs = join(set, 'docs')
  return { name: basename(set), set, docs, documents: Infinity, questions, leftOut: [] }
}

/** Some documents that answer questions, in a folder of their own; another choice for each turn. */
function cut(set: string, into: string, size: number, turn: number): Base {
  const answers = answersOf(set)
  const all = shuffled(readQuestions(set), `${size} ${turn}`).filter(({ id }) => answers.has(id))
  const kept = new Set<string>()
  for (const { id } of all) {
    const wanted = [...answers.get(id)!]
    if (new Set([...kept, ...wanted]).size <= size) for (const path of wanted) kept.add(path)
  }
  for (const path of kept) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    cpSync(join(set, 'docs', path), join(into, path))
  }
  const has = ({ id }: Question): boolean[] => [...answers.get(id)!].map((path) => kept.has(path))
  return {
    name: `${basename(set)}, ${kept.size} documents`,
    set,
    docs: into,
    documents: kept.size,
    questions: all.filter((each) => has(each).every(Boolean)).slice(0, CUT_QUESTIONS),
    leftOut: all.filter((each) => !has(each).some(Boolean)).slice(0, CUT_QUESTIONS),
  }
}

/** The same order on every run. */
function shuffled<Item extends { readonly id: string }>(
  items: readonly Item[],
  salt: string,
): Item[] {
  const place = ({ id }: Item): string => hash('sha256', `${salt} ${id}`)
  const places = new Map(items.map((item) => [item, place(item)]))
  return items.toSorted((a, b) => (places.get(a)! < places.get(b)! ? -1 : 1))
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
    const ask = async (text: string, kind: Kind): Promise<Answer> => {
      const { hits, words, ...enough } = await rankDocuments(kb, text, { limit: 10 })
      const signals = hits.map((hit) => hit.signals)
      return { base, kind, question: text, words, hits: signals, enough }
    }
    const answers: Answer[] = []
    for (const { text } of base.questions) answers.push(await ask(text, 'own'))
    for (const { text } of base.leftOut) answers.push(await ask(text, 'left out'))
    const foreign = base.documents === Infinity ? FOREIGN_QUESTIONS : 2
    for (const set of sets) {
      const pair = `${basename(base.set)} ${basename(set)}`
      if (set === base.set || RELATED.has(pair)) continue
      for (const { text } of shuffled(readQuestions(set), base.docs.slice(-4)).slice(0, foreign)) {
        answers.push(await ask(text, 'foreign'))
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
    ({ question, words, hits, enough }) =>
      !hits.some((signals) => isRelevant(signals, enough)) ||
      isNearMiss(question, words, hits, enough),
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
    const of = (kind: Kind): readonly Answer[] => answers.filter((answer) => answer.kind === kind)
    const kinds = [of('own'), of('left out'), of('foreign')]
    const counts = kinds.map(({ length }) => length).join(' / ')
    rows.push([name, ...kinds.map(flagged), counts])
  }
  try {
    for (const set of sets) {
      const answers = await askAll(whole(set), sets)
      all.push(...answers)
      row(basename(set), answers)
      for (const size of SMALL) {
        for (let turn = 0; turn < CUTS; turn++) {
          const base = cut(set, join(small, `${basename(set)}-${size}-${turn}`), size, turn)
          if (base.documents > 1) all.push(...(await askAll(base, sets)))
        }
      }
    }
  } finally {
    rmSync(small, { recursive: true, force: true })
  }
  const paraphrased = ({ base }: Answer): boolean => basename(base.set) === 'handbook-para'
  const usual = all.filter((answer) => !paraphrased(answer))
  let over = 1
  for (const size of SMALL) {
    const among = usual.filter(({ base }) => base.documents > over && base.documents <= size)
    row(`cuts of ${over + 1} to ${size} documents`, among)
    over = size
  }
  const few = ({ base }: Answer): boolean => base.documents < FEW
  row(`**fewer than ${FEW} documents**`, usual.filter(few))
  row(
    `of these, ${LONG} words and more`,
    usual.filter(few).filter(({ words }) => words.length >= LONG),
  )
  row(
    `of these, ${SHORT} words and fewer`,
    usual.filter(few).filter(({ words }) => words.length <= SHORT),
  )
  row(`paraphrases, fewer than ${FEW} documents`, all.filter(few).filter(paraphrased))
  row('**all but the paraphrases**', usual)
  row(
    `of these, ${LONG} words and more`,
    usual.filter(({ words }) => words.length >= LONG),
  )
  row(
    `of these, ${SHORT} words and fewer`,
    usual.filter(({ words }) => words.length <= SHORT),
  )
  const head = ['base', 'its own', 'left out', 'those of the others', 'questions']
  console.log('Questions called unanswered:\n')
  console.log(markdownTable(head, rows))
}

await main()
