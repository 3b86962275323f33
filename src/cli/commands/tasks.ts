import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'

const TASK = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[([^\]\n])\]\s+(\S.*)$/
/** Logseq writes the state as a word. */
const LOGSEQ = /^\s*-\s+(TODO|DOING|NOW|LATER|WAITING|DONE|CANCELED|CANCELLED)\s+(\S.*)$/
const FENCE = /^\s{0,3}(`{3,}|~{3,})/

export interface Task {
  readonly id: string
  readonly line: number
  readonly done: boolean
  readonly text: string
}

export const tasks: Command = {
  name: 'tasks',
  group: 'find',
  summary: 'List what is still to do: "- [ ]" in every document.',
  example: 'cairn tasks --all --folder examples/handbook',
  positionals: [
    { name: 'WORD', summary: 'Only tasks that contain this', required: false, many: true },
  ],
  options: {
    done: { kind: 'flag', summary: 'What is done instead' },
    all: { kind: 'flag', summary: 'Both' },
    path: {
      kind: 'text',
      placeholder: 'TEXT',
      summary: 'Only documents whose path contains this',
    },
    ...BASE_OPTIONS,
  },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, args, json } = context
      const { done, all, path } = args.options
      const words = args.positionals.map((word) => word.toLowerCase())
      const places = await context.places()
      const found: Task[] = []
      for await (const { id, text } of base.texts()) {
        if (typeof path === 'string' && !id.includes(path)) continue
        found.push(
          ...tasksIn(id, text)
            .filter((task) => all === true || task.done === (done === true))
            .filter((task) => words.every((word) => task.text.toLowerCase().includes(word))),
        )
      }
      if (json) terminal.out(toJson({ tasks: found }))
      else {
        for (const { id, line, done: isDone, text } of found) {
          const box = isDone ? terminal.style.green('[x]') : '[ ]'
          terminal.out(`${box} ${cleanLine(text)}  ${terminal.style.cyan(places.link(id, line))}\n`)
        }
        if (found.length === 0) terminal.err('Nothing to do.\n')
      }
      return found.length > 0 ? 0 : 1
    }),
}

/** Tasks of a text, in order; what stands in a code block is an example. */
export function tasksIn(id: string, text: string): Task[] {
  const found: Task[] = []
  let fence: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined
      continue
    }
    if (fence !== undefined) continue
    const box = TASK.exec(line)
    const word = LOGSEQ.exec(line)
    const done = box ? !/^[ /]$/.test(box[1]!) : /^(DONE|CANCELL?ED)$/.test(word?.[1] ?? '')
    const said = box?.[2] ?? word?.[2]
    if (said !== undefined) found.push({ id, line: index + 1, done, text: said.trimEnd() })
  }
  return found
}
