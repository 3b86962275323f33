/**
 * The curated files of a base: resources and prompts whose front matter says what they are. Files
 * that do not are listed apart, with the reason.
 */
import { documentId } from '../../domain/document.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { invalid } from '../../domain/error.ts'
import {
  curatedBody,
  curatedProperties,
  PROMPTS_FOLDER,
  RESOURCES_FOLDER,
  statedProperties,
  templateProblem,
} from '../../parsing/curated/parse-curated.ts'
import type { CuratedArgument, CuratedProperties } from '../../parsing/curated/parse-curated.ts'
import { renderTemplate } from '../../parsing/curated/render-template.ts'
import { Unanswerable } from '../../parsing/curated/template-functions.ts'
import { parseTemplate } from '../../parsing/curated/template.ts'
import type { Template } from '../../parsing/curated/template.ts'
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

export interface CuratedFile {
  readonly record: DocumentRecord
  /** Below the folder of its kind, without the extension. */
  readonly place: string
  readonly name: string
  readonly description: string
  readonly arguments: readonly CuratedArgument[]
}

export interface CuratedFiles {
  /** In the order of sources, and within one in the order of paths. */
  readonly resources: readonly CuratedFile[]
  readonly prompts: readonly CuratedFile[]
  readonly leftOut: readonly { readonly id: string; readonly why: string }[]
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

export async function listCurated(kb: View, layout: CuratedLayout): Promise<CuratedFiles> {
  const everything = { offset: 0, limit: -1 }
  const { documents } = await kb.store.list({ kind: 'document' }, 'path', everything)
  const resources: CuratedFile[] = []
  const prompts: CuratedFile[] = []
  const leftOut: { id: string; why: string }[] = []
  for (const record of inSourceOrder(kb, documents)) {
    const found = curatedPlace(record.path, layout)
    if (!found) continue
    const { kind, place } = found
    const said = await propertiesOf(kb, record, kind, layout)
    if ('why' in said) {
      if (said.why !== undefined) leftOut.push({ id: documentId(record), why: said.why })
      continue
    }
    const file = { record, place, ...said }
    if (kind === 'resource') resources.push(file)
    else prompts.push(file)
  }
  if (layout === 'locations') leftOut.push(...(await notRead(kb)))
  return { resources, prompts, leftOut }
}

/** What a file says it is, or why it is left out; among notes most say nothing, and need no reason. */
async function propertiesOf(
  kb: View,
  record: DocumentRecord,
  kind: CuratedPlace['kind'],
  layout: CuratedLayout,
): Promise<CuratedProperties | { readonly why: string | undefined }> {
  if (layout === 'locations') {
    const checked = curatedProperties(record.properties)
    if (checked) return checked
    const [warning] = await kb.store.warnings(record.no)
    return { why: warning?.message ?? 'It is left out.' }
  }
  const stated = statedProperties(record.properties)
  if (!stated) return { why: undefined }
  if (kind === 'resource') return { ...stated, arguments: [] }
  const live = await findLive(kb, record)
  const problem = live && templateProblem(live.text)
  return problem === undefined ? stated : { why: `It is left out: ${problem}.` }
}

/** Files that could not be read at all: too large, no text, out of bounds. */
async function notRead(kb: View): Promise<CuratedFiles['leftOut']> {
  const sources = [...kb.sources.keys()]
  const records = (await Promise.all(sources.map((source) => kb.store.files(source)))).flat()
  return records
    .filter(({ state }) => state !== 'indexed')
    .map((record) => ({ id: documentId(record), why: `It is left out: ${record.reason ?? '?'}.` }))
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

function inSourceOrder(kb: View, documents: readonly DocumentRecord[]): readonly DocumentRecord[] {
  const bySource = Map.groupBy(documents, ({ source }) => source)
  return [...kb.sources.keys()].flatMap((source) => bySource.get(source) ?? [])
}
