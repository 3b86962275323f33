/** What is kept at hand: the list beside the notes, and the button that keeps something. */
import { bookmarks, isKept, toggleBookmark, type Bookmark } from '../state/bookmarks.ts'
import { go, openNote, route, say } from '../state/app.ts'
import { formatRoute, parseRoute, TOP } from '../state/route.ts'
import { Icon } from './icons.tsx'
import { clean } from './text.tsx'

/** The address of a note by itself, whatever else is open. */
export function noteAddress(id: string): string {
  return formatRoute({
    view: 'search',
    q: '',
    filters: {},
    panes: [{ id, pinned: false }],
    focus: 0,
    ...TOP,
    more: {},
  })
}

export function keep(bookmark: Bookmark): void {
  const was = isKept(bookmark.url)
  if (!toggleBookmark(bookmark)) say('This browser keeps no more bookmarks')
  else say(was ? 'No longer a bookmark' : 'Bookmarked')
}

/** What was searched, with what narrows it. */
export function KeepSearch() {
  const { q, filters } = route.value
  const url = formatRoute({ ...route.value, view: 'search', panes: [], focus: 0, ...TOP, more: {} })
  const name = [q.trim(), ...Object.values(filters)].filter(Boolean).join(' · ')
  return (
    <button
      type="button"
      class="plain"
      aria-pressed={isKept(url)}
      onClick={() => keep({ url, name })}
    >
      {isKept(url) ? 'Forget this search' : 'Save this search'}
    </button>
  )
}

/** Notes and searches that were kept; nothing where there are none. */
export function Bookmarks() {
  if (bookmarks.value.length === 0) return null
  const here = formatRoute({ ...route.value, ...TOP })
  return (
    <>
      <h2>Bookmarks</h2>
      <ul class="recent bookmarks">
        {bookmarks.value.map(({ url, name }) => (
          <li key={url}>
            <a
              href={url}
              aria-current={url === here ? 'page' : undefined}
              title={clean(name)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                follow(url)
              }}
            >
              <Icon name={url.startsWith('/n/') ? 'star' : 'search'} />
              <span dir="auto">{clean(name)}</span>
            </a>
            <button
              type="button"
              class="quiet"
              aria-label={`Forget ${clean(name)}`}
              title="Forget it"
              onClick={() => keep({ url, name })}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function follow(url: string): void {
  const there = parseRoute(url)
  const note = there.panes[0]
  if (there.view === 'search' && note) openNote(note.id, { read: true })
  else go(there)
}
