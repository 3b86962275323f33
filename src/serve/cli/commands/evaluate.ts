import { join } from 'node:path'
import type { ConfigInput, EmbeddingConfig } from '../../config/config.ts'
import { invalid } from '../../../core/domain/error.ts'
import type { Evaluation } from '../../../keep/evaluation/evaluate.ts'
import type { FeedbackEvaluation } from '../../../keep/evaluation/evaluate-feedback.ts'
import type { SearchMode } from '../../../core/operations/searching/rank-documents.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { showProgress } from '../progress.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'

/** Rankings are compared by their first hundred documents. */
const DEFAULT_LIMIT = 100

export const evaluateSearch: Command = {
  group: 'care',
  name: 'eval',
  summary: "Measure search on a test set, or on questions made from a base's own text.",
  example: 'cairn eval --own --folder examples/handbook',
  positionals: [
    {
      name: 'SET',
      summary: 'Folder with docs/, queries.jsonl and qrels.tsv',
      required: false,
    },
  ],
  options: {
    titles: {
      kind: 'text',
      placeholder: 'DIR',
      summary: 'Ask a folder for every title and alias: each should come first',
    },
    economy: {
      kind: 'flag',
      summary: 'Measure how much evidence replies carry within 500, 1,000 and 2,000 tokens',
    },
    gold: {
      kind: 'text',
      placeholder: 'FILE',
      summary: 'With --economy: reference answers (default: SET/gold.json or SET.gold.json)',
    },
    tool: {
      kind: 'text',
      choices: ['search', 'ask'],
      summary: 'With --economy: which tool is asked (default: search)',
    },
    'max-tokens': {
      kind: 'integer',
      min: 1,
      summary: 'With --economy: what the tool is told to keep to (default: its own)',
    },
    questions: {
      kind: 'integer',
      min: 1,
      summary: 'With --economy: how many questions are asked at most (default: 150)',
    },
    feedback: {
      kind: 'flag',
      summary: 'Show what votes change: half of them teach, the other half judges',
    },
    own: { kind: 'flag', summary: 'Ask what the headings, link texts and aliases ask for' },
    mode: {
      kind: 'text',
      choices: ['auto', 'lexical', 'semantic', 'hybrid'],
      summary: 'Which evidence counts',
    },
    links: { kind: 'switch', summary: 'Whether links count (default: on)' },
    limit: { kind: 'integer', min: 1, summary: 'Documents per question (default: 100)' },
    run: { kind: 'text', placeholder: 'FILE', summary: 'Write the rankings to this file' },
    ...BASE_OPTIONS,
  },
  async run(context) {
    const { terminal, args, json, loadConfig, configInput } = context
    const [set] = args.positionals
    if (args.options['feedback'] === true) {
      const { evaluateFeedback } = await import('../../../keep/evaluation/evaluate-feedback.ts')
      const found = await evaluateFeedback((await loadConfig()).config)
      terminal.out(json ? toJson(found) : `${difference(found).join('\n')}\n`)
      return 0
    }
    const own = args.options['own'] === true
    const titles = args.options['titles']
    if ([own, set !== undefined, titles !== undefined].filter(Boolean).length !== 1) {
      throw invalid(
        'eval needs either a test set, --titles or --own.',
        'Write "cairn eval SET", "cairn eval --titles ~/notes" or "cairn eval --own --folder ~/notes".',
      )
    }
    if (args.options['economy'] === true) {
      if (set === undefined) {
        throw invalid('--economy needs a test set.', 'Write "cairn eval --economy SET".')
      }
      return measureEconomy(set, context)
    }
    const { evaluateOwn, evaluateSet, evaluateTitles } =
      await import('../../../keep/evaluation/evaluate.ts')
    const progress = showProgress(terminal, { announce: false })
    const { limit, run, mode, links } = args.options
    const folder = typeof titles === 'string' ? titles : set && join(set, 'docs')
    const options = {
      ...(folder !== undefined && { embedding: await embeddingFor(folder, configInput) }),
      limit: typeof limit === 'number' ? limit : DEFAULT_LIMIT,
      ...(typeof run === 'string' && { runFile: run }),
      ...(typeof mode === 'string' && { mode: mode as SearchMode }),
      ...(typeof links === 'boolean' && { links }),
      onProgress: (done: number, total: number, phase: string) =>
        progress.update({ done, total, phase }),
    }
    const evaluation =
      typeof titles === 'string'
        ? await evaluateTitles(titles, options)
        : set === undefined
          ? await evaluateOwn((await loadConfig()).config, options)
          : await evaluateSet(set, options)
    progress.finish()
    terminal.out(
      json
        ? toJson(evaluation)
        : `${lines(evaluation, MISSES[own ? 'own' : titles ? 'titles' : 'set']).join('\n')}\n`,
    )
  },
}

async function measureEconomy(
  set: string,
  { terminal, args, json }: CommandContext,
): Promise<ExitCode> {
  const { evaluateEconomy } = await import('../../../keep/evaluation/evaluate-economy.ts')
  const progress = showProgress(terminal, { announce: false })
  const { gold, tool, questions, 'max-tokens': maxTokens } = args.options
  const { figures, ...about } = await evaluateEconomy(set, {
    ...(typeof gold === 'string' && { gold }),
    ...(tool === 'ask' && { tool }),
    ...(typeof questions === 'number' && { questions }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
    onProgress: (done, total, phase) => progress.update({ done, total, phase }),
  })
  progress.finish()
  const all = { ...about, ...figures }
  const shown = Object.entries(all).map(([name, value]) => [name, String(value)])
  terminal.out(json ? toJson(all) : `${columns(shown).join('\n')}\n`)
  return 0
}

/** Flags and variables count; where one stands does not, so that figures are the same everywhere. */
async function embeddingFor(folder: string, input: ConfigInput): Promise<EmbeddingConfig> {
  const { loadConfig } = await import('../../config/load-config.ts')
  const { configFile, flags, env, cwd, home } = input
  const { config } = await loadConfig({ folders: [folder], configFile, flags, env, cwd, home })
  return config.embedding
}

function difference(found: FeedbackEvaluation): string[] {
  const { votes, questions, active, without, with: learned } = found
  const row = (name: string, key: 'ndcg10' | 'mrr10' | 'success1'): string[] => [
    name,
    without[key].toFixed(4),
    learned[key].toFixed(4),
    (learned[key] - without[key]).toFixed(4),
  ]
  return [
    `${votes} votes, ${questions} questions${active ? '' : '; too few votes to learn from, so nothing changes'}`,
    ...columns([
      ['', 'without', 'with', 'difference'],
      row('nDCG@10', 'ndcg10'),
      row('MRR@10', 'mrr10'),
      row('success@1', 'success1'),
    ]),
  ]
}

/** What is said above the questions that went wrong; of a test set they are not shown. */
const MISSES = { own: 'Not among the first ten:', titles: 'Not first:', set: undefined } as const

function lines(evaluation: Evaluation, heading: string | undefined): string[] {
  const { documents, questions, scores, query, indexMs, learnMs, memoryBytes, misses } = evaluation
  const share = (value: number): string => value.toFixed(4)
  const ms = (value: number): string => `${value.toFixed(2)} ms`
  const figures = columns([
    ['documents', String(documents)],
    ['questions', String(questions)],
    ['nDCG@10', share(scores.ndcg10)],
    ['recall@10', share(scores.recall10)],
    ['recall@100', share(scores.recall100)],
    ['MRR@10', share(scores.mrr10)],
    ['success@1', share(scores.success1)],
    ['success@5', share(scores.success5)],
    ['all@10', share(scores.all10)],
    ['query p50', ms(query.p50)],
    ['query p95', ms(query.p95)],
    ['query p99', ms(query.p99)],
    ['index', `${(indexMs / 1000).toFixed(2)} s`],
    ['meaning', `${(learnMs / 1000).toFixed(2)} s`],
    ['memory', `${Math.round(memoryBytes / 2 ** 20)} MB`],
  ])
  if (heading === undefined || misses.length === 0) return figures
  const missed = misses.map(
    ({ question, wanted, found }) =>
      `  ${cleanLine(question)}: wanted ${wanted.join(', ')}; found ${found.join(', ') || 'nothing'}`,
  )
  return [...figures, '', heading, ...missed]
}
