/** What a server does in small steps, done at once. */
import type { Graph } from '../../src/core/graph/graph.ts'
import { atOnce } from '../../src/core/kit/slices.ts'
import { scanningMarkdown } from '../../src/core/parsing/markdown/scan.ts'
import type { MarkdownScan, ScanOptions } from '../../src/core/parsing/markdown/scan.ts'
import { joinSteps } from '../../src/explorer/layout/join.ts'
import type { KeptPlaces } from '../../src/explorer/layout/join.ts'
import { layoutSteps } from '../../src/explorer/layout/layout.ts'
import type { Places } from '../../src/explorer/layout/layout.ts'

export function scanMarkdown(text: string, options?: ScanOptions): MarkdownScan {
  return atOnce(scanningMarkdown(text, options))
}

export function layoutGraph(graph: Graph): Places {
  return atOnce(layoutSteps(graph))
}

export function joinLayout(graph: Graph, kept: KeptPlaces): Places {
  return atOnce(joinSteps(graph, kept))
}
