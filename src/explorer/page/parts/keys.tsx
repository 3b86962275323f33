/** Every action by keyboard, and the table that `?` shows. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { closePane, facts, go, helpOpen, phone, readPane, route, say, show } from '../state/app.ts'
import { begin, newNote } from '../state/acting.ts'
import { place } from '../state/place.ts'
import { SHOWN_VIEWS } from '../state/route.ts'
import { mayWrite, offered, undo } from '../state/writing.ts'
import { nextTheme } from '../state/theme.ts'
import { focusSearch } from './top-bar.tsx'

export interface Key {
  readonly keys: string
  readonly does: string
}

export const KEYS: readonly Key[] = [
  { keys: '/ or Ctrl K', does: 'search' },
  { keys: '↑ ↓', does: 'choose a result' },
  { keys: 'Enter', does: 'open it' },
  { keys: 'Shift Enter', does: 'open it beside the others' },
  { keys: 'Ctrl Enter', does: 'ask this question' },
  { keys: 'Esc', does: 'leave the note, leave the box, clear it' },
  { keys: '1 … 7', does: 'views' },
  ...(IN_CHAT ? [] : [{ keys: 'f', does: 'folders and their notes' }]),
  { keys: 'h l', does: 'pane to the left, to the right' },
  { keys: 'j k', does: 'scroll the pane' },
  { keys: 'x', does: 'close the pane' },
  { keys: 'Shift X', does: 'close the other panes' },
  { keys: 'p', does: 'pin the pane' },
  ...(IN_CHAT ? [] : [{ keys: 'm', does: 'bookmark the note' }]),
  ...(IN_CHAT
    ? []
    : [
        { keys: 'n', does: 'new note' },
        { keys: 'd', does: 'the note of today' },
        { keys: '.', does: 'what to do with the note' },
        { keys: 'e', does: 'edit the note' },
        { keys: 'Shift E', does: 'edit the section one reads' },
        { keys: 'r', does: 'rename or move the note' },
        { keys: 'Delete', does: 'delete the note (asks)' },
        { keys: 'Space / -', does: 'a task: done, in progress, cancelled' },
        { keys: 'u', does: 'take back what was just done' },
      ]),
  { keys: 's', does: 'source with line numbers' },
  { keys: 'b', does: 'backlinks' },
  { keys: 'o', does: 'outline' },
  { keys: 'g', does: 'graph around this note' },
  { keys: 'f + - arrows', does: 'graph: fit, zoom, move' },
  { keys: 'y', does: 'copy the address' },
  { keys: 'u', does: 'History: undo the chosen change (asks)' },
  { keys: '[ ]', does: 'back, forward' },
  { keys: 't', does: 'light, dark, system' },
  { keys: '?', does: 'this table' },
]

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      focusSearch()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) {
      if (event.key === 'Escape') target.blur()
      return
    }
    // What is open over the page takes the keys, and so does a text that is written.
    if (document.querySelector('dialog[open]') || target.closest('.editor')) return
    if (act(event.key, event.shiftKey)) event.preventDefault()
  })
}

function act(key: string, shift: boolean): boolean {
  const here = route.peek()
  const view = SHOWN_VIEWS[Number(key) - 1]
  if (view) {
    show(view)
    return true
  }
  switch (key) {
    case '/':
      focusSearch()
      return true
    case 'Escape':
      return leave()
    case '?':
      helpOpen.value = true
      return true
    case 'u':
      return here.view !== 'history' && takeBack()
    case 'n':
      if (IN_CHAT || mayNot()) return false
      newNote()
      return true
    case 'd':
      if (IN_CHAT || mayNot()) return false
      begin({ kind: 'daily' })
      return true
    case 'f':
      if (IN_CHAT || here.view === 'graph') return false
      show('browse')
      return true
    case 't':
      say(`Colours: ${nextTheme()}`)
      return true
    case '[':
      place.back()
      return true
    case ']':
      place.forward()
      return true
    case 'y':
      if (IN_CHAT) return false
      void navigator.clipboard?.writeText(location.href).then(() => say('Address copied'))
      return true
    default:
      return here.view === 'search' && here.panes.length > 0 && paneKey(key, shift)
  }
}

/** As far as it is known. */
function mayNot(): boolean {
  return facts.peek() !== undefined && !mayWrite.peek()
}

function takeBack(): boolean {
  const operations = offered.peek()
  if (IN_CHAT || !operations) return false
  void undo(operations)
  return true
}

/** From the text back to the box with what was found; from nowhere, what was found is cleared. */
function leave(): boolean {
  const { q } = route.peek()
  if (q === '') return false
  if (document.activeElement?.closest('.pane') && !phone.peek()) focusSearch()
  else go({ q: '' }, 'replace')
  return true
}

function paneKey(key: string, shift: boolean): boolean {
  const here = route.peek()
  const { panes, focus } = here
  const move = (by: number): void => readPane(Math.max(0, Math.min(panes.length - 1, focus + by)))
  switch (key) {
    case 'h':
      move(-1)
      return true
    case 'l':
      move(1)
      return true
    case 'j':
    case 'k':
      document.querySelector('.pane.reading .body')?.scrollBy({ top: key === 'j' ? 120 : -120 })
      return true
    case 'x':
      closePane(focus)
      return true
    case 'X':
      if (shift) go({ panes: [panes[focus]!], focus: 0 })
      return true
    case 'p':
      go(
        {
          panes: panes.map((pane, index) =>
            index === focus ? { ...pane, pinned: !pane.pinned } : pane,
          ),
        },
        'replace',
      )
      return true
    case 'g':
      show('graph', { node: panes[focus]!.id, depth: '1' })
      return true
    case 'm':
    case 's':
    case 'b':
    case 'o':
    case '.':
    case 'e':
    case 'E':
    case 'r':
    case 'Delete':
      document.dispatchEvent(new CustomEvent('cairn-pane', { detail: key }))
      return true
    default:
      return false
  }
}

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = helpOpen.value
  useLayoutEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={() => (helpOpen.value = false)}
    >
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (helpOpen.value = false)}>
        Close
      </button>
    </dialog>
  )
}
