import type { Command } from '../command.ts'
import { callTool, ROOT_OPTION } from './cortex-shared.ts'

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
    return callTool(context, 'connect_entities', { src, rel, dst, context: why })
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
      summary: 'One of concepts, tech_stack, people, projects',
      required: true,
    },
  ],
  options: {
    id: { kind: 'text', placeholder: 'ID', summary: 'Lower-case letters, digits and hyphens' },
    type: { kind: 'text', placeholder: 'TYPE', summary: 'What it is, such as concept' },
    name: { kind: 'text', placeholder: 'NAME', summary: 'Name for people to read' },
    desc: { kind: 'text', placeholder: 'TEXT', summary: 'Short description' },
    tags: { kind: 'text', placeholder: 'A,B', summary: 'Tags, with commas between them' },
    ...ROOT_OPTION,
  },
  run(context) {
    const [category] = context.args.positionals
    const { id, type, name, desc, tags } = context.args.options
    return callTool(context, 'add_entity', {
      category,
      id,
      type,
      name,
      desc,
      tags: typeof tags === 'string' ? tags.split(',') : [],
    })
  },
}
