/**
 * Measures search: on a test set, a folder with `docs/`, `queries.jsonl` and `qrels.tsv`, or on
 * questions made from a base's own text. Questions go through the operations the tools use.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { documentId } from '../../core/domain/document.ts'
import { invalid, unavailable } from '../../core/domain/error.ts'
import { sync } from '../../core/indexing/indexer.ts'
import { bringMeaning, embeddingTrouble } from '../../core/indexing/bring-meaning.ts'
import { nameQuestions, ownQuestions } from './own-questions.ts'
import { keepForNextStart } from '../../core/operations/view/keep-mentions.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import type { View } from '../../core/operations/view/view.ts'
import { rankDocuments } from '../../core/operations/searching/rank-documents.ts'
import type { SearchMode } from '../../core/operations/searching/rank-documents.ts'
import { searchDocuments } from '../../core/operations/searching/search-documents.ts'
import type { SearchHit } from '../../core/operations/searching/search-documents.ts'
import { scoreRun } from './score-run.ts'
import type { Judgements, Scores } from './score-run.ts'
import type { Config } from '../../serve/config/config.ts'
import type { Store } from '../../core/store/store.ts'
import { formatOf } from '../../serve/parts/formats.ts'
import { wantedMeaning } from '../../serve/parts/models.ts'
import { openKnowledge } from '../../serve/parts/open-knowledge.ts'
import { openSources } from '../../serve/parts/sources.ts'
import { leaseOwner } from '../../serve/lifecycle/start-indexing.ts'
import { openStore } from '../../serve/parts/stores.ts'

export interface EvaluateOptions {
  /** Documents per question. */
  readonly limit: number
  readonly mode?: SearchMode
  readonly links?: boolean
  /** Who embeds a test set or a folder; a base has its own. */
  readonly embedding?: Config['embedding']
  /** Where to write the run, in the form the independent scorer reads. */
  readonly runFile?: string
  readonly onProgress?: (done: number, total: number, phase: string) => void
}

export interface Evaluation {
  readonly documents: number
  readonly questions: number
  readonly scores: Scores
  /** Milliseconds of one search as a tool does it, with ten results and their snippets. */
  readonly query: { readonly p50: number; readonly p95: number; readonly p99: number }
  /** Until words could be searched, and what meaning took on top. */
  readonly indexMs: number
  readonly learnMs: number
  readonly memoryBytes: number
  /** Questions whose documents were not among the first ten, worst first. */
  readonly misses: readonly Miss[]
}

export interface Miss {
  readonly question: string
  readonly wanted: readonly string[]
  readonly found: readonly string[]
}

export interface Question {
  readonly id: string
  readonly text: string
}

/** What is measured is the embedder, however slow. */
const PATIENCE = { onnx: 60_000, openai: 60_000 }
const MISSES_SHOWN = 20
export const MOST_BYTES = 100 * 1024 * 1024

/** Indexes a test set into a temporary state and asks its questions. */
export async function evaluateSet(set: string, options: EvaluateOptions): Promise<Evaluation> {
  const questions = readQuestions(join(set, 'queries.jsonl'))
  const judgements = readJudgements(join(set, 'qrels.tsv'))
  return withState((state) => {
    const rules = { include: [], exclude: [], hidden: false }
    const sources = [{ name: 'docs', path: join(set, 'docs'), ...rules }]
    const { embedding } = options
    return measure({ sources, maxFileBytes: MOST_BYTES, state, embedding }, options, async () => ({
      questions,
      judgements,
      nameOf: ({ path }) => path,
    }))
  })
}

/** Asks a base what its own headings, link texts and aliases ask for. */
export async function evaluateOwn(config: Config, options: EvaluateOptions): Promise<Evaluation> {
  return measure(config, options, async (kb) => ({
    ...(await ownQuestions(kb)),
    nameOf: documentId,
  }))
}

/** Asks a folder for each of its documents by title and alias: every one should come first. */
export async function evaluateTitles(
  folder: string,
  options: EvaluateOptions,
): Promise<Evaluation> {
  return withState((state) => {
    const rules = { include: [], exclude: [], hidden: false }
    const sources = [{ name: 'docs', path: resolve(folder), ...rules }]
    const { embedding } = options
    return measure(
      { sources, maxFileBytes: MOST_BYTES, state, embedding },
      options,
      async (kb) => ({
        ...(await nameQuestions(kb)),
        nameOf: documentId,
        isMissed: ({ success1 }) => success1 === 0,
      }),
    )
  })
}

/** With a folder for the index that is gone afterwards. */
export async function withState<Result>(use: (state: string) => Promise<Result>): Promise<Result> {
  const state = mkdtempSync(join(tmpdir(), 'cairn-eval-'))
  try {
    return await use(state)
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

/** What is measured: the base as the tools see it, and how long it took to get there. */
export interface EvaluatedBase {
  readonly base: Knowledge
  readonly kb: View
  readonly store: Store
  /** Until words could be searched, and what meaning took on top. */
  readonly indexMs: number
  readonly learnMs: number
}

type EvaluatedConfig = Pick<Config, 'sources' | 'maxFileBytes' | 'state'> &
  Partial<Pick<Config, 'embedding'>>

/** Indexes the sources and learns their meaning, then lets somebody ask. */
export async function withEvaluated<Result>(
  config: EvaluatedConfig,
  { mode, onProgress }: Pick<EvaluateOptions, 'mode' | 'onProgress'>,
  use: (evaluated: EvaluatedBase) => Promise<Result>,
): Promise<Result> {
  const sources = openSources(config, { contents: () => opened.contents })
  const opened = await openStore(config)
  const { store } = opened
  const owner = leaseOwner()
  try {
    const started = performance.now()
    const lease = await store.acquireLease(owner, 3_600_000)
    if (lease) {
      await sync(
        { store, sources: [...sources.values()], formatOf, lease },
        { onProgress: ({ done, total, phase }) => onProgress?.(done, total, phase) },
      )
    }
    await keepForNextStart(store)
    const indexMs = performance.now() - started
    await bringMeaning({ store, sources }, wantedMeaning(config.embedding), {
      onProgress: ({ done, total, phase }) => onProgress?.(done, total, phase),
    })
    // Figures of words alone would pass for those of the embedder.
    const trouble = mode === 'lexical' ? undefined : await embeddingTrouble(store)
    if (trouble) throw unavailable(trouble.message, trouble.hint)
    const learnMs = performance.now() - started - indexMs
    const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
    const parts = {
      config: { http, embedding: config.embedding },
      store,
      sources,
      patience: PATIENCE,
    }
    const base = openKnowledge(parts)
    return await use({ base, kb: wholeView(base), store, indexMs, learnMs })
  } finally {
    await store.releaseLease(owner)
    await store.close()
  }
}

function measure(
  config: EvaluatedConfig,
  options: EvaluateOptions,
  prepare: (kb: View) => Promise<{
    readonly questions: readonly Question[]
    readonly judgements: Judgements
    readonly nameOf: (place: { readonly source: string; readonly path: string }) => string
    /** Which questions are worth showing; those without an answer among the first ten unless said. */
    readonly isMissed?: (scores: Scores) => boolean
  }>,
): Promise<Evaluation> {
  return withEvaluated(config, options, async ({ kb, store, indexMs, learnMs }) => {
    const { questions, judgements, nameOf, isMissed = isNotFound } = await prepare(kb)
    const run = new Map<string, string[]>()
    const times: number[] = []
    const { limit, mode, links } = options
    // The page an agent would get, and then what the same order has below it.
    const ranked = async (page: readonly SearchHit[], text: string): Promise<string[]> => {
      const first = page.slice(0, limit).map(({ document }) => nameOf(document))
      if (limit <= page.length) return first
      const { hits } = await rankDocuments(kb, text, { limit, mode, links })
      const all = (await store.paths(hits.map(({ doc }) => doc))).map(nameOf)
      return [...first, ...all.filter((name) => !first.includes(name))].slice(0, limit)
    }
    for (const [index, { id, text }] of questions.entries()) {
      const before = performance.now()
      const page = await searchDocuments(kb, text, { limit: 10, mode, links })
      times.push(performance.now() - before)
      run.set(id, await ranked(page.hits, text))
      options.onProgress?.(index + 1, questions.length, 'questions')
    }
    if (options.runFile !== undefined) writeFileSync(options.runFile, runLines(run))
    const { mean, byQuestion } = scoreRun(judgements, run)
    const missed = questions.filter(({ id }) => {
      const scores = byQuestion.get(id)
      return scores !== undefined && isMissed(scores)
    })
    return {
      documents: (await store.counts()).documents,
      questions: questions.length,
      scores: mean,
      query: { p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) },
      indexMs,
      learnMs,
      memoryBytes: process.memoryUsage.rss(),
      misses: missed.slice(0, MISSES_SHOWN).map(({ id, text }) => ({
        question: text,
        wanted: [...(judgements.get(id)?.keys() ?? [])],
        found: (run.get(id) ?? []).slice(0, 3),
      })),
    }
  })
}

function isNotFound({ recall10 }: Scores): boolean {
  return recall10 === 0
}

/** Scores fall strictly from line to line: ties were decided when the run was made. */
function runLines(run: ReadonlyMap<string, readonly string[]>): string {
  return [...run]
    .flatMap(([id, names]) =>
      names.map((name, rank) => `${id}\t${name}\t${rank + 1}\t${names.length - rank}\n`),
    )
    .join('')
}

export function readQuestions(file: string): Question[] {
  return readSetFile(file)
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        const { _id: id, text } = JSON.parse(line) as Record<string, unknown>
        if (typeof id === 'string' && typeof text === 'string') return { id, text }
      } catch {
        // Said below, with the line.
      }
      throw invalid(
        `${file}:${index + 1} is no question.`,
        'Every line is an object such as {"_id": "q1", "text": "how do we deploy?"}.',
      )
    })
}

export function readJudgements(file: string): Judgements {
  const judgements = new Map<string, Map<string, number>>()
  for (const [index, line] of readSetFile(file).entries()) {
    const [question, path, relevance] = line.split('\t')
    if (question === undefined || path === undefined || relevance === undefined) continue
    const value = Number(relevance)
    // A heading is allowed on the first line.
    if (!Number.isInteger(value)) {
      if (index === 0) continue
      throw invalid(`${file}:${index + 1} is no judgement.`, 'Write question, path and relevance.')
    }
    const known = judgements.get(question) ?? new Map<string, number>()
    known.set(path, Math.max(value, known.get(path) ?? 0))
    judgements.set(question, known)
  }
  return judgements
}

function readSetFile(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    throw invalid(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      'A test set is a folder with docs/, queries.jsonl and qrels.tsv.',
    )
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
