/**
 * What a language model can say about one note: a summary, tags, the names in it. The note is text
 * by others, and what comes back is checked against it before anyone sees it.
 */
import { isObject } from '../../../core/kit/is-object.ts'
import { type KnowledgeError, unavailable, upstream } from '../../../core/domain/error.ts'
import type { Answerer } from '../../../core/models/answerer.ts'
import { splitSentences } from '../../../core/parsing/split-sentences.ts'
import { aboutFences, fenced, newFence } from '../../../core/operations/answering/answer-prompt.ts'
import { findJson, oneLine } from '../../../core/operations/answering/read-json.ts'
import { wholeWords } from '../../../core/operations/answering/whole-words.ts'
import { addsNoFact, addsNoName, sharesWords } from '../../../core/operations/answering/wording.ts'
import type { View } from '../../../core/operations/view/view.ts'
import { findNote } from '../../../core/operations/reading/read-notes.ts'
import type { Note } from '../../../core/operations/reading/read-notes.ts'

export interface NoteSummary {
  readonly id: string
  readonly title: string
  readonly summary: string
}

export interface SuggestedTag {
  readonly tag: string
  /** How many documents of the base have it already. */
  readonly documents: number
}

export const ENTITY_TYPES = [
  'person',
  'organization',
  'place',
  'product',
  'event',
  'date',
  'concept',
  'other',
] as const

export interface NamedEntity {
  readonly name: string
  readonly type: (typeof ENTITY_TYPES)[number]
  /** How often the note says the name. */
  readonly mentions: number
}

export interface EnrichOptions {
  readonly limit: number
  readonly signal?: AbortSignal
}

/** Undefined where there is no such note. */
export async function summarizeNote(
  kb: View,
  id: string,
  { maxWords, signal }: { readonly maxWords: number; readonly signal?: AbortSignal },
): Promise<NoteSummary | undefined> {
  const note = await findNote(kb, id)
  if (!note) return undefined
  const task = `Summarize the note in at most ${maxWords} words, in its own language and with its own words, names and numbers; add nothing that it does not say.
Reply with one JSON object and nothing else: {"summary": "..."}`
  const answer = await askAbout(kb, note, task, signal)
  const said = oneLine(isObject(answer) ? answer['summary'] : undefined, maxWords * 12)
  const text = whole(note)
  const kept = splitSentences(said)
    .map(({ start, end }) => said.slice(start, end))
    .filter((sentence) => staysWith(sentence, text))
  if (kept.length === 0) throw useless(kb)
  return { id: note.id, title: note.title, summary: kept.join(' ') }
}

function staysWith(sentence: string, text: string): boolean {
  return sharesWords(sentence, text) && addsNoFact(sentence, text) && addsNoName(sentence, text)
}

/** What is in use comes first: tags are worth something when notes share them. */
export async function suggestTags(
  kb: View,
  id: string,
  { limit, signal }: EnrichOptions,
): Promise<readonly SuggestedTag[] | undefined> {
  const note = await findNote(kb, id)
  if (!note) return undefined
  const used = await kb.store.tags(VOCABULARY)
  const task = `Suggest at most ${limit} tags for the note: one or two words each, in lower case, with a hyphen for a space. Prefer tags of the list "tags in use" where they fit.
Reply with one JSON object and nothing else: {"tags": ["..."]}`
  const inUse = { label: 'tags in use', text: used.map(({ tag }) => tag).join(', ') }
  const answer = await askAbout(kb, note, task, signal, [inUse])
  const said = isObject(answer) ? answer['tags'] : answer
  if (!Array.isArray(said)) throw useless(kb)
  const own = new Set(note.tags.map((tag) => tag.toLowerCase()))
  const known = new Map(used.map((each) => [each.tag.toLowerCase(), each]))
  const tags = new Map<string, SuggestedTag>()
  for (const each of said.slice(0, 50)) {
    const tag = oneLine(each, 60).replace(/^#/, '').replaceAll(' ', '-').toLowerCase()
    if (!TAG.test(tag) || own.has(tag)) continue
    tags.set(tag, known.get(tag) ?? { tag, documents: 0 })
  }
  return [...tags.values()].toSorted((a, b) => b.documents - a.documents).slice(0, limit)
}

/** Only names that the note has, letter for letter. */
export async function extractEntities(
  kb: View,
  id: string,
  { limit, signal }: EnrichOptions,
): Promise<readonly NamedEntity[] | undefined> {
  const note = await findNote(kb, id)
  if (!note) return undefined
  const task = `List at most ${limit} names in the note, exactly as it writes them, the most important first. A type is one of ${ENTITY_TYPES.join(', ')}.
Reply with one JSON object and nothing else: {"entities": [{"name": "...", "type": "..."}]}`
  const answer = await askAbout(kb, note, task, signal)
  const said = isObject(answer) ? answer['entities'] : answer
  if (!Array.isArray(said)) throw useless(kb)
  const text = whole(note)
  const entities = new Map<string, NamedEntity>()
  for (const each of said.slice(0, 4 * limit).filter(isObject)) {
    const name = oneLine(each['name'], 200)
    const mentions = name === '' ? 0 : countWhole(text, name)
    if (mentions === 0 || entities.has(name)) continue
    const type = ENTITY_TYPES.find((known) => known === each['type']) ?? 'other'
    entities.set(name, { name, type, mentions })
  }
  return [...entities.values()].slice(0, limit)
}

/** `Tea` is no name in `Teapot`. */
function countWhole(text: string, name: string): number {
  return text.match(new RegExp(wholeWords(name.split(' ')), 'gu'))?.length ?? 0
}

/** Tags in use that a model gets to see. */
const VOCABULARY = 100
const TAG = /^(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{N}_/-]{0,49}$/u

/** The beginning of a note says what it is about; the rest of a long one is not sent. */
const LONGEST_NOTE = 20_000

function whole({ title, content }: Note): string {
  return `${title}\n\n${content.slice(0, LONGEST_NOTE)}`
}

/** The JSON a model answers with; undefined when there is none in its answer. */
async function askAbout(
  kb: View,
  note: Note,
  task: string,
  signal: AbortSignal | undefined,
  more: readonly { readonly label: string; readonly text: string }[] = [],
): Promise<unknown> {
  const answerer = getAnswerer(kb)
  const fence = newFence()
  const texts = [{ label: 'note', text: whole(note) }, ...more]
  try {
    const answer = await answerer.answer(
      {
        system: `You describe notes.\n\n${aboutFences(fence)}\n\n${task}`,
        user: texts.map((text) => fenced(text, fence)).join('\n\n'),
        temperature: 0,
      },
      signal,
    )
    return findJson(answer)
  } catch {
    // Nothing of what the server said: its log, and ours, say more.
    throw unavailable(
      `The model ${answerer.name} did not answer.`,
      'Try again in a moment; the log of the server says more.',
    )
  }
}

function getAnswerer({ answerer }: View): Answerer {
  if (answerer) return answerer
  throw unavailable('No language model is configured.', 'Name one as "answerer" in cairn.yaml.')
}

function useless(kb: View): KnowledgeError {
  return upstream(
    `The model ${getAnswerer(kb).name} said nothing that the note bears out.`,
    'Try again, or name another model.',
  )
}
