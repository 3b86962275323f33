import type { CommandContext } from '../command.ts'
import { cleanLine } from '../terminal.ts'
import { isAnswer, textOf } from '../tool-command.ts'
import type { Answer } from '../tool-command.ts'

/** What the answer leaves out, on stderr: the next page, a cut, an index that is still growing. */
export function seeMore(answer: Answer, { terminal }: CommandContext): void {
  const note = (text: string) => terminal.err(`${terminal.errStyle.dim(text)}\n`)
  const cursor = textOf(answer['next_cursor'])
  if (cursor !== '') note(`More: repeat with --cursor ${cleanLine(cursor)}`)
  for (const key of ['truncated', 'notice', 'note']) {
    const value = answer[key]
    if (value === true) note('The text was cut; --max-tokens raises the limit.')
    else if (textOf(value) !== '') note(cleanLine(textOf(value)))
  }
  if (isAnswer(answer['indexing']) || answer['indexing'] === true) {
    note('The index is still catching up; later answers may be better.')
  }
}
