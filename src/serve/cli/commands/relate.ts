import { invalid } from '../../../core/domain/error.ts'
import { cleanLine } from '../terminal.ts'
import { textOf } from '../tool-command.ts'
import type { ToolPresentation } from '../tool-command.ts'

export const relate: ToolPresentation = {
  tool: 'relate',
  group: 'change',
  summary: 'Add an entity to the graph, or a relation between two.',
  example: 'cairn relate relation rag is_a tool_use --folder examples/brain',
  words: [
    {
      name: 'ACTION',
      argument: 'action',
      summary: 'entity ID, or relation FROM PREDICATE TO',
      required: true,
    },
    {
      name: 'WORD',
      argument: 'id',
      summary: 'The id, or what the relation says',
      required: true,
      many: true,
    },
  ],
  fixed: { src: undefined, rel: undefined, dst: undefined },
  spellings: {
    category: {
      placeholder: 'NAME',
      summary: 'concepts, tech_stack, people, projects or a name of your own',
    },
    type: { placeholder: 'TYPE', summary: 'What kind of thing the entity is' },
    name: { placeholder: 'NAME', summary: 'What people call it' },
    desc: { summary: 'What it is, in a sentence' },
    tags: { summary: 'A tag; may be repeated' },
    context: { summary: 'Why the relation holds' },
    source: { placeholder: 'NAME', summary: 'Which source, when several have a graph' },
    same_name: { summary: 'Another entity of a name that one has already' },
  },
  prepare(given, context) {
    const [action, ...words] = context.args.positionals
    const { id: _, ...args } = given
    if (action === 'entity' && words.length === 1) return { ...args, id: words[0] }
    if (action === 'relation' && words.length === 3) {
      const [src, rel, dst] = words
      return { ...args, src, rel, dst }
    }
    throw invalid(
      'relate takes "entity ID" or "relation FROM PREDICATE TO".',
      'For example: cairn relate relation rag uses graph-db',
    )
  },
  print(answer, { terminal }) {
    const [id, rel, dst] = ['id', 'rel', 'dst'].map((key) => cleanLine(textOf(answer[key])))
    const what = rel === '' ? id : `${id} ${rel} ${dst}`
    const done = answer['created'] === false ? 'Already there' : 'Added'
    terminal.out(`${done}: ${what} (${cleanLine(textOf(answer['file']))})\n`)
    const warnings = answer['warnings']
    for (const warning of Array.isArray(warnings) ? warnings : []) {
      terminal.err(`warning: ${cleanLine(textOf(warning))}\n`)
    }
  },
}
