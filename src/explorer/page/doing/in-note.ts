/** Progressive enhancement of a note that one may change: what looks like a control becomes one. */
import { begin, offers, type Mark, type Place } from '../state/acting.ts'
import { errorOf, say } from '../state/app.ts'
import { clean } from '../parts/text.tsx'
import { addStyle } from '../parts/add-style.ts'
import { attachFiles } from './attach-files.ts'
import style from './in-note.css'
import { isOutdated, tick } from './ticking.ts'

export { tickDue } from './tick-due.ts'

export function inNote(place: Place): () => void {
  addStyle(style)
  const { edits } = place.note
  const stops = [
    edits ? tickable(place) : undefined,
    makeable(place),
    offers(place.note).includes('attach') ? droppable(place) : undefined,
  ]
  return () => {
    for (const stop of stops) stop?.()
  }
}

const BOX = '.task .box'
const NAMES: Readonly<Record<Mark, string>> = {
  ' ': 'open',
  '/': 'begun',
  x: 'done',
  '-': 'dropped',
}
const NEXT: Readonly<Record<string, Mark>> = { done: ' ', dropped: ' ' }

/** The box that had the keys last: it gets them again when the note is drawn anew. */
let held: { readonly id: string; readonly line: string } | undefined
/** What boxes were made, until a text is shown that says so itself. */
const made = new Map<string, { readonly state: string; readonly isDone: boolean }>()

function tickable({ note, body }: Place): () => void {
  for (const box of body.querySelectorAll<HTMLElement>(BOX)) {
    const line = lineOf(box)
    // What another note says here is ticked there.
    if (line === undefined) continue
    box.setAttribute('role', 'checkbox')
    box.setAttribute('aria-label', nameOf(box))
    box.tabIndex = 0
    const key = `${note.id}:${line}`
    const own = made.get(key)
    // A text that comes late says what was before.
    const isLate = own && (!own.isDone || isOutdated(note.digest))
    if (!isLate) made.delete(key)
    show(box, isLate ? own.state : stateOf(box))
    if (held?.id !== note.id || held.line !== line) continue
    if (document.activeElement === document.body) box.focus({ preventScroll: true })
  }
  const ticked = async (box: HTMLElement, mark: Mark): Promise<void> => {
    const before = stateOf(box)
    if (before === NAMES[mark]) return
    const line = lineOf(box)
    if (line === undefined) return
    const [key, state] = [`${note.id}:${line}`, NAMES[mark]]
    show(box, state)
    made.set(key, { state, isDone: false })
    if (document.activeElement === box) held = { id: note.id, line }
    try {
      const name = nameOf(box)
      await tick({ id: note.id, line: Number(line), mark, name, digest: note.digest })
      if (made.get(key)?.state === state) made.set(key, { state, isDone: true })
    } catch (problem) {
      made.delete(key)
      show(box, before)
      say(errorOf(problem).message)
    }
  }
  const onClick = (event: MouseEvent): void => {
    const box = boxOf(event)
    if (!box) return
    event.preventDefault()
    box.focus({ preventScroll: true })
    void ticked(box, NEXT[stateOf(box)] ?? 'x')
  }
  const onKey = (event: KeyboardEvent): void => {
    const box = boxOf(event)
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return
    const mark = KEYS[event.key] === 'next' ? (NEXT[stateOf(box)] ?? 'x') : KEYS[event.key]
    if (mark === undefined) return
    event.preventDefault()
    event.stopPropagation()
    // The same key again takes it back.
    void ticked(box, NAMES[mark as Mark] === stateOf(box) ? ' ' : (mark as Mark))
  }
  // The right button, a long press, or the key that stands for them.
  const onMenu = (event: MouseEvent): void => {
    const box = boxOf(event)
    if (!box) return
    event.preventDefault()
    begin({ kind: 'state', box, choose: (mark) => void ticked(box, mark) })
  }
  const onElsewhere = (event: Event): void => {
    if (!boxOf(event)) held = undefined
  }
  document.addEventListener('pointerdown', onElsewhere)
  document.addEventListener('focusin', onElsewhere)
  body.addEventListener('click', onClick)
  body.addEventListener('keydown', onKey)
  body.addEventListener('contextmenu', onMenu)
  return () => {
    document.removeEventListener('pointerdown', onElsewhere)
    document.removeEventListener('focusin', onElsewhere)
    body.removeEventListener('click', onClick)
    body.removeEventListener('keydown', onKey)
    body.removeEventListener('contextmenu', onMenu)
  }
}

const KEYS: Readonly<Record<string, Mark | 'next'>> = {
  ' ': 'next',
  Enter: 'next',
  '/': '/',
  '-': '-',
}

function boxOf({ target }: Event): HTMLElement | undefined {
  const box = (target as Element).closest<HTMLElement>(BOX)
  return box?.getAttribute('role') === 'checkbox' ? box : undefined
}

function lineOf(box: Element): string | undefined {
  const item = box.closest<HTMLElement>('.task')
  return item && !box.closest('.embedded') ? item.dataset['line'] : undefined
}

function stateOf(box: Element): string {
  return /\bbox-(\w+)/.exec(box.className)?.[1] ?? 'open'
}

function show(box: Element, state: string): void {
  box.className = `box box-${state}`
  box.setAttribute('aria-checked', CHECKED[state] ?? 'false')
  box.setAttribute('title', TITLES[state] ?? '')
}

const CHECKED: Readonly<Record<string, string>> = { done: 'true', begun: 'mixed' }
const TITLES: Readonly<Record<string, string>> = { begun: 'in progress', dropped: 'cancelled' }

const LONGEST_NAME = 100

/** The words of the task itself, without those below it. */
function nameOf(box: Element): string {
  let name = ''
  for (const each of box.closest('.task')?.childNodes ?? []) {
    if (each instanceof Element && /^(?:UL|OL|PRE|TABLE|BLOCKQUOTE)$/.test(each.tagName)) continue
    name += each.textContent ?? ''
  }
  return clean(name.trim().replace(/\s+/g, ' ').slice(0, LONGEST_NAME)) || 'task'
}

/* ---- links that lead nowhere ---- */

const GHOST = '.ghost[data-wiki], .ghost[data-markdown]'

function makeable({ note, body }: Place): () => void {
  for (const ghost of body.querySelectorAll<HTMLElement>(GHOST)) {
    // What another note says here is mended there.
    if (ghost.closest('.embedded, a')) continue
    ghost.setAttribute('role', 'button')
    ghost.tabIndex = 0
  }
  const start = (event: Event): boolean => {
    const ghost = (event.target as Element).closest<HTMLElement>(GHOST)
    if (ghost?.getAttribute('role') !== 'button') return false
    const { wiki, markdown = '' } = ghost.dataset
    const { line = '1', end } = ghost.closest<HTMLElement>('[data-line]')?.dataset ?? {}
    event.preventDefault()
    begin({
      kind: 'missing',
      link: {
        id: note.id,
        target: wiki ?? markdown,
        relative: wiki === undefined,
        line: Number(line),
        end: Number(end ?? line),
      },
    })
    return true
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if ((event.key === 'Enter' || event.key === ' ') && start(event)) event.stopPropagation()
  }
  body.addEventListener('click', start)
  body.addEventListener('keydown', onKey)
  return () => {
    body.removeEventListener('click', start)
    body.removeEventListener('keydown', onKey)
  }
}

/* ---- pictures and files ---- */

function droppable({ note, body }: Place): () => void {
  const take = async (files: FileList | undefined, event: Event): Promise<void> => {
    if (!files || files.length === 0) return
    event.preventDefault()
    body.classList.remove('dropping')
    const refused = await attachFiles(note.id, [...files])
    if (refused.length > 0) begin({ kind: 'attach', note, refused })
  }
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    body.classList.add('dropping')
  }
  const onLeave = ({ relatedTarget: to }: DragEvent): void => {
    if (!(to instanceof Node) || !body.contains(to)) body.classList.remove('dropping')
  }
  const onDrop = (event: DragEvent): void => void take(event.dataTransfer?.files, event)
  // Whatever has the keys, what is pasted is for the note that one reads.
  const onPaste = (event: ClipboardEvent): void => {
    // The text of an editor stands in a shadow root, which hides it from whoever asks for the target,
    // and takes its files itself.
    const [target] = event.composedPath()
    const isWriting =
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    if (isWriting || !body.closest('.pane.reading') || document.querySelector('dialog[open]'))
      return
    void take(event.clipboardData?.files, event)
  }
  body.dataset['takesFiles'] = ''
  body.addEventListener('dragover', onDrag)
  body.addEventListener('dragleave', onLeave)
  body.addEventListener('drop', onDrop)
  document.addEventListener('paste', onPaste)
  return () => {
    delete body.dataset['takesFiles']
    body.removeEventListener('dragover', onDrag)
    body.removeEventListener('dragleave', onLeave)
    body.removeEventListener('drop', onDrop)
    document.removeEventListener('paste', onPaste)
  }
}
