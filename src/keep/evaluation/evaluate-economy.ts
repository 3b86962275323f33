/**
 * Measures how much evidence replies carry: asks the questions of a test set as an agent would, with
 * default arguments, and looks at the text alone.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { invalid } from '../../core/domain/error.ts'
import { scoreEconomy } from './score-economy.ts'
import type { EconomyFigures, Gold, JudgedReply } from './score-economy.ts'
import { openNativeSurface } from '../../serve/native/open-native-surface.ts'
import { openGovernor } from '../../serve/observers/governor.ts'
import { MOST_BYTES, readJudgements, readQuestions, withEvaluated, withState } from './evaluate.ts'
import type { EvaluateOptions, Question } from './evaluate.ts'
import { VERSION } from '../../core/kit/version.ts'

export interface EconomyOptions extends Pick<EvaluateOptions, 'onProgress'> {
  readonly tool?: 'search' | 'ask'
  /** Reference answers and sentences; `SET/gold.json` or `SET.gold.json` where there is one. */
  readonly gold?: string | undefined
  /** At most so many questions, in an order that is always the same. */
  readonly questions?: number
  /** What the tool is told to keep to; its own default unless said. */
  readonly maxTokens?: number | undefined
}

export interface Economy {
  readonly set: string
  readonly tool: string
  readonly questions: number
  readonly figures: EconomyFigures
}

const QUESTIONS = 150

export async function evaluateEconomy(set: string, options: EconomyOptions): Promise<Economy> {
  const { tool = 'search', questions: most = QUESTIONS, maxTokens, onProgress } = options
  const folder = resolve(set)
  const judgements = readJudgements(join(folder, 'qrels.tsv'))
  const relevantTo = (id: string): string[] =>
    [...(judgements.get(id) ?? [])].flatMap(([path, worth]) => (worth > 0 ? [path] : []))
  const questions = readQuestions(join(folder, 'queries.jsonl'))
    .filter(({ id }) => relevantTo(id).length > 0)
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .slice(0, most)
  const gold = readGold(options.gold, folder)
  return withState((state) => {
    const rules = { include: [], exclude: [], hidden: false }
    // Clients see a source called like its folder.
    const sources = [{ name: 'docs', path: join(folder, 'docs'), ...rules }]
    const config = { sources, maxFileBytes: MOST_BYTES, state }
    return withEvaluated(config, { onProgress }, async ({ base }) => {
      const surface = openNativeSurface(base, {
        version: VERSION,
        log: console.error,
        observers: [openGovernor()],
      })
      const replies: JudgedReply[] = []
      // One conversation, as a client has it.
      const connection = {}
      for (const [index, { id, text: question }] of questions.entries()) {
        const call = { signal: new AbortController().signal, progress: () => {}, connection }
        const asked = { [tool === 'ask' ? 'question' : 'query']: question }
        const args = maxTokens === undefined ? asked : { ...asked, max_tokens: maxTokens }
        const { texts, structured } = await surface.call(tool, args, call)
        const claims = structured?.['claims']
        replies.push({
          question,
          text: texts.join('\n'),
          relevant: relevantTo(id),
          gold: gold[id] ?? {},
          claims: Array.isArray(claims) ? claims : undefined,
        })
        onProgress?.(index + 1, questions.length, 'questions')
      }
      const figures = scoreEconomy(replies)
      return { set: basename(folder), tool, questions: replies.length, figures }
    })
  })
}

function orderOf({ id }: Question): string {
  return createHash('sha1').update(id).digest('hex')
}

function readGold(named: string | undefined, folder: string): Readonly<Record<string, Gold>> {
  const places = named === undefined ? [join(folder, 'gold.json'), `${folder}.gold.json`] : [named]
  const file = places.find((place) => existsSync(place))
  if (file === undefined) {
    if (named === undefined) return {}
    throw invalid(`${named} is not there.`, 'Name a JSON file: question ids, each with its answer.')
  }
  try {
    const gold: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof gold === 'object' && gold !== null) return gold as Record<string, Gold>
  } catch {
    // Said below.
  }
  throw invalid(
    `${file} is no file of reference answers.`,
    'It is one JSON object: {"q1": {"answer": "…", "evidence": [{"text": "…"}]}}.',
  )
}
