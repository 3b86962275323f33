/**
 * What one can do to notes besides reading them. Code splitting: nothing of it is loaded before somebody
 * begins, or opens a note that he may change; a chat has none of it.
 */
import { IN_CHAT } from '../chat/in-chat.ts'
import type { Day, ShownNote } from '../../wire/wire.ts'
import { facts, say } from './app.ts'
import { mayWrite } from './writing.ts'

export type Act =
  | { readonly kind: 'menu' | 'delete'; readonly note: ShownNote }
  | { readonly kind: 'state'; readonly box: HTMLElement; choose(mark: Mark): void }

/** What stands in the box of a task. */
export type Mark = ' ' | '/' | 'x' | '-'

export type DueTask = Day['tasks'][number]

/** A note as it is shown, and where. */
export interface Place {
  readonly note: ShownNote
  readonly body: HTMLElement
}

export interface Doing {
  begin(act: Act): void
  /** Boxes of tasks become what they look like. Until it is called back. */
  inNote(place: Place): () => void
  tickDue(task: DueTask, mark: Mark, refused: () => void): void
}

type Loads = { readonly [Name in keyof Doing]: () => Promise<Pick<Doing, Name>> }

let loads: Loads | undefined
const loaded: { [Name in keyof Doing]?: Doing[Name] } = {}

/** Called once, by a window. */
export function provideDoing(how: Loads): void {
  loads = how
}

/** At once where it is there already: a key must find what it is for. */
function withPart<Name extends keyof Doing>(name: Name, use: (part: Doing[Name]) => void): void {
  if (IN_CHAT || !loads || !mayWrite.peek()) return
  const known = loaded[name]
  if (known) use(known)
  else {
    void loads[name]().then(
      (part) => use((loaded[name] = part[name])),
      () => say('This part of the page could not be loaded. Try again.'),
    )
  }
}

export function begin(act: Act): void {
  withPart('begin', (start) => start(act))
}

export function doIn(place: Place): () => void {
  let stop: (() => void) | undefined
  let isOver = false
  withPart('inNote', (start) => {
    if (!isOver) stop = start(place)
  })
  return () => {
    isOver = true
    stop?.()
  }
}

export function tickDue(task: DueTask, mark: Mark, refused: () => void): void {
  withPart('tickDue', (tick) => tick(task, mark, refused))
}

/** What is offered for a note, by the key that begins it. */
export type NoteAct = 'menu' | 'delete'

export function offers(note: ShownNote | undefined): readonly NoteAct[] {
  if (IN_CHAT || !note || !mayWrite.value) return []
  const can: NoteAct[] = []
  if (note.moves && facts.value?.tools.includes('delete')) can.push('delete')
  return can.length > 0 ? ['menu', ...can] : []
}

export const NOTE_KEYS: Readonly<Record<string, NoteAct>> = { '.': 'menu', Delete: 'delete' }
