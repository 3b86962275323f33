/** A task in the list of the first page is ticked there, without opening its note. */
import { errorOf, say } from '../state/app.ts'
import type { DueTask, Mark } from '../state/acting.ts'
import { tick } from './ticking.ts'

export function tickDue(
  { id, line, text, shown = text }: DueTask,
  mark: Mark,
  refused: () => void,
): void {
  tick({ id, line, mark, name: shown, text }).catch((problem: unknown) => {
    say(errorOf(problem).message)
    refused()
  })
}
