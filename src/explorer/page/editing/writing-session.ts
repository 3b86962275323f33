/**
 * Optimistic concurrency: a text that somebody writes, and the one in the file that it was made from.
 * When others change the file meanwhile, both changes are put together; where they touch the same
 * lines, nothing is decided here.
 */
import { signal, type Signal } from '@preact/signals'
import { mergeLines, type MergedPart } from '../../../core/editing/merge-lines.ts'
import { DoorError } from '../door.ts'
import { door, errorOf } from '../state/app.ts'
import { dropDraft, keepDraft, newDraftKey, type Wanted } from '../state/editing.ts'
import { sayDone, write } from '../state/writing.ts'
import type { EditedText } from '../../wire/wire.ts'
import type { Draft } from '../state/parse-draft.ts'
import type { TextEditor } from './text-editor.ts'

/** A part of the file as it was when it was read last, with the line ends of an editor. */
interface Base {
  readonly text: string
  readonly digest: string
  readonly first: number
  readonly last: number
  readonly lines: number
  readonly heading?: string | undefined
  readonly above?: string | undefined
  readonly below?: string | undefined
}

export type State =
  /** As the file has it; `merged` says that others have changed it meanwhile. */
  | { readonly kind: 'saved' | 'merged' }
  | { readonly kind: 'changed' | 'unkept' | 'saving' | 'touched' | 'gone' }
  | { readonly kind: 'failed'; readonly error: DoorError }

export interface Session {
  readonly state: Signal<State>
  /** Where both have changed the same lines, until somebody has decided. */
  readonly conflict: Signal<readonly MergedPart[] | undefined>
  readonly base: Signal<Base>
  /** What the editor begins with. */
  readonly text: string
  attach(editor: TextEditor): void
  /** The text is another one. */
  changed(): void
  isChanged(): boolean
  /** True once the file holds what the editor does. */
  save(): Promise<boolean>
  /** Takes over what others have changed. */
  follow(): Promise<void>
  /** What both wrote, as somebody has put it together. */
  decide(text: string): void
  /** Keeps it as a draft; false where the browser does not. */
  keep(): boolean
  /** What is written, for the note that this one became; undefined where the browser keeps no drafts. */
  handOver(into: string): Draft | undefined
  /** Nothing of it is kept. */
  drop(): void
  close(): void
}

/** However many others write at the same time, one of them comes first. */
const TRIES = 20
const PAUSE_MS = 10
const DRAFT_MS = 400

export async function openSession(id: string, wanted: Wanted, name: string): Promise<Session> {
  const { draft } = wanted
  const read = await readPart(id, wanted)
  const base = signal<Base>(read)
  const state = signal<State>({ kind: 'saved' })
  const conflict = signal<readonly MergedPart[] | undefined>(undefined)
  const key = draft?.key ?? newDraftKey(id)
  const release = key === undefined ? undefined : holdLock(key)
  let text = read.text
  let theirs: Base | undefined
  if (draft && draft.base !== read.text) {
    const parts = mergeLines(linesIn(draft.base), linesIn(draft.text), linesIn(read.text))
    const merged = mergedText(parts)
    if (merged === undefined) {
      // One goes on with what one wrote; when it is saved, both are shown.
      base.value = { ...read, text: draft.base, digest: draft.digest }
      theirs = read
    }
    text = merged ?? draft.text
  } else if (draft) text = draft.text

  let editor: TextEditor | undefined
  let timer: number | undefined
  let isOver = false
  let isDropped = false
  let saving: Promise<boolean> | undefined
  /** Something was changed while it was saved. */
  let again = false
  const now = (): string => editor?.text() ?? text
  const isChanged = (): boolean => !isDropped && now() !== base.peek().text

  const draftNow = (): Omit<Draft, 'key'> => {
    const { text: own, first, last, lines, digest } = base.peek()
    const isWhole = first === 1 && last === lines
    return { text: now(), base: own, first, isWhole, digest, at: Date.now() }
  }
  const keep = (): boolean => {
    clearTimeout(timer)
    timer = undefined
    if (!isChanged()) {
      if (key !== undefined) dropDraft(key)
      return true
    }
    const isKept = key !== undefined && keepDraft({ key, ...draftNow() })
    if (!isKept && state.peek().kind === 'changed') state.value = { kind: 'unkept' }
    return isKept
  }
  const settle = (): void => {
    if (saving) return
    if (!isChanged()) state.value = { kind: 'saved' }
    else if (theirs) state.value = { kind: 'touched' }
    else if (state.peek().kind !== 'unkept') state.value = { kind: 'changed' }
  }

  /** What is in the file now, put together with what is in the editor; false where they touch. */
  const take = (found: Base): boolean => {
    const own = base.peek()
    const parts = mergeLines(linesIn(own.text), linesIn(now()), linesIn(found.text))
    const merged = mergedText(parts)
    if (merged === undefined) {
      theirs = found
      return false
    }
    theirs = undefined
    base.value = found
    editor?.put(merged)
    return true
  }
  const readAgain = (): Promise<Base> => {
    const { text: was, first, last, lines, above, below } = base.peek()
    const isWhole = first === 1 && last === lines
    return readPart(id, isWhole ? { whole: true } : { was: { text: was, first, above, below } })
  }

  const touched = (): false => {
    const own = linesIn(base.peek().text)
    conflict.value = mergeLines(own, linesIn(now()), linesIn(theirs!.text))
    return false
  }

  const saveOnce = async (): Promise<boolean> => {
    for (let tries = 0; tries < TRIES; tries++) {
      // What touches theirs is not sent before somebody has looked at it.
      if (theirs && !take(await readAgain())) return touched()
      const { text: before, digest, first, last, lines } = base.peek()
      const sent = now()
      if (sent === before) return true
      const part = `${first}-${last}`
      try {
        // Whole lines: without its end, the last one would lose an empty line below it.
        const edit = { action: 'replace', id, lines: part, content: `${sent}\n`, if_digest: digest }
        const written = await write(edit)
        const count = linesIn(sent).length
        base.value = {
          ...base.peek(),
          text: sent,
          digest: written.digest,
          last: first + count - 1,
          lines: lines - (last - first + 1) + count,
        }
        sayDone(`Saved ${name}`, written.operation)
        // Links to a heading that has another name now were changed with it, perhaps in here.
        if ((written.links_rewritten ?? 0) > 0) again = true
        return now() === sent
      } catch (problem) {
        if (!(problem instanceof DoorError) || problem.code !== 'conflict') throw problem
        // The more come first, the longer one waits for one's own turn.
        await new Promise((resume) => setTimeout(resume, tries * PAUSE_MS * Math.random()))
        if (!take(await readAgain())) return touched()
      }
    }
    throw new DoorError('conflict', 'Others change this note all the time.', 'Try again.')
  }

  const follow = async (): Promise<void> => {
    if (saving) again = true
    if (saving || isOver || conflict.peek()) return
    try {
      const found = await readAgain()
      if (saving || isOver || conflict.peek() || found.digest === base.peek().digest) return
      if (editor?.composing()) {
        setTimeout(() => void follow(), DRAFT_MS)
        return
      }
      const before = base.peek().text
      if (!take(found)) state.value = { kind: 'touched' }
      else if (found.text !== before && state.peek().kind !== 'failed') {
        state.value = { kind: isChanged() ? 'changed' : 'merged' }
      }
      keep()
    } catch (problem) {
      if (errorOf(problem).code === 'not_found') state.value = { kind: 'gone' }
    }
  }

  const save = async (): Promise<boolean> => {
    // What somebody decides about must stay what it is.
    if (conflict.peek()) return false
    // What is written while it is saved is saved after that.
    if (saving) {
      await saving
      return save()
    }
    state.value = { kind: 'saving' }
    let failed: DoorError | undefined
    saving = saveOnce().catch((problem: unknown) => {
      failed = errorOf(problem)
      return false
    })
    const isSaved = await saving
    saving = undefined
    keep()
    if (failed) state.value = { kind: 'failed', error: failed }
    else settle()
    if (again) {
      again = false
      void follow()
    }
    return isSaved
  }

  if (text !== read.text) settle()
  return {
    state,
    conflict,
    base,
    text,
    attach(made) {
      editor = made
      settle()
    },
    changed() {
      if (isOver) return
      settle()
      clearTimeout(timer)
      timer = setTimeout(keep, DRAFT_MS) as unknown as number
    },
    isChanged,
    save,
    follow,
    decide(decided) {
      if (!theirs) return
      base.value = theirs
      theirs = undefined
      conflict.value = undefined
      editor?.put(decided)
      settle()
      keep()
    },
    keep,
    handOver(into) {
      const other = newDraftKey(into)
      const draft = other === undefined ? undefined : { key: other, ...draftNow() }
      return draft && keepDraft(draft) ? draft : undefined
    },
    drop() {
      isOver = true
      isDropped = true
      clearTimeout(timer)
      if (key !== undefined) dropDraft(key)
      release?.()
    },
    close() {
      if (isOver) return
      keep()
      isOver = true
      release?.()
    },
  }
}

interface Again {
  readonly was?: Pick<Base, 'text' | 'first' | 'above' | 'below'>
  readonly whole?: boolean
}

async function readPart(
  id: string,
  { line, near, draft, was, whole = draft?.isWhole }: Wanted & Again,
): Promise<Base> {
  const part =
    was ?? (draft && !draft.isWhole ? { text: draft.base, first: draft.first } : undefined)
  const place = part ? { was: part } : whole ? { whole } : line ? { line } : near ? { near } : {}
  const asked = { id, ...place }
  const { text, ...found } = await door.read<EditedText>('text', asked)
  // As the server does it: a lone CR is no line end, and stays where it is.
  return { ...found, text: text.replaceAll(/(?<!\r)\r\n/g, '\n') }
}

function linesIn(text: string): readonly string[] {
  return text.split('\n')
}

export function mergedText(parts: readonly MergedPart[]): string | undefined {
  const lines: string[] = []
  for (const part of parts) {
    if (part.kind === 'conflict') return undefined
    for (const line of part.lines) lines.push(line)
  }
  return lines.join('\n')
}

/** As long as it is held, no other tab offers this draft. */
function holdLock(name: string): (() => void) | undefined {
  const { promise, resolve } = Promise.withResolvers<void>()
  navigator.locks?.request(name, () => promise).catch(() => {})
  return resolve
}
