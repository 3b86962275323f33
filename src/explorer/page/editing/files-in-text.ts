/**
 * Files that are dropped or pasted into the text. They take a while to arrive, and one goes on writing:
 * the place is a position mapped through every change, as those of CodeMirror's own marks are.
 */
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Puts what shows a file where it was dropped; false where that text is closed by then. */
export type PutFile = (written: string) => boolean
export type TakeFiles = (files: readonly File[], put: PutFile) => void

interface Spot {
  at: number
  /** Something stands there by now: the next one begins a line. */
  isTaken: boolean
}

const spots = new WeakMap<EditorView, Set<Spot>>()

export function filesInText(take: TakeFiles): Extension {
  return [
    EditorView.domEventHandlers({
      drop(event, view) {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0) return false
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
        takeFilesAt(view, files, take, at ?? view.state.selection.main.to)
        return true
      },
      paste(event, view) {
        const files = [...(event.clipboardData?.files ?? [])]
        // What a spreadsheet copies is a text and a picture of it: the text is meant.
        if (files.length === 0 || event.clipboardData?.getData('text/plain') !== '') return false
        takeFilesAt(view, files, take, view.state.selection.main.to)
        return true
      },
    }),
    EditorView.updateListener.of(({ changes, docChanged, view }) => {
      if (!docChanged) return
      for (const spot of spots.get(view) ?? []) spot.at = changes.mapPos(spot.at, -1)
    }),
  ]
}

export function takeFilesAt(
  view: EditorView,
  files: readonly File[],
  take: TakeFiles,
  at = view.state.selection.main.to,
): void {
  const spot: Spot = { at, isTaken: false }
  const all = spots.get(view) ?? new Set()
  spots.set(view, all.add(spot))
  take(files, (written) => {
    if (!view.dom.isConnected) return false
    const { at: from } = spot
    const { main } = view.state.selection
    const insert = spot.isTaken ? `\n${written}` : written
    const end = from + insert.length
    view.dispatch({
      changes: { from, insert },
      // Who waits for it goes on behind it.
      ...(main.empty && main.head === from && { selection: { anchor: end } }),
      userEvent: 'input.drop',
    })
    Object.assign(spot, { at: end, isTaken: true })
    return true
  })
}
