/** Which documents bear this name? */
import type { DocNo } from '../domain/document.ts'
import type { RankedSegment } from './live-segment.ts'
import { NAME_KINDS } from './names.ts'
import type { NameKind } from './names.ts'
import { fieldNumber } from './segment/format.ts'
import { eachDocument } from './segment/term-list.ts'
import { NAME_PLACES } from './segment/segment-builder.ts'
import type { TermLookup } from './term-lookup.ts'

/** Documents under one of the names, each with its strongest kind. */
export function findNamed(
  segments: readonly RankedSegment[],
  lookup: TermLookup,
  names: readonly string[],
  accepts: (doc: DocNo, kind: NameKind) => boolean,
): ReadonlyMap<DocNo, NameKind> {
  const named = new Map<DocNo, NameKind>()
  for (const name of names) {
    const lists = lookup.listsOf(name) ?? []
    for (const [s, { live }] of segments.entries()) {
      const list = lists[s]
      if (list === undefined) continue
      const { numbers } = live.segment.documents
      eachDocument(list, (ordinal, frequencies, at) => {
        const doc = numbers[ordinal] as DocNo
        const kind = kindOf(frequencies, at)
        if (live.isDeleted?.[ordinal] === 1 || !accepts(doc, kind)) return
        const known = named.get(doc)
        if (known === undefined || strength(known) < strength(kind)) named.set(doc, kind)
      })
    }
  }
  return named
}

export function strength(kind: NameKind): number {
  return NAME_KINDS.indexOf(kind)
}

/** From the weakest; how often a name counts in which field tells its kind. */
const PLACES = NAME_KINDS.map((kind) => {
  const { field, times } = NAME_PLACES[kind]
  return { kind, field: fieldNumber(field), times }
})

function kindOf(frequencies: Uint32Array, at: number): NameKind {
  for (let i = PLACES.length - 1; i > 0; i--) {
    const { kind, field, times } = PLACES[i]!
    if (frequencies[at + field]! >= times) return kind
  }
  return NAME_KINDS[0]
}
