/** Everything that matters is in the address, so that links can be shared and the back key works. */
import { IN_CHAT } from '../chat/in-chat.ts'

export const VIEWS = ['search', 'graph', 'ask', 'reports', 'history', 'live', 'inspect'] as const
/**
 * A folder as a list is a way to read, not a view beside it; an address that is nobody's is one of
 * its own, which says so.
 */
export type View = (typeof VIEWS)[number] | 'browse' | 'nowhere'
/** A chat has no stream of events to watch. */
export const SHOWN_VIEWS = IN_CHAT ? VIEWS.filter((view) => view !== 'live') : VIEWS

export interface Pane {
  readonly id: string
  readonly pinned: boolean
}

export interface Filters {
  readonly source?: string
  readonly folder?: string
  readonly tag?: string
  readonly type?: string
  /** ISO date. */
  readonly since?: string
  /** A condition over properties. */
  readonly where?: string
}

export interface Route {
  readonly view: View
  /** What stands in the search box. */
  readonly q: string
  readonly filters: Filters
  readonly panes: readonly Pane[]
  /** Index of the pane one reads. */
  readonly focus: number
  /** Lines to show in that pane, such as `12` or `12-14`. */
  readonly lines: string
  /** Words to light in that pane, as they stand in the source. */
  readonly quote: string
  /** What stands behind the `#`: a section or a block of that pane. */
  readonly fragment: string
  /** What else a view wants to keep: the report, the node, the mode. */
  readonly more: Readonly<Record<string, string>>
}

/** No place in particular. */
export const TOP = { lines: '', quote: '', fragment: '' } as const

const FILTERS = ['source', 'folder', 'tag', 'type', 'since', 'where'] as const
const MOST_PANES = 30

export function parseRoute(url: string): Route {
  const { pathname, searchParams, hash } = new URL(url, 'http://page')
  const [, first = '', ...rest] = pathname.split('/')
  const view =
    first === '' || first === 'n'
      ? 'search'
      : ([...VIEWS, 'browse' as const].find((each) => each === first) ?? 'nowhere')
  const read = first === 'n' ? rest.map(decoded).join('/') : ''
  const named = searchParams.getAll('p').slice(0, MOST_PANES)
  const ids = named.length > 0 ? named : read === '' ? [] : [read]
  const pins = new Set((searchParams.get('pin') ?? '').split(',').map(Number))
  const panes = ids.map((id, index) => ({ id, pinned: searchParams.has('pin') && pins.has(index) }))
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = searchParams.get(name)
      return value ? [[name, value]] : []
    }),
  )
  const known = new Set<string>(['q', 'p', 'pin', 'l', 'quote', ...FILTERS])
  const more = Object.fromEntries([...searchParams].filter(([name]) => !known.has(name)))
  if (view === 'reports' && rest[0]) more['report'] = decoded(rest[0])
  if (view === 'browse') more['in'] = rest.map(decoded).join('/')
  return {
    view,
    q: searchParams.get('q') ?? '',
    filters,
    panes,
    focus: Math.max(0, ids.indexOf(read)),
    lines: searchParams.get('l') ?? '',
    quote: searchParams.get('quote') ?? '',
    fragment: decoded(hash.slice(1)),
    more,
  }
}

export function formatRoute(route: Route): string {
  const { view, q, filters, panes, focus, lines, quote, fragment, more } = route
  const params = new URLSearchParams()
  if (q !== '') params.set('q', q)
  for (const name of FILTERS) if (filters[name]) params.set(name, filters[name])
  const read = panes[focus]
  if (panes.length > 1 || (read && view !== 'search'))
    for (const { id } of panes) params.append('p', id)
  const pins = panes.flatMap(({ pinned }, index) => (pinned ? [index] : []))
  if (pins.length > 0) params.set('pin', pins.join(','))
  if (lines !== '') params.set('l', lines)
  if (quote !== '') params.set('quote', quote)
  const { report, in: folder = '', ...others } = more
  for (const [name, value] of Object.entries(others)) if (value !== '') params.set(name, value)
  const path =
    view === 'search'
      ? read
        ? `/n/${read.id.split('/').map(encodeURIComponent).join('/')}`
        : '/'
      : view === 'reports' && report
        ? `/reports/${encodeURIComponent(report)}`
        : view === 'browse' && folder !== ''
          ? `/browse/${folder.split('/').map(encodeURIComponent).join('/')}`
          : `/${view}`
  const query = params.toString()
  const hash = fragment === '' ? '' : `#${encodeURIComponent(fragment)}`
  return (query === '' ? path : `${path}?${query}`) + hash
}

/** Opens a note to the right of the pane it was opened from; one that is open already is used again. */
export function withPane(route: Route, id: string, from: number | undefined): Route {
  const open = route.panes.findIndex((pane) => pane.id === id)
  if (open >= 0) return { ...route, focus: open, ...TOP }
  const kept =
    from === undefined
      ? route.panes.filter(({ pinned }) => pinned)
      : route.panes.filter(({ pinned }, index) => pinned || index <= from)
  const at =
    from === undefined ? kept.length : Math.min(kept.length, kept.indexOf(route.panes[from]!) + 1)
  const panes = [...kept.slice(0, at), { id, pinned: false }, ...kept.slice(at)]
  return { ...route, panes: panes.slice(-MOST_PANES), focus: at, ...TOP }
}

export function withoutPane(route: Route, index: number): Route {
  const panes = route.panes.filter((_, each) => each !== index)
  const focus = route.focus > index || route.focus >= panes.length ? route.focus - 1 : route.focus
  return { ...route, panes, focus: Math.max(0, focus), ...TOP }
}

/** What is written wrongly is taken as it stands. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A list is called by its tag or its folder. */
export function titleOfList({
  in: folder = '',
  tagged = '',
  words = '',
}: Readonly<Record<string, string>>): string {
  if (words !== '') return words
  if (tagged !== '') return `#${tagged}`
  return folder.split('/').findLast((name) => name !== '') ?? 'All notes'
}
