/**
 * Progressive enhancement of notes that hold queries: in the place of each stands what it finds, and
 * below it the query as it is written. Loaded with the first note that has one.
 */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { csvText } from '../../../core/domain/csv.ts'
import { inlineQuery } from '../../../core/domain/inline-query.ts'
import type { DoorError } from '../door.ts'
import { addStyle } from '../parts/add-style.ts'
import { clean, plural, Problem } from '../parts/text.tsx'
import { door, errorOf, go, reconnected, route } from '../state/app.ts'
import { anyChanged } from '../state/changes.ts'
import type { AnsweredQuery, Cell } from '../../wire/wire.ts'
import { cellText, CellView } from './cells.tsx'
import { download } from './download.ts'
import style from './queries.css'
import { ResultView } from './result-view.tsx'

/** What `main.tsx` looks for before it loads this. */
const UNANSWERED = '.prose code:is(.language-dataview, .language-base):not([data-answered])'

export function answerBlocks(): void {
  addStyle(style)
  letGo()
  const ofNotes = new Map<string, HTMLElement[]>()
  for (const code of document.querySelectorAll<HTMLElement>(UNANSWERED)) {
    code.dataset['answered'] = ''
    const room = code.closest<HTMLElement>('[data-scroll^="note "]')
    const id = room?.dataset['scroll']?.slice('note '.length)
    if (id === undefined) continue
    const others = ofNotes.get(id)
    if (others) others.push(code)
    else ofNotes.set(id, [code])
  }
  for (const [id, codes] of ofNotes) void answer(id, codes)
}

/** Where queries are answered. A text that is drawn anew or closed takes them away without a word. */
const hosts = new Set<HTMLElement>()

function letGo(): void {
  for (const host of hosts) {
    if (host.isConnected) continue
    hosts.delete(host)
    render(null, host)
  }
}

// A note that is closed asks nothing any more.
effect(() => {
  void route.value
  requestAnimationFrame(letGo)
})

function isBase(id: string): boolean {
  return /\.base$/i.test(id)
}

/** Of a file of views, the address says which. */
function viewInAddress(id: string): string | undefined {
  const { panes, focus, fragment } = route.value
  return isBase(id) && panes[focus]?.id === id && fragment !== '' ? fragment : undefined
}

async function answer(id: string, codes: readonly HTMLElement[]): Promise<void> {
  let items: readonly AnsweredQuery[]
  try {
    const view = viewInAddress(id)
    items = (await ask(id, { ...(view !== undefined && { view }) })).items
  } catch {
    // The query itself is there.
    return
  }
  const taken = new Set<number>()
  for (const code of codes) {
    const [from, to] = linesOf(code)
    const inline = code.closest('pre') === null
    // The server sees lines, and the page Markdown: they may find different ones within a line.
    const expression = inline ? inlineQuery(code.textContent) : undefined
    // What another note says of itself is not asked of this one.
    if (inline && code.closest('.embedded')) continue
    const at = items.findIndex(
      (each, index) =>
        each.line >= from &&
        each.line <= to &&
        (inline ? each.inline && each.text === expression : !each.inline && !taken.has(index)),
    )
    if (at < 0 || !code.isConnected) continue
    taken.add(at)
    if (inline) putValue(id, at, code, items[at]!)
    else put(id, at, code, items[at]!)
  }
}

function ask(
  id: string,
  more: { readonly at?: number; readonly view?: number | string; readonly limit?: number },
  signal?: AbortSignal,
): Promise<{ readonly items: readonly AnsweredQuery[] }> {
  return door.read('queries', { id, ...more }, signal)
}

/** What is embedded has no lines of its own: it stands behind the paragraph that asks for it. */
function linesOf(code: HTMLElement): readonly [number, number] {
  const embedded = code.closest('.embedded')
  const named = embedded
    ? (embedded.previousElementSibling?.closest<HTMLElement>('[data-line]') ??
      embedded.parentElement?.closest<HTMLElement>('[data-line]'))
    : code.closest<HTMLElement>('[data-line]')
  const { line = '0', end = line } = named?.dataset ?? {}
  return [Number(line), Number(end)]
}

function put(id: string, at: number, code: HTMLElement, first: AnsweredQuery): void {
  const block = code.closest<HTMLElement>('.code-box') ?? code.parentElement!
  const host = document.createElement('div')
  host.className = 'query'
  const source = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = 'Query'
  source.open = first.result === undefined
  block.before(host)
  block.replaceWith(source)
  source.append(summary, block)
  // Its place is known by its lines, as that of every block is.
  const { line, end } = code.parentElement?.dataset ?? {}
  if (line !== undefined) host.dataset['line'] = line
  if (end !== undefined) host.dataset['end'] = end
  hosts.add(host)
  render(<Answered id={id} at={at} first={first} />, host)
}

/** In a line, the value stands instead of what asks for it; where there is none, nothing is different. */
function putValue(id: string, at: number, code: HTMLElement, first: AnsweredQuery): void {
  if (valueOf(first) === undefined) return
  const host = document.createElement('span')
  host.className = 'query-value'
  host.title = code.textContent
  code.replaceWith(host)
  hosts.add(host)
  render(<AnsweredValue id={id} at={at} first={first} />, host)
}

function valueOf({ result }: AnsweredQuery): Cell | undefined {
  return result?.groups[0]?.rows[0]?.cells[0] ?? undefined
}

interface Props {
  readonly id: string
  readonly at: number
  readonly first: AnsweredQuery
}

const AT_ONCE = 100
const MOST = 2_000

function AnsweredValue({ id, at, first }: Props) {
  const [shown, setShown] = useState(first)
  const asked = `${anyChanged.value} ${reconnected.value}`
  const [before] = useState(asked)
  useEffect(() => {
    if (asked === before) return undefined
    const gone = new AbortController()
    ask(id, { at }, gone.signal).then(
      ({ items: [found] }) => {
        // The note itself may have changed: then another one has its place.
        if (found && found.text === first.text) setShown(found)
      },
      // What was found before is better than nothing.
      () => {},
    )
    return () => gone.abort()
  }, [asked])
  const value = valueOf(shown)
  return value === undefined ? '–' : <CellView cell={value} />
}

function Answered({ id, at, first }: Props) {
  const [shown, setShown] = useState(first)
  const [error, setError] = useState<DoorError | undefined>()
  const [chosen, setChosen] = useState<number | undefined>()
  const [limit, setLimit] = useState(AT_ONCE)
  const named = viewInAddress(id)
  const view = named ?? chosen
  const asked = `${view ?? ''} ${limit} ${anyChanged.value} ${reconnected.value}`
  const [before, setBefore] = useState(asked)
  useEffect(() => {
    if (asked === before) return undefined
    setBefore(asked)
    const gone = new AbortController()
    ask(id, { at, limit, ...(view !== undefined && { view }) }, gone.signal).then(
      ({ items: [found] }) => {
        setError(undefined)
        if (found) setShown(found)
      },
      (problem: unknown) => {
        if (!gone.signal.aborted) setError(errorOf(problem))
      },
    )
    return () => gone.abort()
  }, [asked])
  const { views, result, problem } = shown
  return (
    <>
      {views.length > 1 && (
        <div class="chips" role="group" aria-label="Views">
          {views.map((name, each) => (
            <button
              key={each}
              type="button"
              class="chip"
              aria-pressed={each === shown.view}
              onClick={() => {
                if (isBase(id)) go({ fragment: name }, 'replace')
                else setChosen(each)
              }}
            >
              {clean(name)}
            </button>
          ))}
        </div>
      )}
      {error && <Problem error={error} />}
      {problem !== undefined && <p class="hint">{`Not understood: ${clean(problem)}`}</p>}
      {result && (
        <>
          <ResultView result={result} />
          {result.notes.map((note) => (
            <p key={note} class="hint">
              {clean(note)}
            </p>
          ))}
          {result.total > 0 && (
            <p class="row-of-buttons">
              <span class="count">
                {result.shown < result.total
                  ? `${result.shown.toLocaleString('en')} of ${plural(result.total, 'row')}`
                  : plural(result.total, 'row')}
              </span>
              {result.shown < result.total && limit < MOST && (
                <button
                  type="button"
                  class="plain"
                  onClick={() => setLimit(Math.min(MOST, limit * 5))}
                >
                  More
                </button>
              )}
              <button
                type="button"
                class="plain"
                onClick={() => download('results.csv', 'text/csv', csvOf(result))}
              >
                CSV
              </button>
            </p>
          )}
        </>
      )}
    </>
  )
}

function csvOf({ columns, groups }: NonNullable<AnsweredQuery['result']>): string {
  const isGrouped = groups.some(({ by }) => by !== undefined)
  const isTasks = groups.some(({ rows }) => rows.some(({ task }) => task))
  const names = isTasks ? ['id', 'line', 'status', 'task'] : columns.map(({ name }) => name)
  const rows = groups.flatMap(({ by, rows: own }) =>
    own.map(({ id = '', cells, task }) => [
      ...(isGrouped ? [cellText(by)] : []),
      ...(task ? [id, String(task.line), task.mark, task.text] : cells.map(cellText)),
    ]),
  )
  return csvText([[...(isGrouped ? ['group'] : []), ...names], ...rows])
}
