/** Notes in columns by what they say under one name; a card that is moved says something else then. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { addStyle } from '../parts/add-style.ts'
import { clean } from '../parts/text.tsx'
import { errorOf, openNote, say } from '../state/app.ts'
import { somethingChanged } from '../state/changes.ts'
import { mayWrite, sayDone, write } from '../state/writing.ts'
import type { FolderTable } from '../../wire/wire.ts'
import style from './collected.css'

interface Props {
  readonly table: FolderTable
  /** The property; it is the first of the columns. */
  readonly by: string
}

type Note = FolderTable['rows'][number]
/** A property with one value; what has a list of them is shown and not moved. */
type Value = string | number | boolean | null

interface Column {
  readonly name: string
  readonly value: Value
  readonly notes: readonly Note[]
}

const NAMES = new Intl.Collator('en', { numeric: true })
const MOST_COLUMNS = 40

export function Board({ table, by }: Props) {
  addStyle(style)
  // Until it is read again, a card is where it was put.
  const [moved, setMoved] = useState<ReadonlyMap<string, Value>>(new Map())
  const held = useRef<string | undefined>(undefined)
  const [over, setOver] = useState<string | undefined>()
  useEffect(() => setMoved(new Map()), [table])
  const columns = columnsOf(table, moved)
  const move = async (note: Note, to: Column): Promise<void> => {
    const { id, title, digest, key = by } = note
    if (nameOf(valueOf(note, moved)) === to.name) return
    setMoved((before) => new Map(before).set(id, to.value))
    try {
      const { operation } = await write({
        action: 'set_metadata',
        id,
        // Spelled otherwise, it would say two things.
        metadata: { [key]: to.value },
        if_digest: digest,
      })
      sayDone(
        `${clean(title)}: ${clean(by)} is ${to.name === '' ? 'taken away' : clean(to.name)}`,
        operation,
      )
    } catch (problem) {
      setMoved((before) => new Map([...before].filter(([each]) => each !== id)))
      say(errorOf(problem).message)
      somethingChanged()
    }
  }
  return (
    <div class="board-room" tabIndex={0} role="region" aria-label={`Board by ${clean(by)}`}>
      {columns.map((column) => {
        const { name, notes } = column
        return (
          <section
            key={name}
            aria-label={label(name)}
            class={over === name ? 'over' : ''}
            onDragOver={(event) => {
              if (held.current === undefined) return
              event.preventDefault()
              setOver(name)
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault()
              setOver(undefined)
              const note = table.rows.find(({ id }) => id === held.current)
              held.current = undefined
              if (note && isMovable(note)) void move(note, column)
            }}
          >
            <h2>
              <span dir="auto">{label(name)}</span> <span class="count">{notes.length}</span>
            </h2>
            <ul>
              {notes.map((note) => {
                const { id, title, values } = note
                const can = isMovable(note)
                return (
                  <li
                    key={id}
                    draggable={can}
                    onDragStart={(event) => {
                      held.current = id
                      event.dataTransfer?.setData('text/plain', id)
                    }}
                    onDragEnd={() => {
                      held.current = undefined
                      setOver(undefined)
                    }}
                  >
                    <button
                      type="button"
                      class="plain opens"
                      onClick={() => openNote(id, { read: true })}
                    >
                      <span dir="auto">{clean(title)}</span>
                    </button>
                    {values.slice(1).map((value, at) =>
                      value === '' ? null : (
                        <span key={at} class="values" dir="auto">
                          {`${clean(table.columns[at + 1] ?? '')} ${clean(value)}`}
                        </span>
                      ),
                    )}
                    {can && (
                      <select
                        aria-label={`${clean(by)} of ${clean(title)}`}
                        value={name}
                        onChange={({ currentTarget }) => {
                          const to = columns.find((each) => each.name === currentTarget.value)
                          if (to) void move(note, to)
                        }}
                      >
                        {columns.map((each) => (
                          <option key={each.name} value={each.name}>
                            {label(each.name)}
                          </option>
                        ))}
                      </select>
                    )}
                  </li>
                )
              })}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function label(name: string): string {
  return name === '' ? 'without' : clean(name)
}

function isMovable({ edits, raw }: Note): boolean {
  const value = raw?.[0]
  return mayWrite.value && edits === true && (value === null || typeof value !== 'object')
}

function valueOf({ id, raw }: Note, moved: ReadonlyMap<string, Value>): Value {
  const put = moved.get(id)
  if (put !== undefined) return put
  const value = raw?.[0]
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : value === null || value === undefined
      ? null
      : JSON.stringify(value)
}

function nameOf(value: Value): string {
  return value === null ? '' : String(value).trim()
}

/** In the order of their names; those that say nothing stand last, and so does what is too many. */
function columnsOf({ rows }: FolderTable, moved: ReadonlyMap<string, Value>): readonly Column[] {
  const columns = new Map<string, { name: string; value: Value; notes: Note[] }>()
  // A column stays where its last card was taken from.
  for (const note of rows) {
    const own = valueOf(note, new Map())
    const name = nameOf(own)
    if (!columns.has(name)) columns.set(name, { name, value: own, notes: [] })
  }
  if (!columns.has('')) columns.set('', { name: '', value: null, notes: [] })
  for (const note of rows) columns.get(nameOf(valueOf(note, moved)))?.notes.push(note)
  return [...columns.values()]
    .toSorted(
      (a, b) => Number(a.name === '') - Number(b.name === '') || NAMES.compare(a.name, b.name),
    )
    .slice(0, MOST_COLUMNS)
}
