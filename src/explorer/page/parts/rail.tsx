/** What is in the base, beside what one reads: folders, what changed last, tags. */
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { beginning, changedBy } from '../state/beginning.ts'
import { anyChanged } from '../state/changes.ts'
import { door, facts, go, openNote, reconnected, route, width } from '../state/app.ts'
import { newNote } from '../state/acting.ts'
import { formatRoute } from '../state/route.ts'
import { mayWrite } from '../state/writing.ts'
import type { Folder, ListedFolders } from '../../wire/wire.ts'
import { Bookmarks } from './bookmarks.tsx'
import { Icon } from './icons.tsx'
import { clean } from './text.tsx'
import { useScrollBack } from './use-scroll-back.ts'

/** Narrower than this, the first page has the folders. */
const RAIL_FROM = 1_000
export const RAIL_WIDTH = 264

/** A chat has no room for it. */
export const hasRail = computed(() => !IN_CHAT && width.value >= RAIL_FROM)

export function Rail() {
  const rail = useScrollBack('rail', beginning.value !== undefined)
  const { panes, focus, view, more } = route.value
  const reading = view === 'search' ? panes[focus]?.id : undefined
  return (
    <aside class="rail" aria-label="What is here" ref={rail} data-scroll="rail">
      <h2>
        <ListLink to={{}} current={view === 'browse' && !more['in'] && !more['tagged']}>
          Folders
        </ListLink>
        {!IN_CHAT && mayWrite.value && (
          <button type="button" class="plain new" title="New note (n)" onClick={() => newNote()}>
            New note
          </button>
        )}
      </h2>
      <Level path="" />
      <Bookmarks />
      <h2>Recent</h2>
      <ul class="recent">
        {beginning.value?.recent.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              class="plain"
              aria-current={id === reading ? 'page' : undefined}
              title={clean(id)}
              onClick={() => openNote(id, { read: true })}
            >
              <span dir="auto">{clean(title)}</span>
              <By id={id} />
            </button>
          </li>
        ))}
      </ul>
      {(beginning.value?.tags.length ?? 0) > 0 && <h2>Tags</h2>}
      <TagLinks />
    </aside>
  )
}

/** Who changed it, where that was not done here. */
export function By({ id }: { readonly id: string }) {
  const client = changedBy.value.get(id)
  return client === undefined ? null : <span class="kind">{clean(client)}</span>
}

export function TagLinks() {
  const { more } = route.value
  return (
    <p class="tags">
      {beginning.value?.tags.map(({ tag, documents }) => (
        <ListLink key={tag} to={{ tagged: tag }} class="tag" current={more['tagged'] === tag}>
          {`#${clean(tag)} `}
          <span class="count">{documents.toLocaleString('en')}</span>
        </ListLink>
      ))}
    </p>
  )
}

/** A way to a list of notes that can also be opened in a tab of its own. */
export function ListLink({
  to,
  current,
  children,
  ...rest
}: {
  readonly to: Readonly<Record<string, string>>
  readonly current: boolean
  readonly class?: string
  readonly children: preact.ComponentChildren
}) {
  const there = { view: 'browse', q: '', filters: {}, panes: [], focus: 0, more: to } as const
  return (
    <a
      {...rest}
      href={formatRoute({ ...there, lines: '', quote: '', fragment: '' })}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (IN_CHAT) go({ q: `tag:${to['tagged']} ` })
        else go({ view: 'browse', q: '', more: to })
      }}
    >
      {children}
    </a>
  )
}

/* ---- the tree ---- */

const unfolded = signal<ReadonlyMap<string, boolean>>(new Map())
const levels = signal<ReadonlyMap<string, ListedFolders>>(new Map())

/** The folders in one, as they are now. */
export function useFolders(path: string): ListedFolders | undefined {
  useEffect(() => {
    let current = true
    door.read<ListedFolders>('folders', { path }).then(
      (found) => {
        if (current) levels.value = new Map(levels.peek()).set(path, found)
      },
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [path, facts.value?.documents, anyChanged.value, reconnected.value])
  return levels.value.get(path)
}

function Level({ path }: { readonly path: string }) {
  const listed = useFolders(path)
  if (!listed) return null
  return (
    <ul class="tree">
      {listed.folders.map((folder) => (
        <Branch key={folder.path} folder={folder} alone={listed.folders.length === 1} />
      ))}
      {listed.more > 0 && <li class="hint">{`and ${listed.more} more`}</li>}
    </ul>
  )
}

function Branch({ folder, alone }: { readonly folder: Folder; readonly alone: boolean }) {
  const { name, path, notes, deeper } = folder
  const { view, more, panes, focus } = route.value
  const here = view === 'browse' ? (more['in'] ?? '') : (panes[focus]?.id ?? '')
  // What leads to where one is, and a folder that is the only one, need not be opened by hand.
  const leads = here.startsWith(path) && here !== path
  const isOpen = deeper && (unfolded.value.get(path) ?? (alone || leads))
  return (
    <li>
      <span class="branch">
        {deeper ? (
          <button
            type="button"
            class="quiet fold"
            aria-expanded={isOpen}
            aria-label={`Folders in ${clean(name)}`}
            onClick={() => {
              unfolded.value = new Map(unfolded.peek()).set(path, !isOpen)
            }}
          >
            <Icon name="fold" />
          </button>
        ) : (
          <span class="fold" />
        )}
        <ListLink to={{ in: path }} current={view === 'browse' && here === path}>
          <span dir="auto">{clean(name)}</span>
          <span class="count">{notes.toLocaleString('en')}</span>
        </ListLink>
      </span>
      {isOpen && <Level path={path} />}
    </li>
  )
}
