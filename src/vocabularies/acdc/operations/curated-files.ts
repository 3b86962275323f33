/**
 * The curated files of a base: resources and prompts whose front matter says what they are. Files
 * that do not are listed apart, with the reason.
 */
import type { DocumentRecord, Place } from '../../../core/domain/document.ts'
import { invalid } from '../../../core/domain/error.ts'
import {
  curatedBody,
  curatedProperties,
  folderAbove,
  PROMPTS_FOLDERS,
  RESOURCES_FOLDERS,
  statedProperties,
  templateProblem,
} from '../curated/parse-curated.ts'
import type { CuratedProperties } from '../curated/parse-curated.ts'
import { findSection, sectionAt, sectionsOf } from '../curated/sections.ts'
import type { Section } from '../curated/sections.ts'
import { renderTemplate } from '../curated/render-template.ts'
import { Unanswerable } from '../curated/template-functions.ts'
import { parseTemplate } from '../curated/template.ts'
import type { Template } from '../curated/template.ts'
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import type { NameRules } from '../../../core/operations/view/scope.ts'
import { wholeView } from '../../../core/operations/view/view.ts'
import type { View } from '../../../core/operations/view/view.ts'
import { lineAt, lineStartsOf } from '../../../core/parsing/lines.ts'
import { findLive, parseLive } from '../../../core/operations/reading/read-document.ts'

export type { CuratedArgument } from '../curated/parse-curated.ts'

/**
 * Where curated files stand: in the two folders of a content location, all of them; anywhere among
 * the notes of a base, those that say what they are; or anywhere in a repository, all of them.
 */
export type CuratedLayout = 'locations' | 'notes' | 'repository'

export interface CuratedPlace {
  readonly kind: 'resource' | 'prompt'
  /** Below the folder of its kind, without the extension. */
  readonly place: string
}

export interface CuratedFile extends CuratedPlace, CuratedProperties {
  readonly record: DocumentRecord
}

/** What a file is here, or why it is left out; among notes most say nothing, and need no reason. */
export type Curated = CuratedFile | LeftOut

export interface LeftOut {
  readonly kind: 'left out'
  readonly why: string | undefined
}

const EXTENSION = /\.(?:md|markdown)$/

/** What stands at a path of a source; undefined for what cannot be curated. */
export function curatedPlace(path: string, layout: CuratedLayout): CuratedPlace | undefined {
  // Globs compare without case; here only exactly these names count.
  if (!EXTENSION.test(path)) return undefined
  const prompts = folderAbove(path, PROMPTS_FOLDERS)
  if (prompts !== undefined) return placed('prompt', path.slice(prompts.length))
  // In a repository the address of a document is its whole path.
  const resources = layout === 'repository' ? '' : folderAbove(path, RESOURCES_FOLDERS)
  if (resources !== undefined) return placed('resource', path.slice(resources.length))
  return layout === 'notes' ? placed('resource', path) : undefined
}

function placed(kind: CuratedPlace['kind'], path: string): CuratedPlace | undefined {
  const isHidden = path.split('/').some((part) => part.startsWith('.'))
  return isHidden ? undefined : { kind, place: path.replace(EXTENSION, '') }
}

/** Files that say what they are have the name that a surface gives them; the others have none. */
export function curatedNames(
  base: Knowledge,
  layout: CuratedLayout,
  nameOf: (file: CuratedFile) => string,
): NameRules<Curated> {
  const describe = async (record: DocumentRecord) => {
    const detail = await curatedFile(wholeView(base), record, layout)
    return { name: detail.kind === 'left out' ? undefined : nameOf(detail), detail }
  }
  return {
    by: 'record',
    spellings: (text) => [text],
    describe: (records) => Promise.all(records.map(describe)),
  }
}

async function curatedFile(
  kb: View,
  record: DocumentRecord,
  layout: CuratedLayout,
): Promise<Curated> {
  const place = curatedPlace(record.path, layout)
  const isOwn = layout !== 'notes'
  const stated = isOwn ? curatedProperties(record.properties) : statedProperties(record.properties)
  if (!place || !stated) {
    const [warning] = isOwn ? await kb.store.warnings(record.no) : []
    const usual = isOwn ? 'It is left out.' : undefined
    return { kind: 'left out', why: warning?.message ?? usual }
  }
  const file = { record, ...place, ...stated }
  if (isOwn) return file
  if (file.kind === 'resource') return { ...file, arguments: [] }
  const live = await findLive(kb, record)
  const problem = live && templateProblem(live.text)
  return problem === undefined ? file : { kind: 'left out', why: `It is left out: ${problem}.` }
}

/** Files that could not be read at all: too large, no text, out of bounds. */
export async function notRead(kb: View): Promise<readonly (Place & { readonly why: string })[]> {
  const sources = [...kb.sources.keys()]
  const records = (await Promise.all(sources.map((source) => kb.store.files(source)))).flat()
  return records
    .filter(({ state }) => state !== 'indexed')
    .map(({ source, path, reason }) => ({ source, path, why: `It is left out: ${reason ?? '?'}.` }))
}

/** The text behind the front matter as it is on disk now; undefined when it cannot be read. */
export async function readCurated(kb: View, { record }: CuratedFile): Promise<string | undefined> {
  const live = await findLive(kb, record)
  return live && curatedBody(live.text)
}

/** One section of it, or all parts of one; undefined where there is none of that address. */
export async function readCuratedSection(
  kb: View,
  { record }: CuratedFile,
  fragment: string,
): Promise<string | undefined> {
  const live = await findLive(kb, record)
  const found = live && findSection(sectionsOf(live.text, await parseLive(kb, live)), fragment)
  return found && live.text.slice(found.start, found.end).replaceAll('\r\n', '\n')
}

export interface FoundSection extends Pick<Section, 'fragment' | 'headingPath'> {
  readonly text: string
  /** Of the file, counted from 1. */
  readonly lines: { readonly from: number; readonly to: number }
}

/** The section around a place of the file's text; the first one where no place is known. */
export async function curatedSectionAt(
  kb: View,
  { record }: CuratedFile,
  at = 0,
): Promise<FoundSection | undefined> {
  const live = await findLive(kb, record)
  const section = live && sectionAt(sectionsOf(live.text, await parseLive(kb, live)), at)
  if (!section) return undefined
  const { fragment, headingPath, start, end } = section
  const from = lineAt(lineStartsOf(live.text), start)
  const text = live.text.slice(start, end).replaceAll('\r\n', '\n')
  return { fragment, headingPath, text, lines: { from, to: from + text.split('\n').length - 1 } }
}

/** The text that a prompt gives with these values; undefined when its file cannot be read. */
export async function renderPrompt(
  kb: View,
  prompt: CuratedFile,
  values: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const template = await templateOf(kb, prompt)
  try {
    return template && renderTemplate(template, values)
  } catch (error) {
    if (!(error instanceof Unanswerable)) throw error
    throw invalid(`The prompt cannot be filled in: ${error.message}.`, 'Give other arguments.')
  }
}

/** Values that a prompt compares one of its arguments with. */
export async function knownValues(
  kb: View,
  prompt: CuratedFile,
  argument: string,
): Promise<readonly string[]> {
  return (await templateOf(kb, prompt))?.knownValues.get(argument) ?? []
}

async function templateOf(kb: View, prompt: CuratedFile): Promise<Template | undefined> {
  const text = await readCurated(kb, prompt)
  if (text === undefined) return undefined
  const template = parseTemplate(text)
  if (template.kind === 'template') return template
  throw invalid(`The template of ${prompt.name} cannot be read: ${template.why}.`, '')
}
