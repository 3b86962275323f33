/** A text that is being written, as it will look: rendered like a note, its links resolved from where it stands. */
import type { DocumentRecord, LinkRecord } from '../../core/domain/document.ts'
import { parseInSlices } from '../../core/domain/format.ts'
import { withoutSecrets } from '../../core/domain/secrets.ts'
import { isFoundLink } from '../../core/domain/text.ts'
import type { Link } from '../../core/domain/text.ts'
import { linkKey } from '../../core/indexing/link-names.ts'
import { resolveLink } from '../../core/indexing/resolve-link.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { NamedDocument } from '../../core/store/store.ts'
import { renderText } from './show-note.ts'

/** More links than anybody sees in a window of a text. */
const MOST_LINKS = 500

export interface PreviewRequest {
  /** A window of the text, and the line it begins at. */
  readonly text: string
  readonly line: number
  /** As for a note that is read. */
  readonly breaks?: boolean | undefined
}

export async function previewText(
  kb: View,
  id: string,
  { text, line, breaks }: PreviewRequest,
): Promise<{ readonly html: string }> {
  const record = await resolveDocument(kb, id)
  const shown = kb.showsSecrets ? text : withoutSecrets(text)
  const format = kb.formatOf(record.path)
  await format.prepare?.(record.path)
  const { links } = (await parseInSlices(format, shown, record.path)).document
  const resolved = await resolveLinks(kb, record, links.slice(0, MOST_LINKS))
  return { html: await renderText(kb, record, shown, line, resolved, breaks) }
}

/** Where links lead that nobody has indexed yet. */
export async function resolveLinks(
  kb: View,
  record: DocumentRecord,
  links: readonly Link[],
): Promise<readonly LinkRecord[]> {
  const keyed = links.flatMap((link) => {
    const key = isFoundLink(link.kind) || link.kind === 'url' ? undefined : linkKey(link)
    return key === undefined ? [] : [{ link, key }]
  })
  const found = new Map<string, readonly NamedDocument[]>()
  for (const { key } of keyed) if (!found.has(key)) found.set(key, await kb.store.named([key]))
  return keyed.map(({ link, key }) => {
    const { kind, target, fragment, label, line } = link
    const to = resolveLink(link, record, found.get(key) ?? [])
    return { from: record.no, kind, target, fragment, label, line, to }
  })
}
