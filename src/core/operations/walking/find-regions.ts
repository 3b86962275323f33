/**
 * Regions of the base: communities of its graph, each called after the document that is most its own.
 * They are found once for all links there are, for the map as for the report.
 */
import type { DocNo } from '../../domain/document.ts'
import { communitySteps, NO_COMMUNITY } from '../../graph/communities.ts'
import type { Graph } from '../../graph/graph.ts'
import { pairsInScope } from '../../graph/scope.ts'
import { onePer } from '../../kit/one-per.ts'
import { stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { labelDocuments, type LinkedDocument } from '../reading/label-documents.ts'
import { derived } from '../view/derived.ts'
import type { ScopedLinks, View } from '../view/view.ts'

export interface Regions {
  /** The number of the region that a document is in. */
  readonly of: (doc: DocNo) => number | undefined
  /** Largest first; two or three notes that link to each other are none. */
  readonly all: readonly Region[]
}

export interface Region {
  readonly name: string
  readonly size: number
  /** Links between two of its own, and between one of its own and another region's. */
  readonly inside: number
  readonly outside: number
  /** Most its own first. */
  readonly typical: readonly LinkedDocument[]
  /** Numbers of the regions that it has most links with. */
  readonly near: readonly number[]
}

const SMALLEST = 4
const MOST_REGIONS = 1_000
const TYPICAL = 5
const NEAR = 3

export const regionsOf = onePer((kb: View) =>
  derived<Regions>(kb.base.store, { on: ['graph'], load: () => findRegions(kb) }),
)

async function findRegions(kb: View): Promise<Regions> {
  const { graph, docs, nodeOf, within } = await kb.links()
  const found = await stepsInSlices(regionSteps(graph, within))
  const labels = await labelDocuments(
    kb,
    found.regions.flatMap(({ typical }) => typical.map((node): DocNo => docs[node]!)),
  )
  const all = found.regions.map(({ typical, ...region }) => ({
    ...region,
    typical: typical.flatMap((node) => labels.get(docs[node]!) ?? []),
  }))
  const names = new Set<string>()
  return {
    of(doc) {
      const region = found.of[nodeOf(doc) ?? -1]
      return region === NO_COMMUNITY ? undefined : region
    },
    all: all.map((region) => ({ ...region, name: nameOf(region, names) })),
  }
}

/** What two regions would be called alike is told apart by what comes second. */
function nameOf({ typical }: Pick<Region, 'typical'>, taken: Set<string>): string {
  const [first = '', second] = typical.map(({ title }) => title)
  const name = taken.has(first) && second !== undefined ? `${first}, ${second}` : first
  taken.add(name)
  return name
}

interface Found {
  /** Per node of the graph, or NO_COMMUNITY. */
  readonly of: Uint32Array
  readonly regions: readonly (Omit<Region, 'name' | 'typical'> & {
    readonly typical: readonly number[]
  })[]
}

function* regionSteps(graph: Graph, within: ScopedLinks['within']): Steps<Found> {
  const { of, sizes } = yield* communitySteps(graph, within)
  const small = sizes.findIndex((size) => size < SMALLEST)
  const count = Math.min(small < 0 ? sizes.length : small, MOST_REGIONS)
  const members: number[][] = Array.from({ length: count }, () => [])
  for (const [node, region] of of.entries()) members[region]?.push(node)
  yield
  const alone = { ...within, selfLinks: false }
  const rows = [
    pairsInScope(graph, graph.out, alone),
    pairsInScope(graph, graph.in, alone),
  ] as const
  const regions: Found['regions'][number][] = []
  for (const [region, nodes] of members.entries()) {
    let inside = 0
    const others = new Map<number, number>()
    const own = nodes.map((node) => {
      let among = 0
      let all = 0
      for (const { start, node: ends } of rows) {
        for (let k = start[node]!; k < start[node + 1]!; k++) {
          const other = of[ends[k]!]!
          all++
          if (other === region) among++
          else if (other < count) others.set(other, (others.get(other) ?? 0) + 1)
        }
      }
      inside += among
      // Whoever is linked with everybody is nobody's own.
      return { node, score: (among * among) / Math.max(1, all) }
    })
    regions.push({
      size: nodes.length,
      inside: inside / 2,
      outside: [...others.values()].reduce((sum, each) => sum + each, 0),
      typical: own
        .toSorted((a, b) => b.score - a.score)
        .slice(0, TYPICAL)
        .map(({ node }) => node),
      near: [...others]
        .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, NEAR)
        .map(([other]) => other),
    })
    yield
  }
  return { of: of.map((region) => (region < count ? region : NO_COMMUNITY)), regions }
}
