import type { Command } from '../../../serve/cli/command.ts'
import { toJson } from '../../../serve/cli/terminal.ts'
import { DIRECTORY, LOG_OPTION, withRouxBase } from './roux-shared.ts'

export const rouxStatus: Command = {
  group: 'surfaces',
  name: 'roux status',
  summary: 'Show how many nodes and edges there are, and how many can be found by meaning.',
  example: 'cairn roux status examples/handbook',
  positionals: [DIRECTORY],
  takesFolders: true,
  options: LOG_OPTION,
  run: (context) =>
    withRouxBase(context, async (base) => {
      const { nodes, edges, embedded } = await base.graph()
      const coverage = nodes.length === 0 ? 100 : (100 * embedded) / nodes.length
      const { terminal } = context
      if (context.json) {
        const facts = { nodes: nodes.length, edges: edges.length, embeddings: embedded, coverage }
        terminal.out(toJson(facts))
        return 0
      }
      terminal.out(
        [
          'Graph Status:',
          `  Nodes: ${nodes.length}`,
          `  Edges: ${edges.length}`,
          `  Embeddings: ${embedded}/${nodes.length}`,
          `  Coverage: ${coverage.toFixed(1)}%`,
          '',
        ].join('\n'),
      )
    }),
}
