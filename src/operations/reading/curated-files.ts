/**
 * The curated files of a base: resources and prompts whose front matter says what they are. Files
 * that do not are listed apart, with the reason.
 */
import type { DocumentRecord, Place } from '../../domain/document.ts'
import { invalid } from '../../domain/error.ts'
import {
  curatedBody,
  curatedProperties,
  PROMPTS_FOLDER,
  RESOURCES_FOLDER,
  statedProperties,
  templateProblem,
} from '../../parsing/curated/parse-curated.ts'
import type { CuratedProperties } from '../../parsing/curated/parse-curated.ts'
import { renderTemplate } from '../../parsing/curated/render-template.ts'
import { Unanswerable } from '../../parsing/curated/template-functions.ts'
import { parseTemplate } from '../../parsing/curated/template.ts'
import type { Template } from '../../parsing/curated/template.ts'
import type { Knowledge } from '../view/knowledge.ts'
import type { NameRules } from '../view/scope.ts'
import { wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { findLive } from './read-document.ts'

export type { CuratedArgument } from '../../parsing/curated/parse-curated.ts'

/**
 * Where curated files stand: in the two folders of a content location, all of them; or anywhere
 * among the notes of a base, those that say what they are.
 */
export type CuratedLayout = 'locations' | 'notes'

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

const EXTENSION = '.md'

/** What stands at a path of a source; undefined for what cannot be curated. */
export function curatedPlace(path: string, layout: CuratedLayout): CuratedPlace | undefined {
  // Globs compare without case; here only exactly these names count.
  if (!path.endsWith(EXTENSION)) return undefined
  const below = (folder: string) => path.slice(folder.length, -EXTENSION.length)
  if (path.startsWith(RESOURCES_FOLDER)) return { kind: 'resource', place: below(RESOURCES_FOLDER) }
  if (path.startsWith(PROMPTS_FOLDER)) return { kind: 'prompt', place: below(PROMPTS_FOLDER) }
  return layout === 'notes' ? { kind: 'resource', place: below('') } : undefined
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
  const stated =
    layout === 'locations'
      ? curatedProperties(record.properties)
      : statedProperties(record.properties)
  if (!place || !stated) {
    const [warning] = layout === 'locations' ? await kb.store.warnings(record.no) : []
    const usual = layout === 'locations' ? 'It is left out.' : undefined
    return { kind: 'left out', why: warning?.message ?? usual }
  }
  const file = { record, ...place, ...stated }
  if (layout === 'locations') return file
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
