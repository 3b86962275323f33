/**
 * What one can do to notes besides reading them. Code splitting: nothing of it is loaded before somebody
 * begins, or opens a note that he may change; a chat has none of it.
 */
import { IN_CHAT } from '../chat/in-chat.ts'
import type { Day, ShownNote } from '../../wire/wire.ts'
import { facts, route, say } from './app.ts'
import { mayWrite } from './writing.ts'

export type Act =
  | { readonly kind: 'menu' | 'properties' | 'move' | 'delete'; readonly note: ShownNote }
  | {
      readonly kind: 'attach'
      readonly note: ShownNote
      readonly refused?: readonly RefusedFile[]
    }
  | { readonly kind: 'create'; readonly wanted: NewNote }
  | { readonly kind: 'daily' }
  | { readonly kind: 'move-folder'; readonly folder: string }
  | { readonly kind: 'missing'; readonly link: MissingLink }
  | { readonly kind: 'state'; readonly box: HTMLElement; choose(mark: Mark): void }
  | { readonly kind: 'leave'; readonly unsaved: Unsaved }

/** A text that somebody is about to leave, and what may become of it. */
export interface Unsaved {
  readonly title: string
  stay(): void
  save(): void
  keep(): void
  drop(): void
}

export interface RefusedFile {
  readonly name: string
  readonly why: string
}

/** What is known of a note that is to be made. */
export interface NewNote {
  /** As it was looked for, or as a link has it. */
  readonly name?: string
  /** The note one comes from; its link goes by folders where it is `relative`. */
  readonly from?: string
  readonly relative?: boolean
  /** Beside that note, unless the vault has a place for new ones. */
  readonly beside?: boolean
  /** `handbook/guides/` */
  readonly folder?: string
}

/** A link that leads nowhere, somewhere in these lines of a note. */
export interface MissingLink {
  readonly id: string
  /** As it is written. */
  readonly target: string
  readonly line: number
  readonly end?: number
  readonly relative?: boolean
}

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
  if (IN_CHAT || !loads) return
  const load = loads[name]
  whenKnown(() => {
    if (!mayWrite.peek()) return
    const known = loaded[name]
    if (known) use(known)
    else {
      void load().then(
        (part) => use((loaded[name] = part[name])),
        () => say('This part of the page could not be loaded. Try again.'),
      )
    }
  })
}

/** Once it is known what one may do here: a key that came a moment too early is not lost. */
export function whenKnown(then: () => void): void {
  if (facts.peek() !== undefined) return then()
  const stop = facts.subscribe((known) => {
    if (known === undefined) return
    stop()
    then()
  })
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

/** Begins a note in the folder that one looks at, or beside the note that one reads. */
export function newNote(name = ''): void {
  const { view, panes, focus, more } = route.peek()
  const folder = view === 'browse' ? more['in'] : undefined
  const from = view === 'search' ? panes[focus]?.id : undefined
  const where = folder ? { folder } : from === undefined ? {} : { from, beside: true }
  begin({ kind: 'create', wanted: { name, ...where } })
}

/** At an address where there is none. */
export function newNoteAt(id: string): NewNote {
  const cut = id.lastIndexOf('/') + 1
  const name = id.slice(cut).replace(/\.md$/, '')
  return cut === 0 ? { name } : { name, folder: id.slice(0, cut) }
}

/** What is offered for a note, by the key that begins it. */
export type NoteAct = 'menu' | 'edit' | 'section' | 'properties' | 'attach' | 'move' | 'delete'

export function offers(note: ShownNote | undefined): readonly NoteAct[] {
  if (IN_CHAT || !note || !mayWrite.value) return []
  const can: NoteAct[] = []
  if (note.edits === 'whole') can.push('edit')
  if (note.edits && note.headings.length > 0) can.push('section')
  if (note.edits && /\.(?:md|markdown)$/.test(note.path)) can.push('properties', 'attach')
  if (note.moves) can.push('move')
  if (note.moves && facts.value?.tools.includes('delete')) can.push('delete')
  return can.length > 0 ? ['menu', ...can] : []
}

export const NOTE_KEYS: Readonly<Record<string, NoteAct>> = {
  '.': 'menu',
  e: 'edit',
  E: 'section',
  r: 'move',
  Delete: 'delete',
}

/** Why a note is not edited here, to whoever tries. */
export function whyNotEdited(note: ShownNote): string {
  if (!mayWrite.value) {
    return facts.value?.writes
      ? 'You may not write here'
      : 'Nothing is written here: this server is only read'
  }
  if (note.file !== undefined) return 'This text was made from a file, which is edited elsewhere'
  if (note.kind === 'entity') return 'An entity is no file that could be edited'
  if (note.edits === 'sections') {
    return 'A secret in this note is masked: edit a section without it (Shift E)'
  }
  return 'You may not write to this note'
}
