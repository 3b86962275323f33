import type { Task } from '../../../core/operations/reading/find-tasks.ts'
import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, toJson } from '../terminal.ts'

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
      const { taskBox, tasksIn } = await import('../../../core/operations/reading/find-tasks.ts')
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
        for (const task of found) {
          const { id, line, text } = task
          const box = task.done ? terminal.style.green(taskBox(task)) : taskBox(task)
          terminal.out(`${box} ${cleanLine(text)}  ${terminal.style.cyan(places.link(id, line))}\n`)
        }
        if (found.length === 0) terminal.err('Nothing to do.\n')
      }
      return found.length > 0 ? 0 : 1
    }),
}
