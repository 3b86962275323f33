/** Answers a question from the pages of a wiki, in the words of whoever writes answers. */
import { KnowledgeError, upstream } from '../../core/domain/error.ts'
import type { Page } from './operations/pages.ts'
import { aboutFences, fenced, newFence } from '../../core/operations/answering/answer-prompt.ts'
import { plainWords, rankPages } from './operations/find-pages.ts'
import { readPages } from './operations/read-pages.ts'
import type { NexusView } from './view.ts'

/** What a model is given. */
export interface AnswerPrompt {
  readonly system: string
  readonly user: string
  readonly maxTokens: number
  readonly temperature: number
}

/** Writes the answer to a prompt: a model, wherever it runs. */
export type WriteAnswer = (prompt: AnswerPrompt, signal: AbortSignal) => Promise<string>

export interface NexusAnswer {
  readonly answer: string
  readonly sources: readonly { readonly slug: string; readonly title: string }[]
}

const MOST_SOURCES = 5
const CONTEXT_CHARACTERS = 12_000
const MAX_TOKENS = 500
const TEMPERATURE = 0.3

const NOTHING_FOUND: NexusAnswer = {
  answer: 'No relevant information found in the knowledge base.',
  sources: [],
}

const SYSTEM = [
  'You answer questions from the notes of a knowledge base.',
  'Use only what the notes below say; where they do not hold the answer, say so.',
  'Be concise, and name the notes you used by their titles.',
].join(' ')

export async function askPages(
  view: NexusView,
  question: string,
  write: WriteAnswer,
  signal: AbortSignal,
): Promise<NexusAnswer> {
  const pages = await view.wiki.names.now()
  const found = await rankPages(view.wiki, pages, wordsOf(question), MOST_SOURCES)
  const { context, sources } = await contextOf(view, found.pages)
  if (sources.length === 0) return NOTHING_FOUND
  const fence = newFence()
  const answer = await write(
    {
      system: `${SYSTEM}\n\n${aboutFences(fence)}`,
      user: `${fenced({ label: 'notes', text: context }, fence)}\n\nQuestion: ${question}`,
      maxTokens: MAX_TOKENS,
      temperature: TEMPERATURE,
    },
    signal,
  ).catch(failedUpstream)
  return { answer, sources: sources }
}

/** 503 means that nobody writes answers here; whoever does and fails is an error like any other. */
function failedUpstream(error: unknown): never {
  if (!(error instanceof KnowledgeError)) throw error
  throw upstream(error.message, error.hint)
}

/** Words of every question, which say nothing of what it is about. */
const QUESTION_WORDS = new Set(
  'what how does the this that with from have about where when which'.split(' '),
)

/** Longer words than three letters; a question without any is searched as it is. */
export function wordsOf(question: string): string {
  const words = plainWords(question.toLowerCase())
  const telling = words.filter((word) => word.length > 3 && !QUESTION_WORDS.has(word))
  return (telling.length > 0 ? telling : words).join(' ')
}

/** Notes one after the other, the last one cut where the room ends. */
async function contextOf(
  { wiki }: NexusView,
  pages: readonly Page[],
): Promise<{ readonly context: string; readonly sources: NexusAnswer['sources'] }> {
  const sources: { slug: string; title: string }[] = []
  let context = ''
  for (const { page, title, content } of await readPages(wiki, pages)) {
    const gap = context === '' ? '' : '\n\n'
    const heading = `${gap}## ${title}\n`
    const room = CONTEXT_CHARACTERS - context.length - heading.length
    // A heading without a word below it tells nothing.
    if (room <= 0 || content.trim() === '') continue
    context += heading + content.trimEnd().slice(0, room)
    sources.push({ slug: page.name, title })
  }
  return { context, sources }
}
