/** How notes come in over HTTP: fields of JSON, checked one by one, and files of Markdown. */
import type { Properties } from '../../core/domain/text.ts'
import { NexusError } from './errors.ts'

export interface NoteFields {
  readonly title?: string
  readonly content?: string
  readonly slug?: string
  readonly tags?: readonly string[]
  /** `null` takes it away. */
  readonly section?: string | null
  readonly order?: number | null
}

const MOST_TAGS = 200
const LONGEST_NAME = 500

/** Throws a 400 that names the first field that cannot be used. Unknown fields are ignored. */
export function readNoteFields(body: unknown): NoteFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new NexusError(400, 'Invalid JSON body')
  }
  const given = body as Readonly<Record<string, unknown>>
  const title = optional(given, 'title', readName)
  const content = optional(given, 'content', readContent)
  const slug = optional(given, 'slug', readName)
  const tags = optional(given, 'tags', readTags)
  const section = given['section'] === null ? null : optional(given, 'section', readName)
  const order = given['order'] === null ? null : optional(given, 'order', readOrder)
  return {
    ...(title !== undefined && { title }),
    ...(content !== undefined && { content }),
    ...(slug !== undefined && { slug }),
    ...(tags !== undefined && { tags }),
    ...(section !== undefined && { section }),
    ...(order !== undefined && { order }),
  }
}

/** Spelled out as null or left out is the same, but for fields that null takes away. */
function optional<Value>(
  given: Readonly<Record<string, unknown>>,
  name: string,
  read: (value: unknown, name: string) => Value,
): Value | undefined {
  const value = given[name]
  return value === undefined || value === null ? undefined : read(value, name)
}

/** One line: a name stands in lists and in the front matter. */
function readName(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new NexusError(400, `${name} must be a string`)
  if (value.length > LONGEST_NAME) {
    throw new NexusError(400, `${name} must not be longer than ${LONGEST_NAME} characters`)
  }
  return value.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

function readContent(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new NexusError(400, `${name} must be a string`)
  if (value.includes('\0')) throw new NexusError(400, `${name} must be text`)
  return value
}

function readTags(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((tag) => typeof tag === 'string')
  if (!isList) throw new NexusError(400, 'tags must be an array of strings')
  if (value.length > MOST_TAGS) {
    throw new NexusError(400, `tags must not be more than ${MOST_TAGS}`)
  }
  const tags = value.map((tag) => readName(tag, 'tags')).filter((tag) => tag !== '')
  return [...new Set(tags)]
}

function readOrder(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new NexusError(400, 'order must be a whole number')
  return value as number
}

/** The fields that front matter holds under the same names; what is not usable is left out. */
export function fieldsOf(properties: Properties): NoteFields {
  const { title, slug, section, order, tags } = properties
  return {
    ...(isText(title) && { title: readName(String(title).slice(0, LONGEST_NAME), 'title') }),
    ...(isText(slug) && { slug: String(slug).slice(0, LONGEST_NAME) }),
    ...(isText(section) && {
      section: readName(String(section).slice(0, LONGEST_NAME), 'section'),
    }),
    ...(Number.isSafeInteger(order) && { order: order as number }),
    tags: tagsOf(tags),
  }
}

function isText(value: unknown): value is string | number {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
}

/** A list, or words with commas between them. */
function tagsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  const tags = list.filter(isText).map((tag) => String(tag).trim())
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MOST_TAGS)
}
