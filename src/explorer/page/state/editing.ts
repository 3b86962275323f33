/**
 * Which notes are written in this tab, and texts that were not saved. Code splitting: the editor
 * itself is loaded when somebody begins to write; a chat has none of it.
 */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { ShownNote } from '../../wire/wire.ts'
import { base } from './bookmarks.ts'
import { facts } from './app.ts'
import { parseDraft, type Draft } from './parse-draft.ts'

export interface Wanted {
  /** The section around this line; the whole note unless there is one. */
  readonly line?: number | undefined
  /** Where one reads. */
  readonly near?: number | undefined
  /** Instead of what the note holds. */
  readonly draft?: Draft | undefined
}

export const edited = /* @__PURE__ */ signal<ReadonlyMap<string, Wanted>>(new Map())

export function startEditing(id: string, wanted: Wanted): void {
  edited.value = new Map(edited.peek()).set(id, wanted)
}

export function endEditing(id: string): void {
  const next = new Map(edited.peek())
  next.delete(id)
  edited.value = next
}

export interface EditorProps {
  readonly note: ShownNote
  readonly wanted: Wanted
  /** What is clicked in the preview. */
  readonly onClick: (event: MouseEvent) => void
}

export const editor: { shown?: ComponentType<EditorProps> } = {}

/** Called once, by a window. */
export function provideEditor(shown: ComponentType<EditorProps>): void {
  editor.shown = shown
}

function prefixOf(id: string): string | undefined {
  if (base.peek() === undefined) return undefined
  return `cairn-draft ${facts.peek()?.who ?? ''} ${base.peek()!}\n${id}\n`
}

export function newDraftKey(id: string): string | undefined {
  const prefix = prefixOf(id)
  return prefix && `${prefix}${crypto.getRandomValues(new Uint32Array(2)).join('-')}`
}

/** False where the browser keeps nothing, or has no room left. */
export function keepDraft({ key, ...draft }: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing is kept there.
  }
}

/** Those of a note that nobody is writing just now, in this tab or another; the newest first. */
export async function draftsOf(id: string): Promise<readonly Draft[]> {
  const prefix = prefixOf(id)
  if (prefix === undefined) return []
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
    if (keys.length === 0) return []
    const held = (await navigator.locks?.query())?.held?.map(({ name }) => name) ?? []
    return keys
      .filter((key) => !held.includes(key))
      .flatMap((key) => parseDraft(key, localStorage.getItem(key) ?? '') ?? [])
      .toSorted((a, b) => b.at - a.at)
  } catch {
    return []
  }
}

/** What was not saved goes where its note goes; what somebody is writing just now stays. */
export async function moveDrafts(from: string, into: string): Promise<void> {
  for (const draft of await draftsOf(from)) {
    const key = newDraftKey(into)
    if (key !== undefined && keepDraft({ ...draft, key })) dropDraft(draft.key)
  }
}
