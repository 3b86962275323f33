import { invalid } from '../../domain/error.ts'
import { cleanLine } from '../terminal.ts'
import { textOf, toolCommand } from '../tool-command.ts'

const text = (argument: string, placeholder: string, summary: string) =>
  ({ kind: 'text', argument, placeholder, summary }) as const

export const relate = toolCommand({
  tool: 'relate',
  summary: 'Add an entity to the graph, or a relation between two.',
  example: 'cairn relate relation rag is_a tool_use --folder examples/brain',
  positionals: [
    { name: 'ACTION', summary: 'entity ID, or relation FROM PREDICATE TO', required: true },
    { name: 'WORD', summary: 'The id, or what the relation says', required: true, many: true },
  ],
  options: {
    category: text('category', 'NAME', 'concepts, tech_stack, people or projects'),
    type: text('type', 'TYPE', 'What kind of thing the entity is'),
    name: text('name', 'NAME', 'What people call it'),
    desc: text('desc', 'TEXT', 'What it is, in a sentence'),
    tag: { kind: 'list', placeholder: 'TAG', argument: 'tags', summary: 'A tag; may be repeated' },
    context: text('context', 'TEXT', 'Why the relation holds'),
    source: text('source', 'NAME', 'Which source, when several have a graph'),
  },
  arguments([action, ...words]) {
    if (action === 'entity' && words.length === 1) return { action, id: words[0] }
    if (action === 'relation' && words.length === 3) {
      const [src, rel, dst] = words
      return { action, src, rel, dst }
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
})
