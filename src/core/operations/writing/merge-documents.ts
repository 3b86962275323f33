/**
 * Merge with redirect: two notes about one thing become one. What the first says, is called and
 * relates to goes into the second, links to it lead there, and it is gone: one operation, and undone
 * as one. docs/decisions/0109-two-that-are-one.md says what goes where.
 */
import { documentId } from '../../domain/document.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { invalid, unsupported } from '../../domain/error.ts'
import { parseInSlices } from '../../domain/format.ts'
import type { ParsedDocument, Properties, PropertyValue } from '../../domain/text.ts'
import type { Warning } from '../../domain/warning.ts'
import { renameBlocks } from '../../editing/rename-blocks.ts'
import { decodeEditable, encodeEditable, newlineOf } from '../../editing/text-file.ts'
import { nameKey } from '../../indexing/link-names.ts'
import { lastSegment, withoutNoteExtension } from '../../kit/paths.ts'
import { requireIndex } from '../view/await-index.ts'
import type { View } from '../view/view.ts'
import { changeFiles, checkDigest } from './change-files.ts'
import type { Plan, WriteOptions, WriteResult } from './change-files.ts'
import { withMetadata } from './edit-document.ts'
import { locateFile } from './locate-file.ts'
import type { LocatedFile } from './locate-file.ts'
import { planRelinkingTogether } from './plan-relinking.ts'
import { requireMetadata, requireSections, requireWritable } from './require-edits.ts'

/** `ifDigest` is of the note that goes. The result is about the one that stays. */
export async function mergeDocuments(
  kb: View,
  id: string,
  into: string,
  { ifDigest, ...options }: WriteOptions,
): Promise<WriteResult> {
  await requireIndex(kb)
  return changeFiles(kb, 'update', options, async () => {
    const [goes, stays] = [await openSide(kb, id), await openSide(kb, into)]
    if (ifDigest !== undefined) checkDigest(goes.name, goes.file.digest, ifDigest)
    return planMerge(kb, goes, stays)
  })
}

interface Side extends LocatedFile {
  readonly name: string
  readonly old: ReturnType<typeof decodeEditable>
  readonly record: DocumentRecord
}

async function openSide(kb: View, id: string): Promise<Side> {
  const located = await locateFile(kb, id)
  const { source, path, file } = located
  const name = documentId(located)
  requireWritable(kb, located)
  requireMetadata(kb.formatOf(path), name)
  requireSections(kb.formatOf(path), name)
  const record = await kb.store.findByPath(source, path)
  if (record) return { ...located, name, record, old: decodeEditable(file.bytes, name) }
  throw unsupported(`${name} is not indexed yet.`, 'Try again in a moment.')
}

async function planMerge(kb: View, goes: Side, stays: Side): Promise<Plan> {
  if (goes.name === stays.name) {
    throw invalid(`${goes.name} cannot be merged into itself.`, 'Name the note that stays in to.')
  }
  if (goes.source !== stays.source) {
    throw unsupported(
      `${goes.name} cannot be merged into ${stays.name}: they are of two sources.`,
      'Append its text there, and delete this one.',
    )
  }
  const { path, name } = stays
  const format = kb.formatOf(path)
  const parse = async (text: string): Promise<ParsedDocument> =>
    (await parseInSlices(format, text, path)).document
  const named = withMetadata(name, stays.old.text, format, namesOf(goes.record, stays.record))
  const linked = (await kb.store.linksTo(goes.record.no)).map(({ fragment = '' }) => fragment)
  const blocks = renameBlocks(goes.old.text, stays.old.text, new Set(linked))
  const { texts, edits, ...links } = await planRelinkingTogether(kb, [
    { record: stays.record, path, text: named },
    {
      record: goes.record,
      path,
      text: blocks.text,
      into: stays.record,
      headings: { renamed: [], follow: (fragment) => blocks.names.get(fragment) ?? fragment },
    },
  ])
  const [kept, added] = texts as [string, string]
  const [from, into] = [await parse(added), await parse(kept)]
  const { set, unlike } = joined(from.properties, into.properties)
  const text = withMetadata(name, kept, format, Object.keys(set).length > 0 ? { set } : {})
  checkLabels(goes.name, name, added, kept)
  const part = partOf(added, from, goes.record)
  const whole = withPart(text, part)
  const { headings } = await parse(whole)
  if (part !== '' && !headings.some(({ text: heading }) => heading === headingOf(part))) {
    throw invalid(
      `${name} ends within a block of code or a comment, and what is added would be part of it.`,
      `Close it in ${name} first.`,
    )
  }
  const after = encodeEditable(whole, stays.old)
  return {
    ...links,
    edits: [
      { source: stays.source, path, before: stays.file, after },
      { source: goes.source, path: goes.path, before: goes.file, after: undefined },
      ...edits,
    ],
    warnings: [
      ...(unlike.length > 0 ? [unlikeWarning(name, unlike)] : []),
      ...sameSections(goes, name, from, into),
      ...sameBlocks(goes.name, name, blocks.names),
    ],
  }
}

/** What the one is called the other is called as well. */
function namesOf(goes: DocumentRecord, stays: DocumentRecord) {
  const stem = ({ path }: DocumentRecord): string => withoutNoteExtension(lastSegment(path))
  const known = new Set([stays.title, stem(stays), ...stays.aliases].map(nameKey))
  const names: string[] = []
  for (const each of [goes.title, ...goes.aliases, stem(goes)]) {
    if (nameKey(each) === '' || known.has(nameKey(each))) continue
    known.add(nameKey(each))
    names.push(each)
  }
  const aliases = [...stays.aliases, ...names]
  return {
    ...(names.length > 0 && { set: { aliases } }),
    ...(goes.tags.length > 0 && { addTags: goes.tags }),
  }
}

/** Each note has its own of these. */
const OWN =
  /^(?:title|alias|aliases|tags?|id|uid|slug|permalink|url|created|created_at|date|date created|updated|modified|lastmod|updated_at|publishdate|timestamp|status|superseded_by|valid_from|valid_until|valid_to|expires|expirydate|review|review_by|review_date|review_on|next_review)$/i

/** Lists are joined, what is missing is added, and what differs stays as it is. */
function joined(
  from: Properties,
  into: Properties,
): { readonly set: Properties; readonly unlike: readonly string[] } {
  const set: Record<string, PropertyValue> = {}
  const unlike: string[] = []
  for (const [key, value] of Object.entries(from)) {
    const there = into[key]
    if (OWN.test(key)) continue
    if (there === undefined || there === null || there === '') set[key] = value
    else if (Array.isArray(there) || Array.isArray(value)) {
      const all = [there, value].flat() as PropertyValue[]
      const known = new Set<string>()
      const each = all.filter((one) => {
        const text = JSON.stringify(one)
        const isNew = !known.has(text)
        known.add(text)
        return isNew
      })
      if (JSON.stringify(each) !== JSON.stringify(there)) set[key] = each as PropertyValue
    } else if (JSON.stringify(there) !== JSON.stringify(value)) unlike.push(key)
  }
  return { set, unlike }
}

function unlikeWarning(name: string, keys: readonly string[]): Warning {
  const which = keys.slice(0, 20).join(', ')
  return {
    kind: 'front_matter',
    message: `${name} keeps its own ${which}; the other note had another value.`,
  }
}

/** Under a heading with its title; a first heading that says the same becomes that. */
function partOf(text: string, { bodyStart }: ParsedDocument, { title }: DocumentRecord): string {
  const body = text.slice(bodyStart).trim()
  const [first = '', atx, setext] = /^(?:# ([^\n]*)|([^\n]+)\n=+[ \t]*(?=\n|$))/.exec(body) ?? []
  const isTitle = nameKey((atx ?? setext ?? '').trim()) === nameKey(title)
  const rest = isTitle ? body.slice(first.length).trim() : body
  return rest === '' ? '' : `## ${title}\n\n${rest}`
}

function headingOf(part: string): string {
  return part.slice(3, part.indexOf('\n')).trim()
}

const LABEL = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*([^\n]*)/gm

/** Of two definitions of one label the first counts, and links of the other would lead there. */
function checkLabels(goes: string, stays: string, added: string, kept: string): void {
  const labels = (text: string) =>
    new Map(Array.from(text.matchAll(LABEL), ([, label, what]) => [nameKey(label!), what!.trim()]))
  const there = labels(kept)
  const twice = [...labels(added)].flatMap(([label, what]) =>
    there.has(label) && there.get(label) !== what ? [`[${label}]`] : [],
  )
  if (twice.length === 0) return
  throw invalid(
    `${goes} and ${stays} both define ${twice.slice(0, 10).join(', ')}, and not as the same.`,
    'Give them other labels in one of the notes first.',
  )
}

/** Links to a section find the first one of that name, which is not the one they meant. */
function sameSections(
  { name, record }: Side,
  stays: string,
  from: ParsedDocument,
  into: ParsedDocument,
): readonly Warning[] {
  const there = new Set(into.headings.map(({ text }) => nameKey(text)))
  const same = from.headings.filter(
    ({ text }) => there.has(nameKey(text)) && nameKey(text) !== nameKey(record.title),
  )
  if (same.length === 0) return []
  const which = same
    .slice(0, 10)
    .map(({ text }) => text)
    .join(', ')
  return [
    {
      kind: 'ambiguous_link',
      message: `Links to these sections of ${name} lead to those of ${stays} now, which bear the same names: ${which}.`,
    },
  ]
}

function sameBlocks(
  goes: string,
  stays: string,
  names: ReadonlyMap<string, string>,
): readonly Warning[] {
  if (names.size === 0) return []
  const which = Array.from(names, ([from, to]) => `${from} is ${to}`)
  const message = `Blocks of ${goes} have names that ${stays} has too, and get others: ${which.slice(0, 10).join(', ')}.`
  return [{ kind: 'ambiguous_link', message }]
}

function withPart(text: string, part: string): string {
  if (part === '') return text
  const newline = newlineOf(text)
  const lines = part.replaceAll(/\r?\n/g, newline)
  return `${text.trimEnd()}${newline}${newline}${lines}${newline}`
}
