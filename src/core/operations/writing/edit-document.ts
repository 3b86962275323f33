/** Edits a part of a document and leaves every other byte as it was. */
import { documentId } from '../../domain/document.ts'
import { parseInSlices } from '../../domain/format.ts'
import type { Format } from '../../domain/format.ts'
import type { ParsedDocument, Properties } from '../../domain/text.ts'
import { afterBlankStart } from '../../editing/blank-lines.ts'
import { appendText, prependText } from '../../editing/add-text.ts'
import { replaceSection } from '../../editing/edit-section.ts'
import type { SectionEdit } from '../../editing/edit-section.ts'
import { replaceText } from '../../editing/find-replace.ts'
import { replaceLines } from '../../editing/replace-lines.ts'
import type { LinesEdit } from '../../editing/replace-lines.ts'
import { setFrontMatter } from '../../editing/edit-front-matter.ts'
import { decodeEditable, encodeEditable, newlineOf, withNewlines } from '../../editing/text-file.ts'
import type { OperationKind } from '../../history/history.ts'
import { requireIndex } from '../view/await-index.ts'
import { changeFiles } from './change-files.ts'
import type { Plan, WriteOptions, WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { locateFile } from './locate-file.ts'
import { planFollowing, readyToFollow } from './plan-following.ts'
import type { FollowOptions, TextChange } from './plan-following.ts'
import { planRelinking } from './plan-relinking.ts'
import { requireMetadata, requireSections, requireWritable } from './require-edits.ts'

/** One change of one document; what `change` leaves alone stays as it is. */
export async function editDocument(
  kb: View,
  kind: OperationKind,
  id: string,
  change: TextChange,
  options: FollowOptions,
): Promise<WriteResult> {
  const plan = (view: View) => planFollowing(view, id, options, change)
  await readyToFollow(kb, options, plan)
  return changeFiles(kb, kind, options, plan)
}

/** A new text, front matter included. Byte order mark and line endings of the file stay. */
export function replacing(content: string): TextChange {
  return (text) => (newlineOf(text) === '\r\n' ? withNewlines(content, '\r\n') : content)
}

/** These lines and no others: whoever counts them has to say in which text (`ifDigest`). */
export function linesReplacing(change: LinesEdit): TextChange {
  return (text, _parse, name) => replaceLines(name, text, change)
}

export interface InSection {
  /** Heading, or path of headings: the text goes to this section instead of the whole document. */
  readonly section?: string | undefined
  /** Makes the section at the end when it does not exist. */
  readonly createSection?: boolean | undefined
}

/** Adds lines at the end of a document, or of a section. */
export function appending(content: string, where: InSection): TextChange {
  const { section, createSection: create = false } = where
  return (text, parse, name, format) =>
    section === undefined
      ? appendText(text, content, { blocks: format.edits.sections })
      : inSection(name, text, parse, format, { section, content, at: 'end', create })
}

/** Adds lines at the beginning, behind the front matter, or at the beginning of a section. */
export function prepending(content: string, where: InSection): TextChange {
  const { section, createSection: create = false } = where
  return async (text, parse, name, format) =>
    section === undefined
      ? prependText(text, content, (await parse()).bodyStart)
      : inSection(name, text, parse, format, { section, content, at: 'start', create })
}

/** Replaces what stands under a heading; the heading itself and its neighbours stay. */
export function sectionEditing(change: {
  readonly section: string
  readonly content: string
  readonly createSection?: boolean | undefined
}): TextChange {
  const { section, content, createSection: create = false } = change
  const wanted: SectionEdit = { section, content, at: 'whole', create }
  return (text, parse, name, format) => inSection(name, text, parse, format, wanted)
}

async function inSection(
  name: string,
  text: string,
  parse: () => Promise<ParsedDocument>,
  format: Format,
  wanted: SectionEdit,
): Promise<string> {
  requireSections(format, name)
  return replaceSection(name, text, await parse(), wanted)
}

/**
 * Replaces a text wherever it stands. `expected` says how often that is (once, unless said
 * otherwise); any other number is a `conflict`, and nothing is changed.
 */
export function textReplacing(change: {
  readonly find: string
  readonly replace: string
  readonly expected?: number | undefined
}): TextChange {
  return (text, _parse, name) => replaceText(name, text, change)
}

export interface MetadataChange {
  /** Keys to set; others stay as they are. */
  readonly set?: Properties
  readonly remove?: readonly string[]
  /** The whole list of tags; the tags that stay keep their place and spelling. */
  readonly tags?: readonly string[]
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
}

/** Changes keys of the front matter as text: comments, order and quoting stay. */
export function metadataSetting(change: MetadataChange): TextChange {
  return (text, _parse, name, format) => withMetadata(name, text, format, change)
}

export interface DocumentUpdate extends MetadataChange {
  /** The text behind the front matter. */
  readonly body?: string
}

export interface UpdateOptions extends WriteOptions {
  /** Rewrites links in other documents that named the old title; false unless said otherwise. */
  readonly updateLinks?: boolean
}

/** Replaces the body, some metadata, or both, in one operation. The rest of the front matter stays. */
export async function updateDocument(
  kb: View,
  id: string,
  change: DocumentUpdate,
  options: UpdateOptions,
): Promise<WriteResult> {
  if (options.updateLinks) {
    await requireIndex(kb)
    return changeFiles(kb, 'update', options, () => planRelinkedUpdate(kb, id, change))
  }
  const updating: TextChange = async (text, parse, name, format) => {
    const { bodyStart } = await parse()
    return withMetadata(name, withBody(text, bodyStart, change.body), format, change)
  }
  return editDocument(kb, 'update', id, updating, options)
}

/** The text with the metadata changed; unchanged when there is none to change. */
export function withMetadata(
  name: string,
  text: string,
  format: Format,
  { set, remove, tags, addTags, removeTags }: MetadataChange,
): string {
  const change = { set, remove, tags, addTags, removeTags }
  if (Object.values(change).every((each) => each === undefined)) return text
  requireMetadata(format, name)
  return setFrontMatter(name, text, change)
}

async function planRelinkedUpdate(kb: View, id: string, change: DocumentUpdate): Promise<Plan> {
  const { source, path, file } = await locateFile(kb, id)
  requireWritable(kb, { source, path })
  const name = documentId({ source, path })
  const old = decodeEditable(file.bytes, name)
  const format = kb.formatOf(path)
  const { bodyStart } = (await parseInSlices(format, old.text, path)).document
  const text = withMetadata(name, withBody(old.text, bodyStart, change.body), format, change)
  const record = await kb.store.findByPath(source, path)
  if (!record) return { edits: [{ source, path, before: file, after: encodeEditable(text, old) }] }
  const relinking = await planRelinking(kb, { record, path, text })
  const after = encodeEditable(relinking.text, old)
  return { ...relinking, edits: [{ source, path, before: file, after }, ...relinking.edits] }
}

/** The blank lines around a body belong to the file and stay, unless the new body brings its own. */
function withBody(text: string, bodyStart: number, body: string | undefined): string {
  if (body === undefined) return text
  const newline = newlineOf(text)
  const head = text.slice(0, bodyStart)
  const old = text.slice(bodyStart)
  const next = withNewlines(body, newline)
  const open = head !== '' && !head.endsWith('\n') ? newline : ''
  const lead = /^\s/.test(next) ? '' : old.slice(0, afterBlankStart(old))
  const end = next.endsWith('\n') || !text.endsWith('\n') ? '' : newline
  return `${head}${open}${lead}${next}${end}`
}
