/** One note that is open: its text, its outline, its source, and who links to it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { sendToChat } from '../chat/start.ts'
import type { DoorError } from '../door.ts'
import {
  arrival,
  closePane,
  errorOf,
  go,
  openNote,
  readPane,
  route,
  say,
  show,
  takesFocus,
  titles,
} from '../state/app.ts'
import { decoded, parseRoute, TOP, type Pane as PaneState } from '../state/route.ts'
import { begin, newNoteAt, offers } from '../state/acting.ts'
import { mayWrite } from '../state/writing.ts'
import { isKept } from '../state/bookmarks.ts'
import { edited, editor } from '../state/editing.ts'
import { About, QuoteState } from './about.tsx'
import { Backlinks } from './backlinks.tsx'
import { letScroll } from './blocks.ts'
import { keep, noteAddress } from './bookmarks.tsx'
import { Drafted } from './drafted.tsx'
import { Html } from './html.tsx'
import { Icon } from './icons.tsx'
import { lightWords } from './light-words.ts'
import { NoteRail } from './note-rail.tsx'
import { Outline } from './outline.tsx'
import { wordsFound } from './results.tsx'
import { Source } from './source.tsx'
import { clean, Path, Problem, Waiting } from './text.tsx'
import { edit, useDoing } from './use-doing.ts'
import { useNote, type OpenNote } from './use-note.ts'

interface Props {
  readonly pane: PaneState
  readonly index: number
  readonly reading: boolean
  /** There is room beside the text for what belongs to it. */
  readonly roomy?: boolean
}

const NO_WORDS: ReadonlySet<string> = new Set()

/** A pane that went under: its name along the edge. */
export function Spine({ pane, index }: Pick<Props, 'pane' | 'index'>) {
  return (
    <button type="button" class="spine" onClick={() => readPane(index)}>
      <span>{clean(titles.value.get(pane.id) ?? fileOf(pane.id))}</span>
    </button>
  )
}

export function Pane({ pane, index, reading, roomy = false }: Props) {
  const { id } = pane
  const { lines, quote } = reading ? route.value : TOP
  const [source, setSource] = useState(false)
  const [outline, setOutline] = useState(false)
  const element = useRef<HTMLElement>(null)
  const open = useNote(id, reading, source)
  const { note, parts, error, version, body } = open

  useEffect(() => {
    if (reading) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [reading])

  // Before it is seen: the next key is meant for it.
  const { turn } = arrival.value
  useLayoutEffect(() => {
    if (!reading || !takesFocus.peek()) return
    takesFocus.value = false
    body.current?.focus({ preventScroll: true })
  }, [reading, turn])

  // A block that was narrow enough is no longer when a note opens beside it, or the window shrinks.
  useEffect(() => {
    if (!note || !body.current || source) return undefined
    const { current } = body
    const observer = new ResizeObserver(() => letScroll(current))
    observer.observe(current)
    letScroll(current)
    return () => observer.disconnect()
  }, [note, parts, source])

  const words = reading ? wordsFound.value : NO_WORDS
  useEffect(
    () =>
      !IN_CHAT && note && body.current && !source ? lightWords(body.current, words) : undefined,
    [note, parts, source, words],
  )

  // Before it is seen to be read: the next key is meant for it.
  useLayoutEffect(() => {
    if (!reading) return undefined
    const onKey = (event: Event): void => {
      const key = (event as CustomEvent<string>).detail
      if (key === 's') setSource((on) => !on)
      if (key === 'o') setOutline((on) => !on)
      if (key === 'b') showBacklinks(element.current)
      if (key === 'm') element.current?.querySelector<HTMLElement>('[data-tool=star]')?.click()
    }
    document.addEventListener('cairn-pane', onKey)
    return () => document.removeEventListener('cairn-pane', onKey)
  }, [reading])

  if (!IN_CHAT) useDoing(open, reading, source)
  if (!IN_CHAT) usePrinting(open, reading)

  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    const target = link.dataset['id']
    const [path, hash] = (link.getAttribute('href') ?? '').split('#')
    const fragment = decoded(hash ?? '')
    if (link.matches('.tag')) {
      event.preventDefault()
      go({ view: 'search', q: parseRoute(link.getAttribute('href') ?? '').q })
    } else if (target !== undefined) {
      event.preventDefault()
      openNote(target, { from: index, fragment, read: true })
    } else if (fragment !== '' && path === '') {
      event.preventDefault()
      // Footnotes lead to and fro within what one reads; sections are places of their own.
      if (/^fn(?:ref)?-/.test(fragment)) open.follow(fragment, link)
      else openNote(id, { from: index, fragment })
    }
  }

  const title = clean(note?.title ?? titles.value.get(id) ?? fileOf(id))
  const Name = reading ? 'h1' : 'h2'
  const isGone = error?.code === 'not_found'
  const first = parts[0]?.part ?? 0
  const last = parts.at(-1)?.part ?? 0
  const isLong = note !== undefined && note.parts > 1
  // What somebody writes stays open when the note is gone.
  const known = useRef(note)
  if (note) known.current = note
  const wanted = IN_CHAT ? undefined : edited.value.get(known.current?.id ?? id)
  const Editor = wanted && known.current && editor.shown
  const isEditing = Editor !== undefined
  const wasEditing = useRef(false)
  useLayoutEffect(() => {
    // The keys go back to the text that is read.
    if (wasEditing.current && !isEditing) body.current?.focus({ preventScroll: true })
    wasEditing.current = isEditing
  }, [isEditing])
  const hasRail = !IN_CHAT && roomy && note !== undefined
  return (
    <article
      ref={element}
      class={`pane${reading ? ' reading' : ''}${isEditing ? ' editing' : ''}`}
      aria-label={title}
      onPointerDown={() => {
        if (!reading) readPane(index)
      }}
    >
      <header class="pane-head" inert={isEditing}>
        <button
          type="button"
          class="only-phone quiet"
          aria-label="Back to the results"
          onClick={() => go({ panes: [], focus: 0 })}
        >
          <Icon name="back" />
        </button>
        <div class="names">
          <Name dir="auto">{title}</Name>
          <Path id={note?.id ?? id} />
        </div>
        <div class="tools">
          {!IN_CHAT && offers(note).includes('edit') && (
            <Tool label="Edit (e)" icon="edit" onClick={() => edit(note!, body.current, 'edit')} />
          )}
          {!isGone && (
            <Tool
              label="Source with line numbers (s)"
              icon="code"
              pressed={source}
              onClick={() => setSource(!source)}
            />
          )}
          {!isGone && (
            <Tool
              label="Graph around this note (g)"
              icon="graph"
              onClick={() => show('graph', { node: note?.id ?? id, depth: '1' })}
            />
          )}
          <Tool
            label={pane.pinned ? 'Unpin (p)' : 'Pin (p)'}
            icon="pin"
            pressed={pane.pinned}
            onClick={() =>
              go(
                {
                  panes: route.value.panes.map((each, at) =>
                    at === index ? { ...each, pinned: !each.pinned } : each,
                  ),
                },
                'replace',
              )
            }
          />
          {!IN_CHAT && (!isGone || isKept(noteAddress(id))) && (
            <Tool
              label="Bookmark (m)"
              icon="star"
              pressed={isKept(noteAddress(note?.id ?? id))}
              onClick={() => keep({ url: noteAddress(note?.id ?? id), name: title })}
            />
          )}
          {IN_CHAT && (
            <Tool
              label="Send to the chat"
              icon="ask"
              onClick={() =>
                void sendToChat(`Please look at "${title}" (${note?.id ?? id}).`).then(
                  () => say('Sent to the chat'),
                  () => say('The chat did not take it'),
                )
              }
            />
          )}
          {!IN_CHAT && offers(note).length > 0 && (
            <Tool
              label="What to do with it (.)"
              icon="more"
              onClick={() => begin({ kind: 'menu', note: note! })}
            />
          )}
          <Tool label="Close (x)" icon="close" onClick={() => closePane(index)} />
        </div>
      </header>
      <div class="pane-room" inert={isEditing}>
        <div
          ref={body as { current: HTMLDivElement | null }}
          class="body"
          tabIndex={0}
          role="region"
          aria-label={`Text of ${title}`}
          data-scroll={`note ${id}`}
        >
          {!IN_CHAT && (note ?? error) && (
            <Drafted id={note?.id ?? id} edits={note?.edits !== undefined} />
          )}
          {error && (
            <NoteProblem error={error} id={id} index={index} was={known.current !== undefined} />
          )}
          {!note && !error && <Waiting what="Opening" />}
          {note && source && <Source id={id} lines={lines} version={version} />}
          {note && !source && (
            <>
              {quote !== '' && <QuoteState note={note} />}
              <About note={note} index={index} />
              {!hasRail && (outline || note.headings.length > 12) && (
                <Outline note={note} open={outline} index={index} />
              )}
              {isLong && !hasRail && (
                // Below a text that goes on while one scrolls, nobody would ever get to them.
                <details class="backlinks-above">
                  <summary>Backlinks</summary>
                  <Backlinks id={note.id} index={index} version={version} />
                </details>
              )}
              {!IN_CHAT && parts.length < note.parts && (
                <p class="only-print">
                  {`Parts ${first + 1} to ${last + 1} of ${note.parts}: Ctrl P on the page prints all.`}
                </p>
              )}
              {first > 0 && (
                <p class="more" data-more="earlier">
                  <button type="button" onClick={open.earlier}>
                    {`Earlier (part ${first} of ${note.parts})`}
                  </button>
                </p>
              )}
              {parts.map(({ part, html }) => (
                <Html key={part} class="prose" part={part} html={html} onClick={onClick} />
              ))}
              {last + 1 < note.parts && (
                <p class="more" data-more="later">
                  <button type="button" onClick={open.later}>
                    {`Read on (part ${last + 2} of ${note.parts})`}
                  </button>
                </p>
              )}
              {!isLong && !hasRail && <Backlinks id={note.id} index={index} version={version} />}
            </>
          )}
        </div>
        {!IN_CHAT && hasRail && (
          <NoteRail note={note} parts={parts} body={body} index={index} version={version} />
        )}
      </div>
      {!IN_CHAT && Editor && <Editor note={known.current!} wanted={wanted!} onClick={onClick} />}
    </article>
  )
}

/** On paper there is no scrolling: of a long note all is loaded before it is printed. */
function usePrinting({ note, parts, whole }: OpenNote, reading: boolean): void {
  const isPart = reading && note !== undefined && parts.length < note.parts
  useEffect(() => {
    if (!isPart) return undefined
    let isBusy = false
    const onKey = async (event: KeyboardEvent): Promise<void> => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (isBusy) return
      isBusy = true
      say('Loading all of this note to print it')
      try {
        const back = await whole()
        if (back) {
          addEventListener('afterprint', back, { once: true })
          // Once it is painted.
          requestAnimationFrame(() => setTimeout(() => print()))
        } else say('This note has just changed: print it again')
      } catch (problem) {
        say(errorOf(problem).message)
      }
      isBusy = false
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isPart, note, parts])
}

interface ToolProps {
  readonly label: string
  readonly icon: Parameters<typeof Icon>[0]['name']
  readonly pressed?: boolean
  readonly onClick: () => void
}

function Tool({ label, icon, pressed, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="quiet"
      title={label}
      aria-label={label}
      data-tool={icon}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

/** What a note is called as long as nobody has read it. */
function fileOf(id: string): string {
  return (id.split('/').at(-1) ?? id).replace(/\.\w+$/, '')
}

function showBacklinks(pane: HTMLElement | null): void {
  const folded = pane?.querySelector<HTMLDetailsElement>('.backlinks-above')
  if (folded) folded.open = true
  pane?.querySelector('.backlinks, .backlinks-above')?.scrollIntoView({ block: 'start' })
}

/** What the tool says is for agents, who know notes by their ids. */
const GONE = 'It may have been renamed, moved or deleted; the history says what was done here.'

function NoteProblem({
  error,
  id,
  index,
  was,
}: {
  readonly error: DoorError
  readonly id: string
  readonly index: number
  /** It was read here a moment ago. */
  readonly was: boolean
}) {
  return (
    <>
      {error.candidates.length > 0 ? (
        <div class="problem" role="alert">
          <p>{clean(error.message)}</p>
          {was && <p class="hint">{GONE}</p>}
          <p class="hint">Did you mean</p>
          <ul class="candidates">
            {error.candidates.map((each) => (
              <li key={each}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    // Instead of what is not there.
                    const { panes } = route.peek()
                    go({ panes: panes.filter((_, at) => at !== index), focus: 0 }, 'replace')
                    openNote(each, { read: true })
                  }}
                >
                  {clean(each)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <Problem
          error={error.code === 'not_found' ? { message: error.message, hint: GONE } : error}
        />
      )}
      <p class="row-of-buttons">
        <button
          type="button"
          onClick={() =>
            go({
              q: fileOf(id),
            })
          }
        >
          Search for it
        </button>
        {!IN_CHAT && mayWrite.value && error.code === 'not_found' && (
          <button type="button" onClick={() => begin({ kind: 'create', wanted: newNoteAt(id) })}>
            Make this note
          </button>
        )}
        <button type="button" onClick={() => closePane(index)}>
          Close
        </button>
      </p>
    </>
  )
}
