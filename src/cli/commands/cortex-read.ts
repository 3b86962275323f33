import type { Command } from '../command.ts'
import { clean, cleanLine, toJson } from '../terminal.ts'
import { ROOT_OPTION, withGraph } from './cortex-shared.ts'

export const cortexStatus: Command = {
  group: 'surfaces',
  name: 'cortex status',
  summary: 'Count entities and relations, and what is lonely, stale or broken among them.',
  example: 'cairn cortex status --root examples/brain',
  positionals: [],
  options: ROOT_OPTION,
  run: (context) =>
    withGraph(context, async (graph) => {
      const { describeBroken, openEntropyReport } =
        await import('../../operations/entities/report-entropy.ts')
      const report = openEntropyReport(graph)()
      const broken = report.broken.map(describeBroken)
      const { terminal } = context
      if (context.json) {
        const { entityCount, relationCount, orphans, stale, density } = report
        terminal.out(
          toJson({
            entities: entityCount,
            relations: relationCount,
            orphans,
            stale,
            density,
            broken,
          }),
        )
      } else {
        terminal.out(
          [
            `Entities: ${report.entityCount}`,
            `Relations: ${report.relationCount}`,
            `Orphans: ${report.orphans.length}`,
            `Stale: ${report.stale.length}`,
            `Density: ${report.density.toFixed(4)}`,
            ...broken.map((sentence) => cleanLine(sentence)),
            '',
          ].join('\n'),
        )
      }
      return broken.length > 0 ? 1 : 0
    }),
}

/** As much of a description as a list shows. */
const SHOWN = 50

export const cortexSearch: Command = {
  group: 'surfaces',
  name: 'cortex search',
  summary: 'Find entities by id, name, description or tag.',
  example: 'cairn cortex search retrieval --root examples/brain',
  positionals: [
    { name: 'QUERY', summary: 'Words to look for, or an id', required: true, many: true },
  ],
  options: ROOT_OPTION,
  run: (context) =>
    withGraph(context, async (graph) => {
      const { openEntitySearch } = await import('../../operations/entities/search-entities.ts')
      const { entityObject } = await import('../../operations/entities/read-graph.ts')
      const { terminal, args } = context
      const found = openEntitySearch(graph).search(args.positionals.join(' '))
      if (context.json) {
        const results = found.map(({ entity, score }) => ({ ...entityObject(entity), score }))
        terminal.out(toJson({ results }))
        return 0
      }
      for (const { entity } of found) {
        const desc = [...cleanLine(entity.desc)].slice(0, SHOWN).join('')
        terminal.out(`  - [${cleanLine(entity.id)}] ${cleanLine(entity.name)}: ${desc}...\n`)
      }
      if (found.length === 0) terminal.err('Nothing found.\n')
      return 0
    }),
}

export const cortexVisualize: Command = {
  group: 'surfaces',
  name: 'cortex visualize',
  summary: 'Print the graph as a Mermaid flowchart.',
  example: 'cairn cortex visualize --root examples/brain',
  positionals: [],
  options: ROOT_OPTION,
  run: (context) =>
    withGraph(context, async (graph) => {
      const { drawEntities } = await import('../../operations/entities/draw-entities.ts')
      const chart = clean(drawEntities(graph))
      context.terminal.out(context.json ? toJson({ mermaid: chart }) : chart)
      return 0
    }),
}

export const cortexEvolve: Command = {
  group: 'surfaces',
  name: 'cortex evolve',
  summary: 'Write a brief of what to mend next to memories/MISSION_ACTIVE.md.',
  example: 'cairn cortex evolve --root examples/brain',
  positionals: [],
  options: ROOT_OPTION,
  run: (context) =>
    withGraph(context, async (graph) => {
      const { evolveGraph } = await import('../../app/evolve-graph.ts')
      const { file, archived, targets } = evolveGraph(graph)
      const { terminal } = context
      if (context.json) {
        terminal.out(toJson({ file, archived, targets }))
        return 0
      }
      const ids = targets.map(({ id, why }) => `${cleanLine(id)} (${why})`)
      terminal.out(
        [
          ...(archived === undefined ? [] : [`Archived: ${archived}`]),
          `Mission: ${file}`,
          `Targets: ${ids.length > 0 ? ids.join(', ') : 'none, explore'}`,
          '',
        ].join('\n'),
      )
      return 0
    }),
}
