/** Where one begins: what this day is about, what changed last, what is here and what needs care. */
import { useEffect, useState } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { door, facts, openNote, phone, reconnected, show } from '../state/app.ts'
import { Bookmarks } from '../parts/bookmarks.tsx'
import { FootTools } from '../parts/foot.tsx'
import { By, ListLink, hasRail, TagLinks, useFolders } from '../parts/rail.tsx'
import { beginning, beginningError } from '../state/beginning.ts'
import { begin, newNote, tickDue } from '../state/acting.ts'
import { anyChanged } from '../state/changes.ts'
import { mayWrite } from '../state/writing.ts'
import { useScrollBack } from '../parts/use-scroll-back.ts'
import { clean, Path, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import type { Day, Report } from '../../wire/wire.ts'

/** The rail has a few more. */
const CARDS = 6

export function Home() {
  const known = facts.value
  const home = beginning.value
  const error = beginningError.value
  const room = useScrollBack('home', home !== undefined)
  return (
    <div class="home scroll" ref={room} data-scroll="home">
      <div class="page">
        <h1>{known ? plural(known.documents, 'note') : 'Cairn'}</h1>
        <p class="lead">
          {known && `${plural(known.links, 'link')} · ${plural(known.tags, 'tag')} · `}
          {known?.sources.map(({ name }) => clean(name)).join(', ')}
        </p>
        {error && <Problem error={error} />}
        {known?.documents === 0 && !known.indexing && (
          <div class="nothing">
            <p>This base is empty.</p>
            <p class="hint">
              {!IN_CHAT && mayWrite.value ? 'Make a note, or put' : 'Put'} Markdown files into the
              folder that is served; they appear here by themselves.
            </p>
          </div>
        )}
        {known?.indexing && <p class="remark">{known.indexing}</p>}
        {!IN_CHAT && mayWrite.value && (
          <p class="row-of-buttons">
            <button type="button" title="New note (n)" onClick={() => newNote()}>
              New note
            </button>
            <button
              type="button"
              title="The note of today (d)"
              onClick={() => begin({ kind: 'daily' })}
            >
              Today’s note
            </button>
          </p>
        )}
        {!IN_CHAT && <Today />}
        <section aria-labelledby="recent">
          <h2 id="recent">Changed last</h2>
          {!home && !error && <Waiting />}
          <ul class="cards">
            {home?.recent.slice(0, CARDS).map(({ id, title, updatedAt }) => (
              <li key={id}>
                <button type="button" class="card" onClick={() => openNote(id)}>
                  <span class="name" dir="auto">
                    {clean(title)}
                  </span>
                  <Path id={id} />
                  {updatedAt !== undefined && (
                    <span class="when">
                      <Time at={updatedAt} only="day" />
                      <By id={id} />
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </section>
        {!IN_CHAT && !hasRail.value && <Bookmarks />}
        {!IN_CHAT && !hasRail.value && <Folders />}
        {!hasRail.value && home && home.tags.length > 0 && (
          <section aria-labelledby="tags">
            <h2 id="tags">Tags</h2>
            <TagLinks />
          </section>
        )}
        {!IN_CHAT && <Care />}
        <p class="row-of-buttons">
          <button type="button" onClick={() => show('graph')}>
            See the map
          </button>
          <button type="button" onClick={() => show('reports')}>
            All reports
          </button>
        </p>
        {phone.value && <FootTools />}
      </div>
    </div>
  )
}

/** The day stands before the task. */
const DUE = /\s*(?:📅\uFE0F?\s*|[[(]?\bdue::?\s*)\d{4}-\d\d-\d\d[\])]?/iu

/** As it is where one sits. */
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** The note of the day, and what is to be done by now or in a week. */
function Today() {
  const [day, setDay] = useState<Day | undefined>()
  useEffect(() => {
    door.read<Day>('day', { today: today() }).then(setDay, () => undefined)
  }, [facts.value?.documents, anyChanged.value, reconnected.value])
  const { daily } = day ?? {}
  if (!day || (!daily && day.tasks.length === 0)) return null
  return (
    <section aria-labelledby="today">
      <h2 id="today">Today</h2>
      {daily && (
        <button type="button" class="card" onClick={() => openNote(daily.id, { read: true })}>
          <span class="name" dir="auto">
            {clean(daily.title)}
          </span>
          <Path id={daily.id} />
        </button>
      )}
      <ul class="tasks">
        {day.tasks.map((task) => {
          const { id, line, shown = task.text, due, when } = task
          return (
            <li key={`${id}:${line}`}>
              {task.edits && mayWrite.value && (
                <input
                  type="checkbox"
                  aria-label={`Done: ${clean(shown)}`}
                  onChange={({ currentTarget: box }) => {
                    // Done is what it looks like at once; where it was not, it does no longer.
                    tickDue(task, box.checked ? 'x' : ' ', () => (box.checked = !box.checked))
                  }}
                />
              )}
              <button
                type="button"
                class="due"
                onClick={() => openNote(id, { lines: String(line), read: true })}
              >
                <span class={`kind ${when}`}>{`${when} · ${clean(due)}`}</span>
                <span class="what" dir="auto">
                  {clean(shown.replace(DUE, ''))}
                </span>
                <Path id={id} line={line} />
              </button>
            </li>
          )
        })}
      </ul>
      {day.total > day.tasks.length && (
        <p class="hint">{`and ${plural(day.total - day.tasks.length, 'more task')} within a week`}</p>
      )}
    </section>
  )
}

function Folders() {
  const listed = useFolders('')
  const [only] = listed?.folders ?? []
  const inside = useFolders(listed?.folders.length === 1 && only ? only.path : '')
  if (!inside || inside.folders.length === 0) return null
  return (
    <section aria-labelledby="folders">
      <h2 id="folders">Folders</h2>
      <p class="chips">
        {inside.folders.map(({ name, path, notes }) => (
          <ListLink key={path} to={{ in: path }} current={false} class="chip">
            <span dir="auto">{clean(name)}</span>{' '}
            <span class="count">{notes.toLocaleString('en')}</span>
          </ListLink>
        ))}
      </p>
    </section>
  )
}

/** What a report has counted, and what one calls it; where there are none, nothing is said. */
const CARES = [
  ['brokenLinks', 'broken link', 'broken links', 'broken_links'],
  ['orphans', 'orphan', 'orphans', 'orphans'],
  ['failedFiles', 'unreadable file', 'unreadable files', 'coverage'],
] as const

function Care() {
  const [report, setReport] = useState<Report | undefined>()
  const offered = facts.value?.tools.includes('insights') === true
  useEffect(() => {
    if (offered)
      door.call<Report>('insights', { report: 'overview' }).then(setReport, () => undefined)
  }, [offered, facts.value?.documents])
  const found = CARES.filter(([figure]) => Number(report?.summary?.[figure] ?? 0) > 0)
  if (found.length === 0) return null
  return (
    <section aria-labelledby="care">
      <h2 id="care">What needs care</h2>
      <p class="chips">
        {found.map(([figure, one, many, name]) => {
          const count = Number(report?.summary?.[figure])
          return (
            <button
              key={name}
              type="button"
              class="chip"
              onClick={() => show('reports', { report: name })}
            >
              {plural(count, one, many)}
            </button>
          )
        })}
      </p>
    </section>
  )
}
