/** Makes a note: where it will go and what it will hold is shown while one writes its name. */
import { useEffect, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { clean, Problem } from '../parts/text.tsx'
import type { NewNote } from '../state/acting.ts'
import { door, errorOf, go, openNote, route, say } from '../state/app.ts'
import { endEditing, startEditing } from '../state/editing.ts'
import { changed, sayDone, write, type Written } from '../state/writing.ts'
import type { ListedFolders, Making as Known } from '../../wire/wire.ts'
import { Dialog } from './dialog.tsx'
import { usePlanned } from './planned.tsx'

interface Props {
  readonly wanted: NewNote
  readonly onClose: () => void
}

interface Plan {
  readonly known: Known
  /** Where there is a name. */
  readonly edit?: object
  readonly text?: string
  readonly warnings?: readonly string[]
  /** Why it cannot be made like this. */
  readonly problem?: DoorError
}

/** Of a text that a template makes, so much is shown. */
const SHOWN_CHARS = 2_000

export function Making({ wanted, onClose }: Props) {
  const { name: given = '', from, relative, beside } = wanted
  const [name, setName] = useState(given.split('#')[0]!.trim())
  const [folder, setFolder] = useState(wanted.folder)
  const [template, setTemplate] = useState('')
  const planned = usePlanned<Plan>(JSON.stringify([name, folder, template]), {
    async look(signal) {
      const asked = { name, from, relative, beside, folder, today: today() }
      const known = await door.read<Known>('making', asked, signal)
      if (name.trim() === '') return { known }
      const text = known.begins === 'title' ? `# ${titleOf(name)}\n` : ''
      const edit = {
        action: 'create',
        id: known.id,
        ...(template === '' ? { content: text } : { template }),
      }
      try {
        const asked = { ...edit, dry_run: true }
        const would = await door.call<Written & { diff: string }>('write', asked, signal)
        if (template === '') return { known, edit }
        return { known, edit, text: added(would.diff), warnings: would.warnings ?? [] }
      } catch (problem) {
        if (signal.aborted) throw problem
        return { known, problem: errorOf(problem) }
      }
    },
    async act({ edit }) {
      if (!edit) return
      const { id, operation } = await write(edit)
      onClose()
      // A link that led nowhere leads there now.
      if (from !== undefined) changed([from])
      show(id, `Made ${titleOf(name)}`, operation)
    },
  })
  const { error, busy } = planned
  const last = useLast(planned.plan)
  const { problem } = planned.plan ?? {}
  const isReady = planned.plan?.edit !== undefined && !busy
  return (
    <Dialog title="New note" onClose={onClose}>
      <h2>New note</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          planned.carryOut()
        }}
      >
        <label>
          <span>Name</span>
          <input
            type="text"
            value={name}
            maxLength={500}
            autocomplete="off"
            dir="auto"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <FolderField value={folder ?? last?.known.folder ?? ''} onChange={setFolder} />
        {(last?.known.templates.length ?? 0) > 0 && (
          <label>
            <span>Template</span>
            <select value={template} onChange={(event) => setTemplate(event.currentTarget.value)}>
              <option value="">none</option>
              {last?.known.templates.map(({ name: each, id }) => (
                <option key={id} value={id}>
                  {clean(each)}
                </option>
              ))}
            </select>
          </label>
        )}
        <p class="outcome" role="status">
          {planned.plan?.edit ? (
            <>
              It will be <span class="path">{clean(planned.plan.known.id)}</span>
            </>
          ) : name.trim() === '' ? (
            'What shall it be called?'
          ) : (
            !problem && !error && 'Looking where it goes…'
          )}
        </p>
        {(problem ?? error) && <Problem error={(problem ?? error)!} />}
        {planned.plan?.warnings?.map((each) => (
          <p key={each} class="remark">
            {clean(each)}
          </p>
        ))}
        {planned.plan?.text !== undefined && (
          <pre class="diff" tabIndex={0} role="region" aria-label="What it will hold">
            {planned.plan.text.slice(0, SHOWN_CHARS)}
          </pre>
        )}
        <p class="row-of-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          {problem?.code === 'exists' ? (
            <button
              type="button"
              class="primary"
              onClick={() => {
                onClose()
                openNote(planned.plan!.known.id, { read: true })
              }}
            >
              Open the note that is there
            </button>
          ) : (
            <button type="submit" class="primary" disabled={!isReady}>
              Make it
            </button>
          )}
        </p>
      </form>
    </Dialog>
  )
}

/** Of a file that is new, the difference is all of it. */
function added(diff: string): string {
  const [, ...lines] = diff.slice(diff.indexOf('\n@@')).split('\n+')
  return lines.join('\n')
}

/** The folders below what is written so far are offered. */
export function FolderField({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (folder: string) => void
}) {
  const above = value.slice(0, value.lastIndexOf('/') + 1)
  const [inside, setInside] = useState<readonly string[]>([])
  useEffect(() => {
    const gone = new AbortController()
    door.read<ListedFolders>('folders', { path: above }, gone.signal).then(
      ({ folders }) => setInside(folders.map(({ path }) => path)),
      () => undefined,
    )
    return () => gone.abort()
  }, [above])
  return (
    <label>
      <span>Folder</span>
      <input
        type="text"
        value={value}
        maxLength={1_000}
        autocomplete="off"
        dir="auto"
        list="folders-to-go"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id="folders-to-go">
        {inside.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  )
}

/** What was shown last stays while the next is looked for. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  useEffect(() => {
    if (value !== undefined) setLast(() => value)
  }, [value])
  return value ?? last
}

/** The note of the day, as the one who sits here counts days; made where there is none. */
export async function openDaily(): Promise<void> {
  try {
    const { daily } = await door.read<Known>('making', { today: today() })
    if (!daily) return
    const open = (): void => openNote(daily.id, { read: true })
    if (daily.exists) return open()
    try {
      const made = await write({ action: 'create', template: 'daily', id: today() })
      show(made.id, 'Made the note of today', made.operation)
    } catch (problem) {
      // Somebody made it in this moment.
      if (errorOf(problem).code !== 'exists') throw problem
      open()
    }
  } catch (problem) {
    say(errorOf(problem).message)
  }
}

/** Who has made a note goes on to write it. */
function show(id: string, said: string, operation: string | undefined): void {
  openNote(id, { read: true })
  startEditing(id, {})
  sayDone(clean(said), operation, () => {
    endEditing(id)
    const { panes } = route.peek()
    go({ panes: panes.filter((pane) => pane.id !== id), focus: 0 }, 'replace')
  })
}

/** As people read it: the last part of a path, without its ending. */
function titleOf(name: string): string {
  const last = name.split('#')[0]!.split('/').at(-1) ?? ''
  return last.trim().replace(/\.(?:md|markdown)$/, '')
}

/** As it is where one sits. */
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
