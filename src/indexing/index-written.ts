/**
 * Puts documents that were just written into the index, by whichever process wrote them, so that
 * its next call sees them without waiting for the process that watches.
 */
import type { DocNo } from '../domain/document.ts'
import type { Format } from '../domain/format.ts'
import { SegmentBuilder } from '../search/segment/segment-builder.ts'
import type { NewDocument, Store } from '../store/store.ts'
import { describeDocument } from './describe-document.ts'
import type { DescribeOptions, TextFile } from './describe-document.ts'
import { indexable } from './indexable.ts'
import { resolveLink } from './resolve-link.ts'

export interface WrittenFiles extends DescribeOptions {
  /** Files as they are now. */
  readonly put: readonly {
    readonly source: string
    readonly file: TextFile
    readonly holdsCode?: boolean
  }[]
  readonly removed: readonly { readonly source: string; readonly path: string }[]
}

export async function indexWritten(
  store: Store,
  formatOf: (path: string) => Format,
  { put, removed, joined }: WrittenFiles,
): Promise<void> {
  const numbers: (DocNo | undefined)[] = []
  for (const { source, file } of put) {
    numbers.push((await store.findByPath(source, file.path))?.no)
  }
  const missing = numbers.filter((no) => no === undefined).length
  let next = missing > 0 ? await store.reserveNumbers(missing) : 0
  const builder = new SegmentBuilder()
  const documents: NewDocument[] = []
  for (const [index, { source, file, holdsCode }] of put.entries()) {
    const format = formatOf(file.path)
    await format.prepare?.(file.path)
    const parsed = format.parse(file.text, file.path)
    const no = numbers[index] ?? next++
    const document = describeDocument(no, source, file, format.name, parsed, { joined, holdsCode })
    builder.add(indexable(document, file.text, parsed.document))
    documents.push(document)
  }
  const remove: DocNo[] = []
  for (const { source, path } of removed) {
    const known = await store.findByPath(source, path)
    if (known) remove.push(known.no)
  }
  if (documents.length + remove.length === 0) return
  const segment =
    documents.length > 0 ? { docs: documents.map(({ no }) => no), ...builder.finish() } : undefined
  await store.commit({ put: documents, remove, segment }, resolveLink)
}
