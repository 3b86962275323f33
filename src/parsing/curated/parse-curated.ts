/**
 * A curated file: Markdown whose front matter must say what it is. A file that does not is kept
 * without properties and with one warning that says why; whoever lists curated files leaves it out.
 */
import { atOnce } from '../../domain/slices.ts'
import type { Steps } from '../../domain/slices.ts'
import type {
  Parsed,
  ParsedDocument,
  Parser,
  Properties,
  PropertyValue,
} from '../../domain/text.ts'
import type { Warning } from '../../domain/warning.ts'
import { findFrontMatter, parseFrontMatter } from '../markdown/front-matter.ts'
import { parsingMarkdown } from '../markdown/parse-markdown.ts'
import { parseTemplate } from './template.ts'

/** Where resources and prompts stand below a content location. */
export const RESOURCES_FOLDER = 'mcp-resources/'
export const PROMPTS_FOLDER = 'mcp-prompts/'

/** What the front matter of a listed file says, checked. */
export interface CuratedProperties {
  readonly name: string
  readonly description: string
  readonly keywords: readonly string[]
  /** Arguments of a prompt. */
  readonly arguments: readonly CuratedArgument[]
}

export interface CuratedArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export const parseCurated: Parser = (text, path) => atOnce(parsingCurated(text, path))

export function* parsingCurated(text: string, path: string): Steps<Parsed> {
  const { document } = yield* parsingMarkdown(text, path)
  const read = readCurated(text, path)
  const plain = { ...document, frontMatterTitle: undefined, aliases: [], inlineTags: [] }
  if (read.kind === 'problem') return { document: nameless(plain), warnings: [warning(read.why)] }
  const { name, description, keywords } = read.properties
  return {
    document: {
      ...plain,
      title: name,
      tags: keywords,
      description,
      properties: asProperties(read.properties),
    },
    warnings: [],
  }
}

/** The properties that `parseCurated` stored; undefined for a file that is left out. */
export function curatedProperties(properties: Properties): CuratedProperties | undefined {
  return typeof properties['name'] === 'string'
    ? (properties as unknown as CuratedProperties)
    : undefined
}

/** Everything behind the front matter, with plain line ends. */
export function curatedBody(text: string): string {
  const block = findFrontMatter(text)
  const from = typeof block === 'object' ? block.bodyStart : 0
  return text.slice(from).replaceAll('\r\n', '\n')
}

type Read =
  | { readonly kind: 'curated'; readonly properties: CuratedProperties }
  | { readonly kind: 'problem'; readonly why: string }

function readCurated(text: string, path: string): Read {
  const block = findFrontMatter(text)
  if (block === 'absent') return problem('it does not begin with front matter')
  if (block === 'unclosed') return problem('its front matter is not closed')
  const { properties, warnings } = parseFrontMatter(text, path)
  const [trouble] = warnings
  // A key that is there twice is no front matter here, whichever of them might count elsewhere.
  if (trouble) return problem(`its front matter cannot be read: ${trouble.message.split(';')[0]}`)
  const absent = ['name', 'description'].find((key) => textOf(properties[key]) === undefined)
  if (absent !== undefined) return problem(missing(absent, properties))
  const isPrompt = path.startsWith(PROMPTS_FOLDER)
  const why = isPrompt ? templateProblem(text) : undefined
  if (why !== undefined) return problem(why)
  const stated = statedProperties(properties)!
  return { kind: 'curated', properties: isPrompt ? stated : { ...stated, arguments: [] } }
}

/** Why a file is no prompt; undefined when its template can be filled in. */
export function templateProblem(text: string): string | undefined {
  const template = parseTemplate(curatedBody(text))
  return template.kind === 'problem' ? `its template cannot be read: ${template.why}` : undefined
}

/** What front matter says in these terms; undefined when it does not say what the file is. */
export function statedProperties(properties: Properties): CuratedProperties | undefined {
  const name = textOf(properties['name'])
  const description = textOf(properties['description'])
  if (name === undefined || description === undefined) return undefined
  const keywords = textsOf(properties['keywords'])
  return { name, description, keywords, arguments: argumentsOf(properties['arguments']) }
}

function missing(key: string, properties: Properties): string {
  const value = properties[key]
  const isThere = value !== undefined && value !== null && value !== ''
  return isThere ? `its ${key} is not a text` : `its front matter has no ${key}`
}

function problem(why: string): Read {
  return { kind: 'problem', why }
}

function warning(why: string): Warning {
  return { kind: 'front_matter', message: `It is left out: ${why}.` }
}

function nameless(document: ParsedDocument): ParsedDocument {
  return { ...document, title: undefined, tags: [], description: undefined, properties: {} }
}

function textOf(value: PropertyValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Only a list counts, and of it only the texts. */
function textsOf(value: PropertyValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function argumentsOf(value: PropertyValue | undefined): CuratedArgument[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: PropertyValue) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return []
    const { name, description, required } = item as Properties
    if (typeof name !== 'string' || name === '') return []
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        // Whoever says nothing about it needs the argument.
        required: typeof required === 'boolean' ? required : true,
      },
    ]
  })
}

function asProperties(properties: CuratedProperties): Properties {
  return { ...properties, arguments: properties.arguments.map((each) => ({ ...each })) }
}
