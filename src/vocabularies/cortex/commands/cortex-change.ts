import { basename } from 'node:path'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import type { Command, ExitCode } from '../../../serve/cli/command.ts'
import { cleanLine, toJson } from '../../../serve/cli/terminal.ts'
import { callTool, printResult, ROOT_OPTION, rootOf, withGraph } from './cortex-shared.ts'

export const cortexConnect: Command = {
  group: 'surfaces',
  name: 'cortex connect',
  summary: 'Record a relation between two entities.',
  example: 'cairn cortex connect rag uses graph-db --root examples/brain',
  positionals: [
    { name: 'SRC', summary: 'Id of the entity it goes from', required: true },
    { name: 'REL', summary: 'What it says, such as uses or depends_on', required: true },
    { name: 'DST', summary: 'Id of the entity it goes to', required: true },
  ],
  options: {
    context: { kind: 'text', placeholder: 'TEXT', summary: 'Why, or where this is from' },
    ...ROOT_OPTION,
  },
  run(context) {
    const [src, rel, dst] = context.args.positionals
    const { context: why } = context.args.options
    const said = ({ relation, created, file }: Record<string, any>): string | undefined =>
      created
        ? `[Factory] Relation '${relation.src} -> ${relation.dst}' committed to ${basename(file)}. (关系已提交)`
        : undefined
    return callTool(context, 'connect_entities', { src, rel, dst, context: why }, said)
  },
}

export const cortexAdd: Command = {
  group: 'surfaces',
  name: 'cortex add',
  summary: 'Add an entity.',
  example:
    'cairn cortex add people --id ada --type person --name Ada --desc "Wrote the first program" --root examples/brain',
  positionals: [
    {
      name: 'CATEGORY',
      summary: 'The file it goes to: concepts, tech_stack, people, projects or another',
      required: true,
    },
  ],
  options: {
    id: { kind: 'text', placeholder: 'ID', summary: 'What nothing else is called' },
    type: { kind: 'text', placeholder: 'TYPE', summary: 'What it is, such as concept' },
    name: { kind: 'text', placeholder: 'NAME', summary: 'Name for people to read' },
    desc: { kind: 'text', placeholder: 'TEXT', summary: 'Short description' },
    tags: { kind: 'text', placeholder: 'A,B', summary: 'Tags, with commas between them' },
    ...ROOT_OPTION,
  },
  run(context) {
    const [category] = context.args.positionals
    const { id, type, name, desc, tags } = context.args.options
    const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
    const draft = {
      category: category!,
      id: textOf(id),
      type: textOf(type),
      name: textOf(name),
      desc: textOf(desc),
      tags: textOf(tags).split(','),
    }
    const work = async (graph: EntityGraph): Promise<ExitCode> => {
      const { addByHand } = await import('../start/start-cortex.ts')
      const said = ({ file }: Record<string, any>): string =>
        `[Factory] Entity '${draft.id}' committed to ${basename(file)}. (实体已提交)`
      return printResult(context, await addByHand(graph, draft), said)
    }
    return withGraph(context, work, { readOnly: false })
  },
}

export const cortexClean: Command = {
  group: 'surfaces',
  name: 'cortex clean',
  summary: 'Remove the index and the lock that Cairn keeps beside a graph, never its data.',
  example: 'cairn cortex clean --root examples/brain',
  positionals: [],
  options: ROOT_OPTION,
  async run(context) {
    const { terminal, json } = context
    const root = rootOf(context)
    const { cleanGraph } = await import('../start/clean-graph.ts')
    const work = async (): Promise<ExitCode> => {
      const removed = await cleanGraph(root)
      terminal.out(
        json
          ? toJson({ removed })
          : [
              `[Nexus] Cleaning cache in ${cleanLine(root)}...`,
              ...removed.map((file) => `  - Removed: ${cleanLine(file)}`),
              '[Nexus] Cache clean complete. (缓存清理完成)',
              '',
            ].join('\n'),
      )
      return 0
    }
    // Opened first, so that a folder that is not there is refused as everywhere.
    return withGraph(context, work)
  },
}
