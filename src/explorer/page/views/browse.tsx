/** The notes of a folder or a tag as a table: in any order, with what they say of themselves. */
import { useEffect, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { hasRail, ListLink, Rail, useFolders } from '../parts/rail.tsx'
import { clean, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import { useScrollBack } from '../parts/use-scroll-back.ts'
import { door, errorOf, facts, go, openNote, reconnected, route } from '../state/app.ts'
import { useBeginning } from '../state/beginning.ts'
import { begin } from '../state/acting.ts'
import { mayWrite } from '../state/writing.ts'
import { anyChanged } from '../state/changes.ts'
import { decoded, titleOfList } from '../state/route.ts'
import type { FolderTable } from '../../wire/wire.ts'

export function Browse() {
  useBeginning(hasRail.value)
  const { more } = route.value
  const folder = more['in'] ?? ''
  return (
    <div class="reading-room">
      {hasRail.value && <Rail />}
      <Listed key={`${folder}\n${more['tagged'] ?? ''}`} folder={folder} />
    </div>
  )
}

const AT_ONCE = 100
/** Newest first is what one means by a date. */
const NEWEST_FIRST = 'updated'

function Listed({ folder }: { readonly folder: string }) {
  const { more } = route.value
  const { tagged: tag = '', sort = 'title', reverse = '', columns } = more
  const [table, setTable] = useState<FolderTable | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const room = useScrollBack('list', table !== undefined)
  const inside = useFolders(folder)
  const asked = {
    path: folder,
    ...(tag !== '' && { tag }),
    sort,
    reverse: reverse !== '',
    ...(columns !== undefined && { columns: columns.split(',').filter(Boolean).map(decoded) }),
  }
  const load = (offset: number, signal?: AbortSignal): void => {
    const request = { ...asked, offset, limit: AT_ONCE }
    door.read<FolderTable>('table', request, signal).then(
      (found) => {
        setError(undefined)
        setTable((before) =>
          before && offset > 0 ? { ...found, rows: [...before.rows, ...found.rows] } : found,
        )
      },
      (problem: unknown) => {
        if (!signal?.aborted) setError(errorOf(problem))
      },
    )
  }
  useEffect(() => {
    const gone = new AbortController()
    load(0, gone.signal)
    return () => gone.abort()
  }, [sort, reverse, columns, facts.value?.documents, anyChanged.value, reconnected.value])

  const set = (change: Readonly<Record<string, string>>): void =>
    go({ more: { ...more, ...change } }, 'replace')
  const sortBy = (key: string): void =>
    set({ sort: key, reverse: sort === key && reverse === '' ? '1' : '' })
  const folders = tag === '' ? (inside?.folders ?? []) : []
  return (
    <div class="scroll listed" ref={room} data-scroll="list">
      <div class="page wide">
        <Way folder={folder} />
        <h1 dir="auto">{clean(titleOfList(more))}</h1>
        <p class="lead">
          {table && plural(table.total, 'note')}
          {folders.length > 0 && ` · ${plural(folders.length, 'folder')}`}
          {/* A source is called what the settings say. */}
          {tag === '' && /\/./.test(folder) && mayWrite.value && (
            <button
              type="button"
              class="plain"
              onClick={() => begin({ kind: 'move-folder', folder: folder.replace(/\/*$/, '/') })}
            >
              Rename or move…
            </button>
          )}
        </p>
        {folders.length > 0 && (
          <p class="chips">
            {folders.map(({ name, path, notes }) => (
              <ListLink key={path} to={{ in: path }} current={false} class="chip">
                <span dir="auto">{clean(name)}</span>{' '}
                <span class="count">{notes.toLocaleString('en')}</span>
              </ListLink>
            ))}
          </p>
        )}
        {error && <Problem error={error} />}
        {!table && !error && <Waiting />}
        {table && table.keys.length > 0 && <Columns table={table} onChange={set} />}
        {table && table.total > 0 && (
          <div class="table-room" tabIndex={0} role="region" aria-label="Notes">
            <table class="notes">
              <thead>
                <tr>
                  {['title', ...table.columns, 'updated'].map((key) => (
                    <th
                      key={key}
                      scope="col"
                      aria-sort={sort === key ? directionOf(key, reverse !== '') : undefined}
                    >
                      <button type="button" class="plain" onClick={() => sortBy(key)}>
                        {clean(key)}
                        {sort === key && <span aria-hidden="true">{arrowOf(key, reverse)}</span>}
                      </button>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map(({ id, title, values, updatedAt }) => (
                  <tr key={id}>
                    <th scope="row">
                      <button
                        type="button"
                        class="plain opens"
                        onClick={() => openNote(id, { read: true })}
                      >
                        <span dir="auto">{clean(title)}</span>
                      </button>
                      <span class="path">{clean(id.slice(folder.length))}</span>
                    </th>
                    {values.map((value, at) => (
                      <td key={at} dir="auto" data-label={clean(table.columns[at] ?? '')}>
                        {clean(value)}
                      </td>
                    ))}
                    <td class="when">
                      {updatedAt !== undefined && <Time at={updatedAt} only="day" />}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {table && table.rows.length < table.total && (
          <p class="more">
            <button type="button" onClick={() => load(table.rows.length)}>
              {`More (${(table.total - table.rows.length).toLocaleString('en')})`}
            </button>
          </p>
        )}
        {table?.total === 0 && <p class="nothing">There are no notes here.</p>}
      </div>
    </div>
  )
}

function directionOf(key: string, reverse: boolean): 'ascending' | 'descending' {
  return (key === NEWEST_FIRST) === reverse ? 'ascending' : 'descending'
}

function arrowOf(key: string, reverse: string): string {
  return directionOf(key, reverse !== '') === 'ascending' ? ' ↑' : ' ↓'
}

/** The folders above this one. */
function Way({ folder }: { readonly folder: string }) {
  const names = folder.split('/').slice(0, -1)
  return (
    <nav class="way-up" aria-label="Folders above">
      <ListLink to={{}} current={false}>
        All notes
      </ListLink>
      {names.slice(0, -1).map((name, at) => (
        <ListLink key={at} to={{ in: `${names.slice(0, at + 1).join('/')}/` }} current={false}>
          {clean(name)}
        </ListLink>
      ))}
    </nav>
  )
}

function Columns({
  table,
  onChange,
}: {
  readonly table: FolderTable
  readonly onChange: (change: Readonly<Record<string, string>>) => void
}) {
  const choose = (key: string, on: boolean): void => {
    const columns = table.keys.filter((each) => (each === key ? on : table.columns.includes(each)))
    // A comma in a name would be two names; one by itself is none.
    onChange({ columns: columns.map(encodeURIComponent).join() || ',' })
  }
  return (
    <details class="columns">
      <summary>Columns</summary>
      <div class="narrow">
        {table.keys.map((key) => (
          <label key={key} class="check">
            <input
              type="checkbox"
              checked={table.columns.includes(key)}
              onChange={(event) => choose(key, event.currentTarget.checked)}
            />
            <span>{clean(key)}</span>
          </label>
        ))}
      </div>
    </details>
  )
}
