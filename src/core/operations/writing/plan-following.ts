/** An edit of one document, and of the links to headings that it gave another name. */
import { documentId } from '../../domain/document.ts'
import { parseInSlices } from '../../domain/format.ts'
import type { Format } from '../../domain/format.ts'
import { stepsInSlices } from '../../kit/slices.ts'
import type { ParsedDocument } from '../../domain/text.ts'
import { followHeadings } from '../../editing/follow-headings.ts'
import { decodeEditable, encodeEditable } from '../../editing/text-file.ts'
import { isBehind, requireIndex } from '../view/await-index.ts'
import type { View } from '../view/view.ts'
import type { Plan, WriteOptions } from './change-files.ts'
import { locateFile } from './locate-file.ts'
import { requireWritable } from './require-edits.ts'
import { planRelinking } from './plan-relinking.ts'
import { redact, unredacted } from './redact.ts'

export interface FollowOptions extends WriteOptions {
  /**
   * What becomes of links to a heading that has another name afterwards: `follow` takes them along
   * in the same operation, `report` only says which they are. Left alone unless said otherwise.
   */
  readonly links?: 'follow' | 'report'
}

/** `parse` is for an edit that goes by the structure of the text: most do not. */
export type TextChange = (
  text: string,
  parse: () => Promise<ParsedDocument>,
  name: string,
  format: Format,
) => string | Promise<string>

/** The files before and after an edit; byte order mark and encoding are kept. */
export async function planFollowing(
  kb: View,
  id: string,
  { links }: Pick<FollowOptions, 'links'>,
  change: TextChange,
  /** What an edit before this one made of the file; what is in it unless said. */
  given?: Uint8Array,
): Promise<Plan> {
  const { source, path, file } = await locateFile(kb, id)
  // Nearly all are notes, which nobody has to ask about.
  if (!path.endsWith('.md')) requireWritable(kb, { source, path })
  const name = documentId({ source, path })
  const old = decodeEditable(given ?? file.bytes, name)
  const format = kb.formatOf(path)
  const shown = kb.showsSecrets ? unredacted(old.text) : redact(old.text)
  let parsed: Promise<ParsedDocument> | undefined
  const parse = () => (parsed ??= documentIn(format, shown.text, path))
  const edited = await change(shown.text, parse, name, format)
  const text = shown.putBack(edited, name)
  const edit = { source, path, before: file, after: encodeEditable(text, old) }
  if (!links || !format.edits.sections || text === old.text) return { edits: [edit] }
  const document = await parse()
  const after = await documentIn(format, edited, path)
  const headings = await stepsInSlices(
    followHeadings(
      { text: shown.text, headings: document.headings },
      { text: edited, headings: after.headings },
    ),
  )
  const record = headings && (await kb.store.findByPath(source, path))
  if (!record) return { edits: [edit] }
  const { renamed: renamedHeadings } = headings
  // Where nothing was renamed, a title or heading is gone, and nobody knows what is meant instead.
  const reportOnly = links === 'report' || renamedHeadings.length === 0
  const relinking = await planRelinking(kb, { record, path, text, headings, reportOnly })
  const own = { ...edit, after: encodeEditable(relinking.text, old) }
  return { ...relinking, renamedHeadings, edits: [own, ...relinking.edits] }
}

async function documentIn(format: Format, text: string, path: string): Promise<ParsedDocument> {
  return (await parseInSlices(format, text, path)).document
}

/** Links can only be followed when all are known. Asked before the lock, so that nobody waits for it. */
export async function readyToFollow(
  kb: View,
  { links }: Pick<FollowOptions, 'links'>,
  plan: (kb: View) => Promise<Plan>,
): Promise<void> {
  if (links !== 'follow' || !isBehind(kb)) return
  const { renamedHeadings = [] } = await plan(kb)
  if (renamedHeadings.length > 0) await requireIndex(kb)
}
