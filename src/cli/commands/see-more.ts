import type { CommandContext } from '../command.ts'
import { repeated } from '../shell-words.ts'
import { clean, cleanLine } from '../terminal.ts'
import { textOf } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'

/** What the answer leaves out, on stderr: a remark, an index that is still growing, the next page. */
export function seeMore(answer: Answer, { terminal, words }: CommandContext): void {
  const cursor = textOf(answer['next_cursor'])
  const remarks = [textOf(answer['note']), textOf(answer['indexing'])].map(cleanLine)
  if (cursor !== '') remarks.push(`More: ${clean(repeated(words, '--cursor', cursor))}`)
  for (const remark of remarks.filter((text) => text !== '')) {
    terminal.err(`${terminal.errStyle.dim(remark)}\n`)
  }
}
