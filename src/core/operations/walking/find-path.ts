/** The shortest way from one document to another over links. */
import type { DocNo } from '../../domain/document.ts'
import { shortestPath } from '../../graph/shortest-path.ts'
import { labelNodes, typesBetween } from './get-neighbors.ts'
import type { LinkedDocument } from '../reading/label-documents.ts'
import type { View } from '../view/view.ts'
import { resolveDocument } from '../reading/resolve-document.ts'

export interface PathOptions {
  /** Follow links only in the direction they are written. */
  readonly directed?: boolean
  readonly maxHops?: number
}

export interface PathStep extends LinkedDocument {
  /** How the step before links here: `out` forwards, `in` backwards. Undefined on the first. */
  readonly via: 'out' | 'in' | undefined
  /** What the step is made of; undefined on the first, and where there are only links. */
  readonly types: readonly string[] | undefined
  /** Where the name of one stands in the text of the other: only of mentions. */
  readonly sentence?: string
  readonly line?: number
}

export const DEFAULT_HOPS = 10

/** Undefined when there is no way within `maxHops`. */
export async function findPath(
  kb: View,
  from: string,
  to: string,
  options: PathOptions = {},
): Promise<readonly PathStep[] | undefined> {
  const [start, end] = [await resolveDocument(kb, from), await resolveDocument(kb, to)]
  return pathBetween(kb, start.no, end.no, options)
}

/** The same between two documents that are known already. */
export async function pathBetween(
  kb: View,
  start: DocNo,
  end: DocNo,
  { directed = false, maxHops = DEFAULT_HOPS }: PathOptions,
): Promise<readonly PathStep[] | undefined> {
  const links = await kb.links()
  const { graph, docs, nodeOf, within, order } = links
  const [first, last] = [nodeOf(start), nodeOf(end)]
  if (first === undefined || last === undefined) return undefined
  const path = shortestPath(graph, first, last, { directed, maxHops, order, ...within })
  if (!path) return undefined
  const labelOf = await labelNodes(kb, docs, path)
  const steps: PathStep[] = []
  for (const [index, node] of path.entries()) {
    const before = path[index - 1]
    const via = before === undefined ? undefined : hasLink(graph, before, node) ? 'out' : 'in'
    const types = before === undefined ? undefined : await typesBetween(kb, links, before, node)
    steps.push({ ...labelOf(node), via, types })
  }
  return steps
}

function hasLink(
  graph: { readonly out: { readonly start: Uint32Array; readonly node: Uint32Array } },
  from: number,
  to: number,
): boolean {
  const { start, node } = graph.out
  return node.subarray(start[from], start[from + 1]).includes(to)
}
