/** What an entity or a note is related to, in both directions. */
import { documentId } from '../../domain/document.ts'
import type { DocumentRecord, LinkRecord } from '../../domain/document.ts'
import { entityIdOf } from '../../domain/entity-document.ts'
import { isRelation } from '../../domain/text.ts'
import type { View } from '../view/view.ts'

export interface RelatedDocument {
  readonly rel: string
  /** The other end; as it is written where nothing has that name. */
  readonly id: string
  /** Undefined where nothing has that name. */
  readonly title: string | undefined
  readonly context: string | undefined
}

export interface Relations {
  /** In the order of the files. */
  readonly outgoing: readonly RelatedDocument[]
  readonly incoming: readonly RelatedDocument[]
}

export async function listRelations(kb: View, record: DocumentRecord): Promise<Relations> {
  const outgoing = (await kb.store.linksFrom(record.no)).filter(says)
  const incoming = (await kb.store.linksTo(record.no)).filter(says)
  const ends = await kb.store.documents(outgoing.map(({ to }) => to ?? -1))
  const starts = await kb.store.documents(incoming.map(({ from }) => from))
  return {
    outgoing: outgoing.map((link, index) => related(kb, link, record, ends[index])),
    incoming: incoming.flatMap((link, index) => {
      const start = starts[index]
      return start ? [related(kb, link, start, start)] : []
    }),
  }
}

function says({ kind }: LinkRecord): boolean {
  return isRelation(kind)
}

function related(
  { sources }: View,
  { label = '', target }: LinkRecord,
  holder: DocumentRecord,
  other: DocumentRecord | undefined,
): RelatedDocument {
  const graph = sources.get(holder.source)?.graph?.()
  const relation = graph?.findRelation(entityIdOf(holder.path), label, target)
  return {
    rel: label,
    id: other ? documentId(other) : target,
    title: other?.title,
    context: relation?.context || undefined,
  }
}
