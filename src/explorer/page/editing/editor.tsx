/** A note, or a part of it, is written where it is read: the text, and beside it what it will look like. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { addStyle } from '../parts/add-style.ts'
import { clean, Problem, Waiting } from '../parts/text.tsx'
import type { DoorError } from '../door.ts'
import { attachFiles } from '../doing/attach-files.ts'
import { begin, offers } from '../state/acting.ts'
import { errorOf, go, route, say } from '../state/app.ts'
import { noteVersion } from '../state/changes.ts'
import { endEditing, startEditing, type EditorProps } from '../state/editing.ts'
import style from './editing.css'
import { Merging } from './merging.tsx'
import { movedTo } from './moved-to.ts'
import type { Shown } from './preview-window.ts'
import { Preview } from './preview.tsx'
import { openTextEditor, type TextEditor } from './text-editor.ts'
import { openSession, type Session, type State } from './writing-session.ts'

/** From here on, text and preview stand beside each other. */
const BESIDE = 720

export function Editor(props: EditorProps) {
  const { note, wanted } = props
  const [session, setSession] = useState<Session | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  useEffect(() => {
    addStyle(style)
    let current: Session | undefined
    let isOver = false
    openSession(note.id, wanted, clean(note.title)).then(
      (opened) => {
        current = opened
        if (isOver) opened.close()
        else setSession(opened)
      },
      (problem: unknown) => {
        if (!isOver) setError(errorOf(problem))
      },
    )
    return () => {
      isOver = true
      current?.close()
      // What was left is offered when one comes back.
      endEditing(note.id)
    }
  }, [])
  if (session) return <Writing {...props} session={session} />
  return (
    <div class="editor empty">
      {error ? <Problem error={error} /> : <Waiting what="Opening the editor" />}
      {error && (
        <p class="row-of-buttons">
          <button type="button" autofocus onClick={() => leave(props)}>
            Close
          </button>
        </p>
      )}
    </div>
  )
}

function leave({ note }: EditorProps): void {
  endEditing(note.id)
}

function Writing({ session, ...props }: EditorProps & { readonly session: Session }) {
  const { note, onClick } = props
  const title = clean(note.title)
  const room = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<TextEditor>(undefined)
  const [shown, setShown] = useState<Shown>({ text: session.text, line: 1 })
  const [withPreview, setPreview] = useState(false)
  const [closing, setClosing] = useState(false)
  const state = session.state.value
  const conflict = session.conflict.value
  const { first, digest } = session.base.value
  const version = noteVersion(note.id)
  const takesFiles = offers(note).includes('attach')

  const look = (): void => {
    const { current } = editor
    if (current) setShown({ text: current.text(), line: current.line() })
  }
  const done = async (close: boolean): Promise<void> => {
    if (!(await session.save()) || !close) return
    // The new text is painted under the editor before the editor goes.
    setClosing(true)
  }
  const away = (): void => {
    if (!session.isChanged()) return leave(props)
    begin({
      kind: 'leave',
      unsaved: {
        title,
        stay: () => editor.current?.focus(),
        save: () => void done(true),
        keep: () => leave(props),
        drop() {
          session.drop()
          leave(props)
        },
      },
    })
  }
  const onKey = (event: KeyboardEvent): void => {
    // What is open over the text has taken it; a window over it has keys of its own.
    if (event.defaultPrevented || (event.target as Element).closest('dialog, .merging')) return
    const isCommand = event.ctrlKey || event.metaKey
    if (event.key === 'Escape') away()
    else if (isCommand && event.key.toLowerCase() === 's') void done(false)
    else if (isCommand && event.key === 'Enter') void done(true)
    else return
    event.preventDefault()
  }

  // Beside the text a file would be opened by the browser, instead of the page.
  const onDrop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    if (takesFiles) editor.current?.takeFiles(files)
  }

  useLayoutEffect(() => {
    const made = openTextEditor(host.current!, {
      text: session.text,
      label: `Text of ${title}`,
      isMarkdown: /\.(?:md|markdown|mdx)$/i.test(note.path),
      id: note.id,
      first,
      onChange() {
        session.changed()
        look()
      },
      onMove: look,
      onFiles: takesFiles
        ? async (files, put) => {
            const refused = await attachFiles(note.id, files, put)
            if (refused.length > 0) begin({ kind: 'attach', note, refused })
          }
        : undefined,
    })
    editor.current = made
    session.attach(made)
    setPreview((room.current?.clientWidth ?? 0) >= BESIDE)
    const { near } = props.wanted
    if (near !== undefined && near > first) made.goTo(near - first + 1)
    const flush = (event: BeforeUnloadEvent): void => {
      // Kept as a draft it is not lost; where it is not, one is asked. It goes on if one stays.
      if (!session.keep()) event.preventDefault()
    }
    addEventListener('beforeunload', flush)
    return () => {
      removeEventListener('beforeunload', flush)
      if (session.isChanged()) {
        const isKept = session.keep()
        session.close()
        say(isKept ? 'What you wrote is kept as a draft' : 'This browser kept no draft of it')
      }
      made.close()
      editor.current = undefined
    }
  }, [])

  // Once it is there, the text takes the keys.
  const isDeciding = conflict !== undefined
  useLayoutEffect(() => {
    if (!isDeciding) editor.current?.focus()
  }, [isDeciding])

  // Others may have changed it.
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else void session.follow()
  }, [version])

  useEffect(() => {
    if (!closing) return undefined
    if (note.digest === digest) {
      leave(props)
      return undefined
    }
    const timer = setTimeout(() => leave(props), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [closing, note.digest, digest])

  const isDone = state.kind === 'saved' || state.kind === 'merged'
  return (
    <div
      ref={room}
      class="editor"
      data-preview={withPreview}
      role="region"
      aria-label={`Editing ${title}`}
      onKeyDown={onKey}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      }}
      onDrop={onDrop}
    >
      <div class="editor-head">
        <div class="what">
          <h1 dir="auto">{title}</h1> {partOf(session)}
        </div>
        <span class={`state ${state.kind}`} role="status">
          {SAID[state.kind]}
        </span>
        <span class="row-of-buttons">
          <button
            type="button"
            class="quiet"
            aria-pressed={withPreview}
            onClick={() => setPreview(!withPreview)}
          >
            Preview
          </button>
          <button
            type="button"
            class="primary"
            title="Save and close (Ctrl Enter); Ctrl S saves and goes on"
            disabled={state.kind === 'saving' || conflict !== undefined}
            onClick={() => void done(true)}
          >
            Save
          </button>
          <button type="button" title="Close (Esc)" onClick={away}>
            {isDone ? 'Close' : 'Close…'}
          </button>
        </span>
      </div>
      {state.kind === 'failed' && <Problem error={state.error} />}
      {state.kind === 'gone' && <Gone id={note.id} session={session} />}
      {conflict && (
        <Merging
          parts={conflict}
          onBack={() => (session.conflict.value = undefined)}
          onDecide={(text, save) => {
            session.decide(text)
            if (save) void done(true)
          }}
        />
      )}
      <div class="editor-room" hidden={conflict !== undefined}>
        <div class="written" ref={host} />
        {withPreview && (
          <Preview id={note.id} shown={shown} first={first} title={title} onClick={onClick} />
        )}
      </div>
    </div>
  )
}

/** Somebody else has moved or deleted it: where it was moved, one goes on with it there. */
function Gone({ id, session }: { readonly id: string; readonly session: Session }) {
  const [to, setTo] = useState<string | undefined>()
  useEffect(() => {
    void movedTo(id).then(setTo)
  }, [id])
  if (to === undefined) return <Problem error={GONE} />
  const goOn = (): void => {
    const draft = session.handOver(to)
    if (!draft) return say('This browser keeps no drafts: copy what you wrote')
    session.drop()
    const { panes } = route.peek()
    go({ panes: panes.map((pane) => (pane.id === id ? { ...pane, id: to } : pane)) }, 'replace')
    endEditing(id)
    startEditing(to, { draft })
  }
  return (
    <p class="problem" role="alert">
      Somebody else moved this note to <span class="path">{clean(to)}</span>.{' '}
      <button type="button" onClick={goOn}>
        Go on writing there
      </button>
    </p>
  )
}

/** Longer than a note takes to be read again. */
const PATIENCE_MS = 2_000

const SAID: Readonly<Record<State['kind'], string>> = {
  saved: 'Saved',
  merged: 'Somebody else changed this; you see it as it is now.',
  changed: 'Not saved; kept as a draft',
  unkept: 'Not saved, and this browser keeps no draft of it',
  saving: 'Saving…',
  touched: 'Somebody else changed the same lines. When you save, you see both.',
  failed: 'Not saved',
  gone: 'Not saved',
}

const GONE = {
  message: 'This note is no longer there.',
  hint: 'What you wrote is kept as a draft. Bring the note back from the history, and it is offered again.',
}

function partOf({ base }: Session): string {
  const { first, last, lines, heading } = base.value
  if (first === 1 && last === lines) return ''
  if (heading !== undefined) return `· “${clean(heading)}”`
  return `· lines ${first.toLocaleString('en')} to ${last.toLocaleString('en')} of ${lines.toLocaleString('en')}`
}
