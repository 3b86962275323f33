/**
 * Puts documents that were just written into the index, by whichever process wrote them, so that
 * its next call sees them without waiting for the process that watches.
 */
import type { ContentWrite } from '../domain/contents.ts'
import type { DocNo } from '../domain/document.ts'
import { documentId } from '../domain/document.ts'
import type { Format } from '../domain/format.ts'
import { SegmentBuilder } from '../search/segment/segment-builder.ts'
import type { NewDocument, Store } from '../store/store.ts'
import { describeDocument } from './describe-document.ts'
import type { DescribeOptions } from './describe-document.ts'
import { indexable } from './indexable.ts'
import { redactFile } from './redact-file.ts'
import type { TextFile } from './redact-file.ts'
import { resolveLink } from './resolve-link.ts'

export interface WrittenFiles extends DescribeOptions {
  /** Files as they are now. */
  readonly put: readonly {
    readonly source: string
    readonly file: TextFile
    readonly holdsCode?: boolean
  }[]
  readonly removed: readonly { readonly source: string; readonly path: string }[]
  /** What is written in the same step; see `Batch`. */
  readonly writes?: readonly ContentWrite[]
  readonly patienceMs?: number | undefined
}

export async function indexWritten(
  store: Store,
  formatOf: (path: string) => Format,
  { put, removed, joined, writes = [], patienceMs }: WrittenFiles,
): Promise<void> {
  const known = await numbersOf(store, [
    ...put.map(({ source, file: { path } }) => ({ source, path })),
    ...removed,
  ])
  const numbers = known.slice(0, put.length)
  const missing = numbers.filter((no) => no === undefined).length
  let next = missing > 0 ? await store.reserveNumbers(missing, patienceMs) : 0
  const builder = new SegmentBuilder()
  const documents: NewDocument[] = []
  for (const [index, { source, file: written, holdsCode }] of put.entries()) {
    const file = redactFile(written)
    const format = formatOf(file.path)
    await format.prepare?.(file.path)
    const parsed = format.parse(file.text, file.path)
    const no = numbers[index] ?? next++
    const document = describeDocument(no, source, file, format.name, parsed, { joined, holdsCode })
    builder.add(indexable(document, file.text, parsed.document))
    documents.push(document)
  }
  const remove = known.slice(put.length).filter((no) => no !== undefined)
  if (documents.length + remove.length + writes.length === 0) return
  const segment =
    documents.length > 0 ? { docs: documents.map(({ no }) => no), ...builder.finish() } : undefined
  await store.commit(
    { put: documents, remove, segment, patienceMs, ...(writes.length > 0 && { writes }) },
    resolveLink,
  )
}

/** Few are looked up one by one, which is quicker; many of a source in one question. */
const FEW = 2

async function numbersOf(
  store: Store,
  places: readonly { readonly source: string; readonly path: string }[],
): Promise<(DocNo | undefined)[]> {
  if (places.length <= FEW) {
    const numbers: (DocNo | undefined)[] = []
    for (const { source, path } of places) numbers.push((await store.findByPath(source, path))?.no)
    return numbers
  }
  const found = new Map<string, DocNo>()
  for (const [source, some] of Map.groupBy(places, (place) => place.source)) {
    const under = some.map(({ path }) => path)
    for (const { path, doc } of await store.files(source, under)) {
      if (doc !== undefined) found.set(documentId({ source, path }), doc)
    }
  }
  return places.map((place) => found.get(documentId(place)))
}
