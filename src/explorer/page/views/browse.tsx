/** The notes of a folder or a tag as a table: in any order, with what they say of themselves. */
import { useEffect, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { hasRail, ListLink, Rail, useFolders } from '../parts/rail.tsx'
import { clean, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import { useScrollBack } from '../parts/use-scroll-back.ts'
import { isKept } from '../state/bookmarks.ts'
import { keep } from '../parts/bookmarks.tsx'
import { later } from '../parts/later.tsx'
import { door, errorOf, facts, go, openNote, reconnected, route, say } from '../state/app.ts'
import { useBeginning } from '../state/beginning.ts'
import { begin } from '../state/acting.ts'
import { mayWrite } from '../state/writing.ts'
import { anyChanged } from '../state/changes.ts'
import { decoded, formatRoute, titleOfList, TOP } from '../state/route.ts'
import type { FolderTable } from '../../wire/wire.ts'

export function Browse() {
  useBeginning(hasRail.value)
  const { more } = route.value
  const folder = more['in'] ?? ''
  return (
    <div class="reading-room">
      {hasRail.value && <Rail />}
      <Listed
        key={`${folder}\n${more['tagged'] ?? ''}\n${more['words'] ?? ''}\n${more['as'] ?? ''}`}
        folder={folder}
      />
    </div>
  )
}

// Nobody who looks at a table pays for these.
const Board = later(async () => (await import('../collected/collected.ts')).Board)
const Month = later(async () => (await import('../collected/collected.ts')).Month)

const AT_ONCE = 100
/** A board and a month are looked at as a whole. */
const MANY_AT_ONCE = 500
const SHAPES = ['table', 'board', 'calendar'] as const
/** Newest first is what one means by a date. */
const NEWEST_FIRST = 'updated'

function Listed({ folder }: { readonly folder: string }) {
  const { more } = route.value
  const { tagged: tag = '', words = '', sort = 'title', reverse = '', columns } = more
  const { where = '' } = route.value.filters
  const shape = SHAPES.find((each) => each === more['as']) ?? 'table'
  const by = more['by'] ?? ''
  const month = /^\d{4}-\d{2}$/.test(more['month'] ?? '') ? more['month']! : thisMonth()
  const [table, setTable] = useState<FolderTable | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const room = useScrollBack('list', table !== undefined)
  const inside = useFolders(folder)
  const chosen = columns?.split(',').filter(Boolean).map(decoded)
  const asked = {
    path: folder,
    ...(tag !== '' && { tag }),
    ...(words !== '' && { words }),
    ...(where !== '' && { where }),
    sort,
    reverse: reverse !== '',
    ...(chosen && { columns: chosen }),
  }
  const ofShape =
    shape === 'table' || by === ''
      ? {}
      : {
          raw: true,
          limit: MANY_AT_ONCE,
          columns: [by, ...(chosen ?? []).filter((key) => key !== by)].slice(0, 4),
          ...(shape === 'calendar' && { where: joined(where, `${quoted(by)} = ${month}`) }),
        }
  const load = (offset: number, signal?: AbortSignal): void => {
    const request = { ...asked, offset, limit: AT_ONCE, ...ofShape }
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
  }, [
    sort,
    reverse,
    columns,
    where,
    by,
    shape === 'calendar' ? month : '',
    facts.value?.documents,
    anyChanged.value,
    reconnected.value,
  ])
  // What notes have tells what a board or a calendar may be made of.
  const offered = table && byOf(table, shape)
  useEffect(() => {
    if (shape !== 'table' && by === '' && offered?.[0]) set({ by: offered[0] })
  }, [shape, by, offered?.[0]])

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
        {(table || where !== '') && <Facets table={table} where={where} />}
        <p class="row-of-buttons list-tools">
          <span class="chips" role="group" aria-label="Shown as">
            {SHAPES.map((each) => (
              <button
                key={each}
                type="button"
                class="chip"
                aria-pressed={each === shape}
                onClick={() => set({ as: each === 'table' ? '' : each, by: '', month: '' })}
              >
                {`${each.charAt(0).toUpperCase()}${each.slice(1)}`}
              </button>
            ))}
          </span>
          {shape !== 'table' && offered && by !== '' && (
            <label class="check">
              <span>by</span>
              <select value={by} onChange={(event) => set({ by: event.currentTarget.value })}>
                {[...new Set([by, ...offered])].map((key) => (
                  <option key={key} value={key}>
                    {clean(key)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {table && table.total > 0 && <Exports asked={asked} name={titleOfList(more)} />}
          <Keep name={[titleOfList(more), where, shape === 'table' ? '' : shape]} />
        </p>
        {table && table.keys.length > 0 && shape !== 'calendar' && (
          <Columns table={table} onChange={set} />
        )}
        {table && shape === 'board' && table.columns[0] === by && <Board table={table} by={by} />}
        {table && shape === 'calendar' && table.columns[0] === by && (
          <Month table={table} month={month} onMonth={(each) => set({ month: each })} />
        )}
        {table && shape !== 'table' && offered?.length === 0 && by === '' && (
          <p class="nothing">No note here says anything to go by.</p>
        )}
        {table && shape === 'table' && table.total > 0 && (
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
        {table && (shape === 'table' || by !== '') && table.rows.length < table.total && (
          <p class="more">
            {shape !== 'table' && (
              <span class="hint">
                {`The first ${table.rows.length.toLocaleString('en')} of ${plural(table.total, 'note')}. `}
              </span>
            )}
            <button type="button" onClick={() => load(table.rows.length)}>
              {`More (${(table.total - table.rows.length).toLocaleString('en')})`}
            </button>
          </p>
        )}
        {table?.total === 0 && shape === 'table' && <p class="nothing">There are no notes here.</p>}
      </div>
    </div>
  )
}

function thisMonth(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 7)
}

function quoted(key: string): string {
  return `"${key.replaceAll(/["\\]/g, '\\$&')}"`
}

function joined(...conditions: readonly string[]): string {
  return conditions
    .filter(Boolean)
    .map((each) => (/\sor\s/i.test(each) && !each.startsWith('(') ? `(${each})` : each))
    .join(' and ')
}

/** What is joined by `and`; what stands in quotes or parentheses is one. */
function conditionsOf(where: string): readonly string[] {
  const found = ['']
  for (const [piece] of where.matchAll(/"(?:[^"\\]|\\.)*"|\([^()]*\)| and |[^]/g)) {
    if (piece === ' and ') found.push('')
    else found[found.length - 1] += piece
  }
  return found.filter(Boolean)
}

const DATED = /date|day|due|when|start|end|deadline|created|updated|birth|published/i

/** What one would put notes together by, the likeliest first. */
function byOf({ keys, facets }: FolderTable, shape: (typeof SHAPES)[number]): readonly string[] {
  if (shape === 'board') return [...new Set([...facets.map(({ key }) => key), ...keys])]
  return [...keys.filter((key) => DATED.test(key)), 'updated', 'created']
}

/** What several notes say, to choose by; each that was chosen can be taken away again. */
function Facets({
  table,
  where,
}: {
  readonly table: FolderTable | undefined
  readonly where: string
}) {
  const set = (conditions: readonly string[]): void =>
    go({ filters: { ...route.value.filters, where: joined(...conditions) } }, 'replace')
  const chosen = conditionsOf(where)
  const others = (table?.facets ?? []).flatMap(({ key, values }) => {
    const rest = values.filter((each) => !chosen.includes(each.where))
    return rest.length > 0 ? [{ key, values: rest }] : []
  })
  if (chosen.length + others.length === 0) return null
  return (
    <p class="chips facets">
      {chosen.map((condition) => (
        <button
          key={condition}
          type="button"
          class="chip"
          aria-pressed="true"
          onClick={() => set(chosen.filter((each) => each !== condition))}
        >
          {clean(condition.replaceAll('"', ''))} <span aria-hidden="true">×</span>
        </button>
      ))}
      {others.map(({ key, values }) => (
        <select
          key={key}
          class="chip"
          aria-label={`Property ${clean(key)}`}
          value=""
          onChange={(event) => set([...chosen, event.currentTarget.value])}
        >
          <option value="">{clean(key)}</option>
          {values.map((each) => (
            <option key={each.where} value={each.where}>
              {`${clean(each.value)} (${each.count})`}
            </option>
          ))}
        </select>
      ))}
    </p>
  )
}

function Exports({ asked, name }: { readonly asked: object; readonly name: string }) {
  const save = async (kind: 'csv' | 'json'): Promise<void> => {
    try {
      const { exportTable } = await import('../collected/collected.ts')
      const { written, total } = await exportTable(door, name, kind, asked)
      say(written < total ? `${written} of ${total} notes saved` : `${plural(total, 'note')} saved`)
    } catch (problem) {
      say(errorOf(problem).message)
    }
  }
  return (
    <>
      {(['csv', 'json'] as const).map((kind) => (
        <button key={kind} type="button" class="plain" onClick={() => void save(kind)}>
          {kind.toUpperCase()}
        </button>
      ))}
    </>
  )
}

function Keep({ name }: { readonly name: readonly string[] }) {
  const url = formatRoute({ ...route.value, panes: [], focus: 0, ...TOP })
  return (
    <button
      type="button"
      class="plain"
      aria-pressed={isKept(url)}
      onClick={() => keep({ url, name: name.filter(Boolean).join(' · ') })}
    >
      {isKept(url) ? 'Forget this list' : 'Keep this list'}
    </button>
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
