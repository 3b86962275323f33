/** Puts pictures and files beside a note, one after the other, and says of each what became of it. */
import { clean } from '../parts/text.tsx'
import type { RefusedFile } from '../state/acting.ts'
import { door, errorOf, openNote } from '../state/app.ts'
import { changed, sayDone } from '../state/writing.ts'
import type { Attached } from '../../wire/wire.ts'

/** As the server has it; a film of gigabytes is not sent to be refused. */
export const LARGEST_MB = 10
const MOST = 50

/** With `put`, what shows each goes into a text that somebody writes, instead of the end of the note. */
export async function attachFiles(
  to: string,
  files: readonly File[],
  put?: (written: string) => boolean,
): Promise<readonly RefusedFile[]> {
  const refused: RefusedFile[] = []
  const operations: string[] = []
  const taken: string[] = []
  let last: number | undefined
  for (const [at, file] of files.entries()) {
    const { name, size } = file
    if (at >= MOST || size > LARGEST_MB * 1024 * 1024) {
      const why =
        at >= MOST
          ? `More than ${MOST} at once: add it later.`
          : `It is ${Math.ceil(size / 1024 / 1024)} MB; at most ${LARGEST_MB} MB are taken.`
      refused.push({ name, why })
      continue
    }
    try {
      const asked = { to, name, ...(!put && { link: '1' }) }
      const { file: place, line, operation, written } = await door.attach!<Attached>(asked, file)
      if (put && !put(written)) {
        const why = `It lies beside the note, but nothing shows it: the text was closed. Write ${written} where it belongs.`
        refused.push({ name, why })
        continue
      }
      taken.push(place.split('/').at(-1) ?? place)
      last = line
      // What undoes it would leave the text that shows it: while one writes, it is undone in the history.
      if (operation !== undefined && !put) operations.push(operation)
      changed(put ? [] : [to])
    } catch (problem) {
      const { message, hint } = errorOf(problem)
      refused.push({ name, why: `${message} ${hint}` })
    }
  }
  // It stands at the end, which may be far away.
  if (last !== undefined) openNote(to, { lines: String(last) })
  if (taken.length > 0) sayDone(`Added ${clean(taken.join(', '))}`, operations)
  return refused
}
