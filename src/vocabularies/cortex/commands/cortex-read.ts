import { basename } from 'node:path'
import type { Command } from '../../../serve/cli/command.ts'
import { clean, cleanLine, toJson } from '../../../serve/cli/terminal.ts'
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
      const { describeBroken, createEntropyReport } =
        await import('../../../core/operations/entities/report-entropy.ts')
      const report = createEntropyReport(graph)()
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
            '',
            '🧠 CORTEX STATUS REPORT (大脑状态报告)',
            '========================',
            `Entities (实体):    ${report.entityCount}`,
            `Relations (关系):   ${report.relationCount}`,
            `Density (密度):     ${report.density.toFixed(4)}`,
            `Orphans (孤岛):     ${report.orphans.length}`,
            `Stale (陈旧):       ${report.stale.length}`,
            ...(broken.length > 0
              ? ['', `[!] BROKEN LINKS DETECTED (检测到断链): ${broken.length}`]
              : []),
            ...broken.map((sentence) => `  - ${cleanLine(sentence)}`),
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
      const { openEntitySearch } = await import('../operations/search-entities.ts')
      const { entityObject } = await import('../../../core/domain/stored-entity.ts')
      const { terminal, args } = context
      const query = args.positionals.join(' ')
      const found = openEntitySearch(graph).search(query)
      if (context.json) {
        const results = found.map(({ entity, score }) => ({ ...entityObject(entity), score }))
        terminal.out(toJson({ results }))
        return 0
      }
      terminal.out(`\n🔎 Search Results for '${cleanLine(query)}' (搜索结果):\n`)
      for (const { entity } of found) {
        const desc = [...cleanLine(entity.desc)].slice(0, SHOWN).join('')
        terminal.out(`  - [${cleanLine(entity.id)}] ${cleanLine(entity.name)}: ${desc}...\n`)
      }
      if (found.length === 0) terminal.err('Nothing found.\n')
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
      const { drawEntities } = await import('../operations/draw-entities.ts')
      const chart = clean(drawEntities(graph))
      context.terminal.out(context.json ? toJson({ mermaid: chart }) : chart)
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
      const { evolveGraph } = await import('../start/evolve-graph.ts')
      const { file, archived, targets, report } = evolveGraph(graph)
      const { terminal } = context
      if (context.json) return terminal.out(toJson({ file, archived, targets }))
      const ids = targets.map(({ id, why }) => `${cleanLine(id)} (${why})`)
      const { density, orphans, stale } = report
      terminal.out(
        [
          '[Evolution] Starting Cognitive Cycle... (开始认知循环)',
          `[Entropy] Density (密度): ${density.toFixed(4)} | Orphans (孤岛): ${orphans.length} | Stale (陈旧): ${stale.length}`,
          ...(archived === undefined
            ? []
            : [`[Evolution] Archived previous mission to ${basename(archived)} (任务已归档)`]),
          ids.length > 0
            ? `[Evolution] Generating mission for targets: ${ids.join(', ')} (生成任务)`
            : '[Evolution] System stable. No high-priority targets. (系统稳定，无高优先级目标)',
          `[Evolution] ${ids.length > 0 ? 'Mission' : 'Maintenance'} Brief written to ${file}`,
          '',
        ].join('\n'),
      )
    }),
}
