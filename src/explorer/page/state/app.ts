/** What the whole page knows: where one is, what the server is, and what was asked last. */
import { batch, computed, effect, signal } from '@preact/signals'
import { IN_CHAT } from '../chat/in-chat.ts'
import { openHostDoor } from '../chat/host-door.ts'
import { host, ready } from '../chat/start.ts'
import { DoorError, openDoor, type Door } from '../door.ts'
import type { Facts, SearchAnswer } from '../../wire/wire.ts'
import { anyChanged } from './changes.ts'
import { latest } from './latest.ts'
import { place } from './place.ts'
import { isKept, keepScroll, rememberScroll } from './scrolls.ts'
import {
  formatRoute,
  parseRoute,
  TOP,
  withoutPane,
  withPane,
  type Filters,
  type Route,
  type View,
} from './route.ts'

export const route = signal<Route>(parseRoute(place.url()))
export const facts = signal<Facts | undefined>(undefined)
/** Undefined while the server answers. */
export const lost = signal(false)
/** Rises when it answers again: what could not be asked is asked once more. */
export const reconnected = signal(0)
/** The token is no longer good, or nobody is signed in any more. */
export const signedOut = signal(false)
/** The server was replaced by another build. */
export const outdated = signal(false)
/** Said to whoever cannot see the page; also shown for a moment. */
export const notice = signal('')
export const helpOpen = signal(false)
export const width = signal(innerWidth)
/** One column: results, or a note over them. */
export const phone = computed(() => width.value < 760)

addEventListener('resize', () => {
  width.value = innerWidth
})

const OWN_BUILD = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''

export const door: Door = IN_CHAT
  ? openHostDoor(host!, ready)
  : openDoor({
      reached: (yes) => {
        if (yes && lost.peek()) reconnected.value++
        lost.value = !yes
      },
      signedIn: (yes) => {
        signedOut.value = !yes
      },
      build: (name) => {
        if (name !== '' && name !== OWN_BUILD) outdated.value = true
      },
    })

/** Goes somewhere else; `replace` where the back key should not lead to every letter typed. */
export function go(change: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  const next = { ...route.peek(), ...change }
  const url = formatRoute(next)
  const here = formatRoute(route.peek())
  if (url !== here) {
    if (how === 'push') rememberScroll(here)
    place[how](url)
  }
  route.value = next
}

/** How one came to where one is: rises with every note that is opened and every way back. */
export const arrival = signal({
  turn: 0,
  back: !IN_CHAT && isKept(formatRoute(route.peek())),
})
if (!IN_CHAT) addEventListener('pagehide', () => keepScroll(formatRoute(route.peek())))

function arrive(back: boolean): void {
  arrival.value = { turn: arrival.peek().turn + 1, back }
}

/** A note that is opened is read at once: its text takes the keys, as soon as it is there. */
export const takesFocus = signal(false)

export function show(view: View, more: Readonly<Record<string, string>> = {}): void {
  go({ view, more })
}

/** Opens a note, beside the pane with this index or instead of what is not pinned. */
export function openNote(
  id: string,
  {
    from,
    lines = '',
    quote = '',
    fragment = '',
    beside = false,
    read = false,
  }: {
    readonly from?: number
    readonly lines?: string
    readonly quote?: string
    /** What stands behind the `#` of a link. */
    readonly fragment?: string
    readonly beside?: boolean
    /** The text takes the keys. */
    readonly read?: boolean
  } = {},
): void {
  const here = route.peek()
  const last = beside && here.panes.length > 0 ? here.panes.length - 1 : undefined
  const opened = withPane(here, id, from ?? last)
  batch(() => {
    takesFocus.value = read
    go({ ...opened, view: 'search', lines, quote, fragment, more: {} })
    arrive(false)
  })
}

/** Another note that is open is read. */
export function readPane(focus: number): void {
  go({ focus, ...TOP }, 'replace')
}

export function closePane(index: number): void {
  go(withoutPane(route.peek(), index))
}

place.onReturn(() => {
  rememberScroll(formatRoute(route.peek()))
  batch(() => {
    route.value = parseRoute(place.url())
    arrive(true)
  })
})

/* ---- what notes are called ---- */

/** Names of notes that were shown, for their spines and for the window. */
export const titles = signal<ReadonlyMap<string, string>>(new Map())
const TITLES_KEPT = 300

export function learnTitle(id: string, title: string): void {
  if (titles.peek().get(id) === title) return
  const next = new Map([...titles.peek()].slice(-TITLES_KEPT))
  titles.value = next.set(id, title)
}

/* ---- what is searched while one types ---- */

export interface Searched {
  readonly query: string
  readonly answer: SearchAnswer | undefined
  readonly error: DoorError | undefined
  readonly ms: number
  /** So many were asked for. */
  readonly limit: number
}

const NOTHING: Searched = { query: '', answer: undefined, error: undefined, ms: 0, limit: 0 }
export const searched = signal<Searched>(NOTHING)
/** Which result the arrows are on. */
export const chosen = signal(0)
/** True until a space, Enter or a pause: the last word may be unfinished. */
export const typing = signal(false)

interface Question {
  readonly query: string
  readonly filters: Filters
  readonly typing: boolean
  readonly startedAt: number
  readonly limit: number
}

/** What tells one result from another, in the order in which they stand. */
function keysOf(answer: SearchAnswer | undefined): readonly string[] {
  return [
    ...(answer?.titles ?? []).map(({ id, as = '' }) => `title ${id} ${as}`),
    ...(answer?.hits ?? []).map(({ id }) => `hit ${id}`),
  ]
}

/** More than a window holds with the names above them; the rest comes once one stops to look. */
const AT_ONCE = 10
const ALL = 20
/** All that are weighed. */
export const MOST = 100
const PAUSE_MS = 250

function search(
  { query, filters, typing, limit }: Question,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const asked = { query, typing, titles: true, limit, ...selectionOf(filters) }
  return door.read<SearchAnswer>('search', asked, signal)
}

const asking = latest<Question, SearchAnswer>(
  search,
  (answer, question) => {
    const { query, startedAt, limit } = question
    const before = searched.peek()
    batch(() => {
      // The same question, typed to its end or because something was changed: the arrows stay.
      const at = before.query === query ? keysOf(before.answer)[chosen.peek()] : undefined
      chosen.value = at === undefined ? 0 : Math.max(0, keysOf(answer).indexOf(at))
      const ms = performance.now() - startedAt
      searched.value = { query, answer, error: undefined, ms, limit }
    })
    if (answer.hits.length === AT_ONCE) lookFurther({ ...question, limit: ALL }, PAUSE_MS)
  },
  (error, { query }) => {
    searched.value = { ...NOTHING, query, error: errorOf(error) }
  },
)

let further: AbortController | undefined

function lookFurther(question: Question, pauseMs: number): void {
  further?.abort()
  const mine = new AbortController()
  further = mine
  setTimeout(async () => {
    if (mine.signal.aborted) return
    const answer = await search(question, mine.signal).catch(() => undefined)
    if (!answer || mine.signal.aborted) return
    searched.value = { ...searched.peek(), answer, limit: question.limit }
  }, pauseMs)
}

/** All that there are, for whoever has come to the end of the list. */
export function searchMore(): void {
  const { filters } = route.peek()
  const { query } = searched.peek()
  const startedAt = performance.now()
  lookFurther({ query, filters, typing: typing.peek(), startedAt, limit: MOST }, 0)
}

export function selectionOf(filters: Filters): object {
  return {
    ...(filters.source && { sources: [filters.source] }),
    ...(filters.folder && { path: filters.folder }),
    ...(filters.tag && { tags: [filters.tag] }),
    ...(filters.type && { types: [filters.type] }),
    ...(filters.since && { updatedAfter: filters.since }),
    ...(filters.where && { where: filters.where }),
  }
}

const wanted = computed(() => {
  const { q, filters } = route.value
  return JSON.stringify([q.trim() === '' ? '' : q, filters, typing.value])
})
/** What may lead to other answers to the same question. */
const changed = computed(() => `${anyChanged.value} ${reconnected.value}`)

/** Called once: from then on, what stands in the box is what is searched. */
export function startSearching(): void {
  let before = ''
  effect(() => {
    const [query, filters, unfinished] = JSON.parse(wanted.value) as [string, Filters, boolean]
    const isKnown = changed.value !== before && searched.peek().query === query
    before = changed.value
    further?.abort()
    if (query === '') {
      asking.stop()
      searched.value = NOTHING
    } else {
      const limit = isKnown ? Math.max(ALL, searched.peek().limit) : AT_ONCE
      asking.ask({ query, filters, typing: unfinished, startedAt: performance.now(), limit })
    }
  })
}

export function errorOf(error: unknown): DoorError {
  if (error instanceof DoorError) return error
  return new DoorError('internal', String(error), 'Reload the page.')
}

/* ---- what the server is ---- */

export async function learnFacts(): Promise<void> {
  try {
    facts.value = await door.read<Facts>('facts', {})
  } catch {
    // The banner says so, and it is tried again.
  }
}

/** Loads what the first key will ask for, once what is shown first is there. */
export function prepareTyping(): void {
  void door.read('prepare', {}).catch(() => {})
}

/** While files are looked through, or while there is no server, one looks again and again. */
export function keepFacts(): void {
  void learnFacts()
  setInterval(() => {
    if (!document.hidden && (lost.peek() || facts.peek()?.indexing !== undefined)) void learnFacts()
  }, 2_000)
}

export function say(text: string): void {
  notice.value = text
}

export const canWrite = computed(() => facts.value?.writes === true)
