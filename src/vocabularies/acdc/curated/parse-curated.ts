/**
 * A curated file: Markdown whose front matter says what it is. In the folders of resources and
 * prompts it must; one that does not is kept without properties and with one warning that says why,
 * and whoever lists curated files leaves it out. Elsewhere heading and first paragraph say it as well.
 */
import { atOnce } from '../../../core/kit/slices.ts'
import type { Steps } from '../../../core/kit/slices.ts'
import type {
  Parsed,
  ParsedDocument,
  Parser,
  Properties,
  PropertyValue,
} from '../../../core/domain/text.ts'
import type { Warning } from '../../../core/domain/warning.ts'
import { findFrontMatter, parseFrontMatter } from '../../../core/parsing/markdown/front-matter.ts'
import { parsingMarkdown } from '../../../core/parsing/markdown/parse-markdown.ts'
import { titleFromPath } from '../../../core/parsing/names.ts'
import { parseTemplate } from './template.ts'

/** Where resources and prompts stand below a content location: as it was first, and since 0.8. */
export const RESOURCES_FOLDERS: readonly string[] = ['mcp-resources/', '.acdc/resources/']
export const PROMPTS_FOLDERS: readonly string[] = ['mcp-prompts/', '.acdc/prompts/']

export function folderAbove(path: string, folders: readonly string[]): string | undefined {
  return folders.find((folder) => path.startsWith(folder))
}

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
  const read = readCurated(text, path, document)
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

function readCurated(text: string, path: string, document: ParsedDocument): Read {
  const isPrompt = folderAbove(path, PROMPTS_FOLDERS) !== undefined
  const mustSay = isPrompt || folderAbove(path, RESOURCES_FOLDERS) !== undefined
  const block = findFrontMatter(text)
  if (mustSay && block === 'absent') return problem('it does not begin with front matter')
  if (mustSay && block === 'unclosed') return problem('its front matter is not closed')
  const { properties, warnings } = parseFrontMatter(text, path)
  const [trouble] = warnings
  // A key that is there twice is no front matter here, whichever of them might count elsewhere.
  if (trouble) return problem(`its front matter cannot be read: ${trouble.message.split(';')[0]}`)
  if (!mustSay) return { kind: 'curated', properties: derivedProperties(text, path, document) }
  const absent = ['name', 'description'].find((key) => textOf(properties[key]) === undefined)
  if (absent !== undefined) return problem(missing(absent, properties))
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

/** What a document of a repository is, by its front matter, its heading and its beginning. */
function derivedProperties(
  text: string,
  path: string,
  { properties, title, bodyStart }: ParsedDocument,
): CuratedProperties {
  const name = textOf(properties['name']) ?? title ?? titleFromPath(path)
  const described = textOf(properties['description']) ?? firstParagraph(text.slice(bodyStart))
  const description = [...described].slice(0, LONGEST_DESCRIPTION).join('')
  return { name, description, keywords: textsOf(properties['keywords']), arguments: [] }
}

const LONGEST_DESCRIPTION = 200

/** Headings, fences, rules, tables, comments, tags and badges are none. */
const NO_PARAGRAPH = /^(?:#|`{3}|~{3}|[-*_]{3}|\||<|\[?!\[)/
/** Whoever has no paragraph among so many characters has a list of something. */
const BEGINNING = 20_000

function firstParagraph(body: string): string {
  const blocks = body.slice(0, BEGINNING).split(/\r?\n[ \t]*\r?\n/)
  for (const block of blocks) {
    const lines = block.trim().split(/\r?\n/)
    // A heading needs no blank line behind it.
    const from = lines.findIndex((line) => !/^#{1,6}(?:\s|$)/.test(line))
    const paragraph = from < 0 ? '' : lines.slice(from).join(' ').replaceAll(/\s+/g, ' ').trim()
    if (paragraph !== '' && !NO_PARAGRAPH.test(paragraph)) return paragraph
  }
  return ''
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
