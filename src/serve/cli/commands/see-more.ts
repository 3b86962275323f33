import type { CommandContext } from '../command.ts'
import { repeated } from '../shell-words.ts'
import { clean, cleanLine } from '../terminal.ts'
import { textOf } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'

/** What the answer leaves out, on stderr: a remark, an index that is still growing, the next page. */
export function seeMore(answer: Answer, context: CommandContext): void {
  const { terminal } = context
  const cursor = textOf(answer['next_cursor'])
  const remarks = [textOf(answer['note']), textOf(answer['indexing'])].map(cleanLine)
  if (cursor !== '') remarks.push(`More: ${clean(nextPage(cursor, context))}`)
  for (const remark of remarks.filter((text) => text !== '')) {
    terminal.err(`${terminal.errStyle.dim(remark)}\n`)
  }
}

function nextPage(cursor: string, { words, command, args }: CommandContext): string {
  const { page = 1, cursor: given } = args.options
  if (given !== undefined || !command.options['page']) return repeated(words, '--cursor', cursor)
  return repeated(words, '--page', String(Number(page) + 1))
}
