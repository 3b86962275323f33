/** What makes one text of another, so that the cursor and what one can undo stay. */
import type { EditorState } from '@codemirror/state'
import { diffLines } from '../../../core/editing/diff-lines.ts'

/** Line by line; lines that are the same are not touched. */
export function changesTo({ doc }: EditorState, text: string) {
  const lines = text.split('\n')
  const before = doc.toString().split('\n')
  const at = (line: number): number => (line < doc.lines ? doc.line(line + 1).from : doc.length + 1)
  return diffLines(before, lines).map(({ from, to, start, end }) => {
    const insert = lines
      .slice(start, end)
      .map((line) => `${line}\n`)
      .join('')
    const [begin, stop] = [at(from), at(to)]
    if (stop <= doc.length) return { from: begin, to: stop, insert }
    // The last line has no end of its own: it takes that of the line before it, or gives it back.
    const own = insert.slice(0, -1)
    if (begin === 0) return { from: 0, to: doc.length, insert: own }
    return { from: begin - 1, to: doc.length, insert: insert === '' ? '' : `\n${own}` }
  })
}
