/** The text of a note, or of one section, as whoever wants to change it needs it: exactly as it is. */
import { documentId } from '../../core/domain/document.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { unsupported } from '../../core/domain/error.ts'
import { parseInSlices } from '../../core/domain/format.ts'
import { isMasked } from '../../core/domain/secrets.ts'
import { decodeEditable } from '../../core/editing/text-file.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { refuseToWrite } from '../../core/operations/view/narrow-base.ts'
import type { View } from '../../core/operations/view/view.ts'
import { locateFile } from '../../core/operations/writing/locate-file.ts'
import { redact, unredacted } from '../../core/operations/writing/redact.ts'
import { requireWritable } from '../../core/operations/writing/require-edits.ts'
import type { EditedText, ShownNote } from '../wire/wire.ts'
import { findAgain } from './find-again.ts'

/** More than this is edited in parts: it would be sent, drawn and kept as a draft as a whole. */
const MOST_AT_ONCE = 256 * 1024
/** What is open already may grow: a part in its place would look as if the rest were gone. */
const MOST_AGAIN = 2 * MOST_AT_ONCE

interface WasPart extends Pick<EditedText, 'text' | 'first'> {
  readonly above?: string | undefined
  readonly below?: string | undefined
}

export interface EditRequest {
  /** The section around this line is wanted; the whole note unless there is one. */
  readonly line?: number | undefined
  /** Where one reads: a note that is too long is edited in a part around it. */
  readonly near?: number | undefined
  /** The part that this text was is wanted, as it is now; it began at `first`. */
  readonly was?: WasPart | undefined
  /** All of it was open, and is wanted again however long it is by now. */
  readonly whole?: boolean | undefined
}

export async function readForEdit(
  kb: View,
  id: string,
  request: EditRequest = {},
): Promise<EditedText> {
  const { source, path } = await resolveDocument(kb, id)
  const name = documentId({ source, path })
  refuseToWrite(kb, { source, path })
  requireWritable(kb, { source, path })
  const { file } = await locateFile(kb, name)
  const { text: written } = decodeEditable(file.bytes, name)
  const text = kb.showsSecrets ? unredacted(written).text : redact(written).text
  const lines = text.split('\n')
  const { first, last, heading } = await partOf({ kb, path, text, lines }, request)
  const isWhole = first === 1 && last === lines.length
  const part = isWhole ? text : lines.slice(first - 1, last).join('\n')
  const most = request.was || request.whole ? MOST_AGAIN : MOST_AT_ONCE
  if (part.length > most) throw tooLong(name, request.line ?? request.near ?? first)
  if (isMasked(part)) throw masked(name, !isWhole)
  return {
    id: name,
    text: part,
    digest: file.digest,
    first,
    last,
    lines: lines.length,
    ...(heading !== undefined && { heading }),
    ...nearest('above', lines.slice(Math.max(0, first - 1 - FAR), first - 1).toReversed()),
    ...nearest('below', lines.slice(last, last + FAR)),
  }
}

/** So far one looks for a line that says something, and no longer line than this is one. */
const [FAR, LONGEST] = [20, 500]

function nearest(side: 'above' | 'below', lines: readonly string[]): object {
  const line = lines.find((each) => each.trim() !== '')
  return line === undefined || line.length > LONGEST ? {} : { [side]: withoutCr(line) }
}

interface Edited {
  readonly kb: View
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
}

interface Part {
  readonly first: number
  readonly last: number
  readonly heading?: string
}

async function partOf(
  { kb, path, text, lines }: Edited,
  { line, near = 1, was, whole: isWhole = false }: EditRequest,
): Promise<Part> {
  const whole = { first: 1, last: lines.length }
  if (isWhole) return whole
  if (was) {
    return findAgain(lines.map(withoutCr), was.text.split('\n').map(withoutCr), was.first, was)
  }
  if (line === undefined && text.length <= MOST_AT_ONCE) return whole
  const format = kb.formatOf(path)
  await format.prepare?.(path)
  const { headings } = (await parseInSlices(format, text, path)).document
  const wanted = line ?? near
  const at = headings.findLastIndex((each) => each.line <= wanted)
  const heading = headings[at]
  const below = headings.slice(at + 1)
  const section = heading && {
    first: heading.line,
    last: (below.find(({ level }) => level <= heading.level)?.line ?? lines.length + 1) - 1,
    heading: heading.text,
  }
  if (!section && text.length <= MOST_AT_ONCE) return whole
  if (section && lengthOf(lines, section) <= MOST_AT_ONCE) return section
  // What stands right below the heading, without the sections in it.
  const own = { first: section?.first ?? 1, last: (below[0]?.line ?? lines.length + 1) - 1 }
  return lengthOf(lines, own) <= MOST_AT_ONCE ? own : around(lines, own, wanted)
}

/** An editor has line ends of its own. */
function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function lengthOf(lines: readonly string[], { first, last }: Part): number {
  let length = 0
  for (let line = first; line <= last; line++) length += lines[line - 1]!.length + 1
  return length
}

/** A window around a line, from one blank line to another where there are any. */
function around(lines: readonly string[], { first, last }: Part, wanted: number): Part {
  const middle = Math.min(Math.max(wanted, first), last)
  const grown = (by: -1 | 1, edge: number): number => {
    let length = lines[middle - 1]!.length
    let blank: number | undefined
    let line = middle
    for (; line !== edge; line += by) {
      length += lines[line + by - 1]!.length + 1
      if (length > WINDOW) break
      if (length > WINDOW / 2 && lines[line - 1]!.trim() === '') blank ??= line
    }
    return line === edge ? line : (blank ?? line)
  }
  return { first: grown(-1, first), last: grown(1, last) }
}

/** To either side. */
const WINDOW = 48 * 1024

function tooLong(id: string, line: number) {
  return unsupported(
    `What stands around line ${line} of ${id} is longer than what is edited here at once.`,
    'Edit the file itself.',
  )
}

/** Written back, a mask would take the place of the secret. */
function masked(id: string, isPart: boolean) {
  return unsupported(
    `${isPart ? 'This part of ' : ''}${id} holds a secret that is masked here, so it is not edited as a text.`,
    isPart
      ? 'Edit another section, or the file itself.'
      : 'Edit a section that holds none, or the file itself.',
  )
}

/** Whether it may get another place, by whoever looks at it: files that nobody edits may, too. */
export function movesOf(
  kb: View,
  { source, path }: Pick<DocumentRecord, 'source' | 'path'>,
): boolean | undefined {
  if (!kb.writing || !kb.sources.get(source)?.writer || isEntityPath(path)) return undefined
  return (kb.writes?.({ source, path }) ?? true) || undefined
}

/** What of a note may be changed here, by whoever looks at it. */
export function editsOf(
  kb: View,
  { source, path }: Pick<DocumentRecord, 'source' | 'path'>,
  text: string,
): ShownNote['edits'] {
  const place = kb.sources.get(source)
  if (!kb.writing || !place?.writer || isEntityPath(path) || place.converts?.(path)) {
    return undefined
  }
  if (kb.writes?.({ source, path }) === false) return undefined
  return isMasked(text) ? 'sections' : 'whole'
}
