/** What belongs to a note, beside it: where in it one reads, and who speaks of it. */
import { useEffect, useRef } from 'preact/hooks'
import type { ShownNote } from '../../wire/wire.ts'
import { Around } from './around.tsx'
import { Backlinks } from './backlinks.tsx'
import { Sections } from './outline.tsx'

interface Props {
  readonly note: ShownNote
  readonly parts: readonly ShownNote[]
  readonly body: { readonly current: HTMLElement | null }
  readonly index: number
  readonly version: number
}

export function NoteRail({ note, parts, body, index, version }: Props) {
  const sections = useRef<HTMLElement>(null)
  // Written into the list as it stands: of thousands of sections, two change.
  useEffect(() => {
    const { current: text } = body
    if (!text) return undefined
    let marked: Element | undefined
    let frame = 0
    const follow = (): void => {
      frame = 0
      const at = sectionAt(note, text)
      const entry = sections.current?.querySelectorAll('li')[at]?.firstElementChild ?? undefined
      if (entry === marked) return
      marked?.removeAttribute('aria-current')
      entry?.setAttribute('aria-current', 'location')
      entry?.scrollIntoView({ block: 'nearest' })
      marked = entry
    }
    const soon = (): void => {
      frame ||= requestAnimationFrame(follow)
    }
    soon()
    text.addEventListener('scroll', soon, { passive: true })
    return () => {
      text.removeEventListener('scroll', soon)
      cancelAnimationFrame(frame)
      marked?.removeAttribute('aria-current')
    }
  }, [note, parts])
  return (
    <aside class="note-rail" aria-label="About this note">
      {note.headings.length > 1 && (
        <nav class="outline" aria-label="Sections" ref={sections}>
          <h2>Sections</h2>
          <Sections note={note} index={index} />
        </nav>
      )}
      <Backlinks id={note.id} index={index} version={version} />
      <Around note={note} index={index} version={version} />
    </aside>
  )
}

/** A heading that has come this near to the top is what one reads. */
const NEAR_TOP = 48

/** Index of the section that one reads; at the very end it is the last one, however short. */
export function sectionAt({ headings }: ShownNote, text: HTMLElement): number {
  const blocks = text.querySelectorAll<HTMLElement>('.prose > [data-line]')
  const isEnd = text.scrollTop > 0 && text.scrollTop + text.clientHeight >= text.scrollHeight - 2
  const edge = text.getBoundingClientRect().top + NEAR_TOP
  let line = 1
  for (const block of blocks) {
    const { bottom, height } = block.getBoundingClientRect()
    if (height === 0) continue
    line = Number(block.dataset['end'])
    if (!isEnd && bottom > edge) {
      // Within a block that is long, the first line says where it begins.
      line = Number(block.dataset['line'])
      break
    }
  }
  return headings.findLastIndex((heading) => heading.line <= line)
}
