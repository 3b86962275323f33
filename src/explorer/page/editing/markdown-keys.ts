/** Keys that know Markdown: lists and quotes go on with Enter, Ctrl+B and Ctrl+I mark what is chosen. */
import { EditorSelection, type ChangeSpec, type StateCommand } from '@codemirror/state'
import { keymap } from '@codemirror/view'

const MARKER = /^(\s*)(>(?:\s?>)*\s?|(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)/

/** What the next line begins with, where the list or the quote goes on; undefined in plain text. */
export function markerAfter(
  line: string,
): { readonly marker: string; readonly isEmpty: boolean } | undefined {
  const found = MARKER.exec(line)
  if (!found) return undefined
  const [all, indent = '', own = ''] = found
  const next = own.replace(/^\d+/, (number) => String(Number(number) + 1)).replace(/\[.\]/, '[ ]')
  return { marker: indent + next, isEmpty: line.slice(all.length).trim() === '' }
}

const goOn: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  if (!main.empty || ranges.length > 1) return false
  const line = state.doc.lineAt(main.head)
  const next = markerAfter(line.text)
  // In the marker itself a line is a line.
  if (!next || main.head - line.from < MARKER.exec(line.text)![0].trimEnd().length) return false
  const changes: ChangeSpec = next.isEmpty
    ? { from: line.from, to: line.to }
    : { from: main.head, insert: `\n${next.marker}` }
  const anchor = next.isEmpty ? line.from : main.head + 1 + next.marker.length
  dispatch(
    state.update({ changes, selection: { anchor }, scrollIntoView: true, userEvent: 'input' }),
  )
  return true
}

/** Around what is chosen, and off again. */
function marked(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange(({ from, to }) => {
      const [before, after] = [
        state.sliceDoc(from - mark.length, from),
        state.sliceDoc(to, to + mark.length),
      ]
      const isMarked = before === mark && after === mark
      const moved = isMarked ? -mark.length : mark.length
      return {
        changes: isMarked
          ? [
              { from: from - mark.length, to: from },
              { from: to, to: to + mark.length },
            ]
          : [
              { from, insert: mark },
              { from: to, insert: mark },
            ],
        range: EditorSelection.range(from + moved, to + moved),
      }
    })
    dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }))
    return true
  }
}

export const markdownKeys = keymap.of([
  { key: 'Enter', run: goOn },
  { key: 'Mod-b', run: marked('**'), preventDefault: true },
  { key: 'Mod-i', run: marked('*'), preventDefault: true },
])
