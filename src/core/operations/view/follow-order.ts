/**
 * Puts new documents into the order of paths without reading every path again. Where each belongs
 * is found by looking at the paths of a few dozen others, and again between the two nearest: three
 * questions for a hundred thousand documents.
 */
import { comparePlaces } from '../../domain/compare-places.ts'
import type { DocNo, Place } from '../../domain/document.ts'
import type { Store } from '../../store/store.ts'
import { pathOrderOf } from './link-graph.ts'
import type { PathOrder } from './link-graph.ts'

/** More new documents than this are quicker read with all others. */
const MOST_FOLLOWED = 500
/** So many paths are looked at in one question for each new document. */
const PROBES = 64

/** Undefined where nobody knows any more what came and went. */
export async function followPathOrder(
  store: Pick<Store, 'changesSince' | 'paths'>,
  before: PathOrder,
  since: number,
): Promise<PathOrder | undefined> {
  const { unnamed, listChanged, putDocs, goneDocs } = await store.changesSince(since)
  if (unnamed || putDocs.length > MOST_FOLLOWED) return undefined
  const isKnown = (doc: DocNo): boolean => before.rank(doc) < before.docs.length
  const gone = goneDocs.filter(isKnown)
  // A number that is known stands where it stood, unless it was given to another path.
  const fresh = listChanged ? putDocs : putDocs.filter((doc) => !isKnown(doc))
  if (fresh.length + gone.length === 0) return before
  const kept = without(before, new Set([...gone, ...fresh]))
  const places = await store.paths(fresh)
  const added = fresh.map((doc, index) => ({ doc, place: places[index]! }))
  // Who went again meanwhile has no path; whoever asks next is told of it.
  if (added.some(({ place }) => place.path === '')) return undefined
  const inOrder = added.toSorted((a, b) => comparePlaces(a.place, b.place))
  const ranks = await ranksAmong(
    store,
    kept,
    inOrder.map(({ place }) => place),
  )
  return ranks && pathOrderOf(merged(kept, inOrder, ranks))
}

/** Copied in blocks: what leaves is a handful, and what stays may be all of a large base. */
function without({ docs, rank }: PathOrder, leaving: ReadonlySet<DocNo>): Uint32Array {
  const places = [...leaving].map(rank).filter((place) => place < docs.length)
  const kept = new Uint32Array(docs.length - places.length)
  let from = 0
  for (const [gone, place] of places.toSorted((a, b) => a - b).entries()) {
    kept.set(docs.subarray(from, place), from - gone)
    from = place + 1
  }
  kept.set(docs.subarray(from), from - places.length)
  return kept
}

/** How many of `docs` come before each place; undefined where one of them is gone. */
async function ranksAmong(
  store: Pick<Store, 'paths'>,
  docs: Uint32Array,
  places: readonly Place[],
): Promise<readonly number[] | undefined> {
  const open = places.map(() => ({ low: 0, high: docs.length }))
  while (open.some(({ low, high }) => low < high)) {
    const probes = new Set(open.flatMap(({ low, high }) => probesBetween(low, high)))
    const asked = [...probes]
    const found = await store.paths(asked.map((place) => docs[place]!))
    if (found.some(({ path }) => path === '')) return undefined
    const known = new Map(asked.map((place, index) => [place, found[index]!]))
    for (const [index, place] of places.entries()) {
      const range = open[index]!
      for (const probe of probesBetween(range.low, range.high)) {
        if (comparePlaces(known.get(probe)!, place) < 0) range.low = probe + 1
        else range.high = Math.min(range.high, probe)
      }
    }
  }
  return open.map(({ low }) => low)
}

function probesBetween(low: number, high: number): number[] {
  const step = Math.max(1, Math.ceil((high - low) / (PROBES + 1)))
  const probes: number[] = []
  for (let at = low + step - 1; at < high; at += step) probes.push(at)
  return probes
}

function merged(
  kept: Uint32Array,
  added: readonly { readonly doc: DocNo }[],
  ranks: readonly number[],
): Uint32Array {
  const all = new Uint32Array(kept.length + added.length)
  let from = 0
  for (const [index, { doc }] of added.entries()) {
    const rank = ranks[index]!
    all.set(kept.subarray(from, rank), from + index)
    all[rank + index] = doc
    from = rank
  }
  all.set(kept.subarray(from), from + added.length)
  return all
}
