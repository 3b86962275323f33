/**
 * Prompts that people choose in their client: a few that come with Cairn, and notes of type `prompt`.
 * A prompt is text with places to fill in; nothing in it is ever run.
 */
import type { DocumentRecord } from '../../core/domain/document.ts'
import { invalid, notFound, quoted } from '../../core/domain/error.ts'
import { didYouMean } from '../../core/kit/nearest.ts'
import type { PropertyValue } from '../../core/domain/text.ts'
import { pageOf } from '../../core/operations/reading/cursor.ts'
import { getLive, parseLive } from '../../core/operations/reading/read-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { PromptArgument, PromptEntry, Prompts, Who } from '../door/surface.ts'

interface Prompt extends PromptEntry {
  text(kb: View): Promise<string>
}

const PAGE = 50
/** Notes of type `prompt` beyond this many are not offered. */
const MOST_FILES = 200

export function nativePrompts(see: (who: Who) => View): Prompts {
  const get = async (kb: View, name: string): Promise<Prompt> => {
    const all = await allPrompts(kb)
    const found = all.find((prompt) => prompt.name === name)
    if (found) return found
    const names = all.map((prompt) => prompt.name)
    throw notFound(
      `There is no prompt ${quoted(name)}.`,
      `${didYouMean(name, names)}Prompts are: ${names.slice(0, 30).join(', ')}.`,
    )
  }
  return {
    async list(cursor, caller) {
      const all = await allPrompts(see({ caller }))
      const page = pageOf('native-prompts', all, { cursor, limit: PAGE })
      const items = page.items.map(({ name, title, description, arguments: needed }) => ({
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        arguments: needed,
      }))
      return { ...page, items }
    },
    async get(name, args, call) {
      const kb = see(call)
      const prompt = await get(kb, name)
      const missing = prompt.arguments.find((each) => each.required && !args[each.name]?.trim())
      if (missing) {
        throw invalid(
          `The prompt ${quoted(name)} needs ${missing.name}.`,
          missing.description ?? `Fill in ${missing.name}.`,
        )
      }
      const text = filled(await prompt.text(kb), args)
      return { description: prompt.description, messages: [{ role: 'user', text }] }
    },
    async complete(name, argument, _value, _others, caller) {
      const prompt = await get(see({ caller }), name)
      if (!prompt.arguments.some((each) => each.name === argument)) {
        throw invalid(
          `The prompt ${quoted(name)} has no argument ${quoted(argument)}.`,
          `Its arguments are: ${prompt.arguments.map((each) => each.name).join(', ') || 'none'}.`,
        )
      }
      return { values: [], total: 0 }
    },
  }
}

const PLACE = /\{\{\s*([\w-]{1,60})\s*\}\}/g
/** A text that is given once may stand in many places. */
const LONGEST_FILLED = 400_000

/** `{{topic}}` becomes what was given for it; a place that nobody filled stays empty. */
function filled(text: string, args: Readonly<Record<string, string>>): string {
  const given = (name: string): string => (Object.hasOwn(args, name) ? args[name]! : '')
  let length = text.length
  for (const [, name] of text.matchAll(PLACE)) length += given(name!).length
  if (length > LONGEST_FILLED) {
    throw invalid(
      `Filled in, the prompt would be ${length} characters long, of ${LONGEST_FILLED} at most.`,
      'Give shorter texts, or have them fetched by id.',
    )
  }
  return text.replaceAll(PLACE, (_, name: string) => given(name))
}

/** A note takes the place of a prompt of the same name that comes with Cairn. */
async function allPrompts(kb: View): Promise<readonly Prompt[]> {
  const page = { offset: 0, limit: MOST_FILES }
  const { documents } = await kb.store.list({ types: ['prompt'] }, 'path', page)
  const files = new Map(documents.map((record) => [nameOf(record), record]))
  const own = [...files].map(([name, record]) => promptOf(name, record))
  return [...BUNDLED.filter(({ name }) => !files.has(name)), ...own]
}

/** `prompts/Release notes.md` is `release-notes`. */
function nameOf({ path }: DocumentRecord): string {
  const [stem = ''] = (path.split('/').at(-1) ?? '').split('.')
  return stem.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
}

function promptOf(name: string, record: DocumentRecord): Prompt {
  return {
    name,
    title: record.title,
    ...(record.description && { description: record.description.slice(0, 300) }),
    arguments: argumentsOf(record.properties['arguments']),
    async text(kb) {
      const live = await getLive(kb, record)
      const { bodyStart } = await parseLive(kb, live)
      return live.text.slice(bodyStart).trim()
    },
  }
}

const MOST_ARGUMENTS = 20

/** `arguments: [topic]`, or a mapping for each with `name`, `description` and `required`. */
function argumentsOf(value: PropertyValue | undefined): readonly PromptArgument[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MOST_ARGUMENTS).flatMap((each: PropertyValue): PromptArgument[] => {
    if (typeof each === 'string') return [{ name: each, required: true }]
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return []
    const { name, description, required } = each as Readonly<Record<string, PropertyValue>>
    if (typeof name !== 'string') return []
    const said = typeof description === 'string' ? { description } : {}
    return [{ name, ...said, required: required !== false }]
  })
}

const TOPIC: PromptArgument = { name: 'topic', description: 'What it is about', required: true }

function bundled(
  name: string,
  title: string,
  description: string,
  args: readonly PromptArgument[],
  text: string,
): Prompt {
  return { name, title, description, arguments: args, text: async () => text }
}

const BUNDLED: readonly Prompt[] = [
  bundled(
    'answer',
    'Answer with citations',
    'Answer a question from the notes, every sentence with its source.',
    [{ name: 'question', description: 'A whole sentence', required: true }],
    `Answer this question from the notes that Cairn serves: {{question}}

1. Call ask with the question. If it says that nothing is relevant, call search with other words for the same thing, once.
2. Read what you need with fetch, by the addresses (id:lines) of the replies.
3. Write the answer. Behind every sentence stands its address in parentheses. Say nothing that no note says; name what the notes leave open.`,
  ),
  bundled(
    'summarise',
    'Summarise a topic',
    'What all notes together say about a topic.',
    [TOPIC],
    `Summarise what the notes that Cairn serves say about: {{topic}}

1. Call search with the topic and, in also, two or three questions about its parts.
2. Fetch the passages that carry the most; follow neighbors of the best document.
3. Write: what it is in two sentences, then the main points as a list, then what is open or unclear. Put the address (id:lines) behind every point.`,
  ),
  bundled(
    'contradictions',
    'Find contradictions',
    'Where notes say different things about the same.',
    [TOPIC],
    `Find where the notes that Cairn serves contradict each other about: {{topic}}

1. Call search with the topic; in also ask for numbers, dates, owners and rules that belong to it.
2. Fetch every passage that states a fact. Compare them two by two.
3. List each contradiction: both sentences word for word with their addresses (id:lines), which of the notes is newer, and which is likely right and why. If there is none, say so.`,
  ),
  bundled(
    'weekly-review',
    'Weekly review',
    'What changed, what is open and what needs care.',
    [],
    `Review the last seven days of the notes that Cairn serves.

1. Call list with where "updated > 7 days ago" and sort updated. Fetch what changed most.
2. Call list with of tasks; those that are due come first.
3. Call insights with report broken_links, then with report orphans.
4. Write: what happened (a line for each note, with its id), what is due and overdue, what is broken or forgotten, and the three things to do next. Change nothing without being asked.`,
  ),
]
