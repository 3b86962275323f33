/** What a query found, in the shape it was asked in. */
import { useState } from 'preact/hooks'
import { Calendar, type Dated } from '../collected/calendar.tsx'
import { monthOf } from '../collected/weeks.ts'
import { clean } from '../parts/text.tsx'
import { openNote } from '../state/app.ts'
import { tickDue } from '../state/acting.ts'
import { mayWrite } from '../state/writing.ts'
import type { AnsweredQuery, Cell, ResultRow } from '../../wire/wire.ts'
import { CellView, cellText } from './cells.tsx'

type Result = NonNullable<AnsweredQuery['result']>

export function ResultView({ result }: { readonly result: Result }) {
  if (result.total === 0) return <p class="hint">Nothing is found.</p>
  switch (result.shape) {
    case 'table':
      return <Table result={result} />
    case 'list':
      return <Grouped result={result} show={(rows) => <List rows={rows} />} />
    case 'tasks':
      return <Grouped result={result} show={(rows) => <Tasks rows={rows} />} />
    case 'cards':
      return <Grouped result={result} show={(rows) => <Cards result={result} rows={rows} />} />
    case 'board':
      return <Columns result={result} />
    case 'calendar':
      return <Dates result={result} />
  }
}

function Table({ result: { columns, groups, summaries = [] } }: { readonly result: Result }) {
  return (
    <div class="table-room" tabIndex={0} role="region" aria-label="Results">
      <table class="found">
        <thead>
          <tr>
            {columns.map(({ name }, at) => (
              <th key={at} scope="col">
                {clean(name)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ by, rows }, at) => (
          <tbody key={at}>
            {by !== undefined && (
              <tr class="of-group">
                <th scope="rowgroup" colSpan={columns.length}>
                  <Name of={by} />
                </th>
              </tr>
            )}
            {rows.map(({ cells }, row) => (
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={column} dir="auto" class={typeof cell === 'number' ? 'number' : ''}>
                    <CellView cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
        {summaries.length > 0 && (
          <tfoot>
            <tr>
              {columns.map((_, at) => (
                <td key={at} dir="auto">
                  {summaries
                    .filter(({ column }) => column === at)
                    .map(({ name, value }) => (
                      <span key={name} class="summary">
                        <span class="count">{clean(name)}</span> <CellView cell={value} />
                      </span>
                    ))}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** Of a group: what has no value is together, too. */
function Name({ of }: { readonly of: Cell }) {
  return cellText(of) === '' ? 'without' : <CellView cell={of} />
}

function Grouped({
  result: { groups },
  show,
}: {
  readonly result: Result
  readonly show: (rows: readonly ResultRow[]) => preact.ComponentChildren
}) {
  return (
    <>
      {groups.map(({ by, rows }, at) => (
        <div key={at}>
          {by !== undefined && (
            <p class="of-group">
              <strong>
                <Name of={by} />
              </strong>{' '}
              <span class="count">{rows.length}</span>
            </p>
          )}
          {show(rows)}
        </div>
      ))}
    </>
  )
}

function List({ rows }: { readonly rows: readonly ResultRow[] }) {
  return (
    <ul>
      {rows.map(({ cells: [first, ...rest] }, at) => (
        <li key={at} dir="auto">
          <CellView cell={first} />
          {rest.some((cell) => cellText(cell) !== '') && ': '}
          {rest.map((cell, each) => (
            <span key={each}>
              {each > 0 && ' · '}
              <CellView cell={cell} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

const BOXES: Readonly<Record<string, string>> = {
  x: 'done',
  X: 'done',
  '-': 'dropped',
  '/': 'begun',
}

function Tasks({ rows }: { readonly rows: readonly ResultRow[] }) {
  return (
    <ul class="found-tasks">
      {rows.map(({ id = '', task }) => {
        if (!task) return null
        const { line, mark, text, shown = text, depth = 0 } = task
        const done = BOXES[mark] === 'done'
        return (
          <li key={`${id}:${line}`} class={`deep-${Math.min(depth, 5)}`}>
            {mayWrite.value ? (
              <input
                type="checkbox"
                aria-label={`Done: ${clean(shown)}`}
                checked={done}
                onChange={({ currentTarget: box }) => {
                  const due = { id, line, text, shown, due: '', when: 'soon', mark } as const
                  tickDue(due, box.checked ? 'x' : ' ', () => (box.checked = !box.checked))
                }}
              />
            ) : (
              <span class={`box box-${BOXES[mark] ?? 'open'}`} role="img" aria-label={mark} />
            )}
            <button
              type="button"
              class="plain"
              onClick={() => openNote(id, { lines: String(line), beside: true, read: true })}
            >
              <span dir="auto">{clean(shown)}</span>{' '}
              <span class="path">{`${clean(id.split('/').at(-1) ?? id)}:${line}`}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Cards({
  result: { columns },
  rows,
}: {
  readonly result: Result
  readonly rows: readonly ResultRow[]
}) {
  return (
    <ul class="found-cards">
      {rows.map(({ cells: [first, ...rest] }, at) => (
        <li key={at}>
          <strong dir="auto">
            <CellView cell={first} />
          </strong>
          {rest.map((cell, each) =>
            cellText(cell) === '' ? null : (
              <span key={each} dir="auto">
                <span class="kind">{clean(columns[each + 1]?.name ?? '')}</span>{' '}
                <CellView cell={cell} />
              </span>
            ),
          )}
        </li>
      ))}
    </ul>
  )
}

function Columns({ result }: { readonly result: Result }) {
  return (
    <div class="board" tabIndex={0} role="region" aria-label="Board">
      {result.groups.map(({ by = null, rows }, at) => (
        <section key={at} aria-label={cellText(by) || 'without'}>
          <p class="of-group">
            <strong>
              <Name of={by} />
            </strong>{' '}
            <span class="count">{rows.length}</span>
          </p>
          <Cards result={result} rows={rows} />
        </section>
      ))}
    </div>
  )
}

function Dates({ result: { groups } }: { readonly result: Result }) {
  const items = groups.flatMap(({ rows }) =>
    rows.flatMap(({ cells }, at): readonly Dated[] => {
      const day = cells.map((cell) => /^\d{4}-\d{2}-\d{2}/.exec(dateOf(cell))?.[0]).find(Boolean)
      return day ? [{ day, key: String(at), shown: <CellView cell={cells[0]} /> }] : []
    }),
  )
  // Where nothing is this month, one begins with the newest that there is.
  const newest = items.reduce((last, { day }) => (day > last ? day : last), '').slice(0, 7)
  const now = monthOf(undefined)
  const [month, setMonth] = useState(
    items.some(({ day }) => day.startsWith(now)) ? now : monthOf(newest),
  )
  return <Calendar month={month} items={items} onMonth={setMonth} />
}

function dateOf(cell: Cell): string {
  return cell !== null && typeof cell === 'object' && 'date' in cell ? cell.date : ''
}
