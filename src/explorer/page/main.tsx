/** How does a person look at it? The page: one box, seven views, everything in the address. */
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import {
  keepFacts,
  lost,
  outdated,
  go,
  route,
  signedOut,
  startSearching,
  titles,
} from './state/app.ts'
import { IN_CHAT } from './chat/in-chat.ts'
import { openOutside, refused, startInChat } from './chat/start.ts'
import { followEvents } from './state/events.ts'
import { applyTheme, setTheme } from './state/theme.ts'
import { Help, listenToKeys } from './parts/keys.tsx'
import { Foot } from './parts/foot.tsx'
import { clean } from './parts/text.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { Ask } from './views/ask.tsx'
import { Browse, titleOfList } from './views/browse.tsx'
import { Graph } from './views/graph.tsx'
import { History } from './views/history.tsx'
import { Inspect } from './views/inspect.tsx'
import { Live } from './views/live.tsx'
import { Reports } from './views/reports.tsx'
import { Search } from './views/search.tsx'
import { parseRoute, type Route, type View } from './state/route.ts'

const SCREENS: Readonly<Record<View, () => preact.JSX.Element | null>> = {
  search: Search,
  graph: Graph,
  ask: Ask,
  reports: Reports,
  history: History,
  // A chat has no room for folders, and no stream of events.
  live: IN_CHAT ? Nowhere : Live,
  inspect: Inspect,
  browse: IN_CHAT ? Nowhere : Browse,
  nowhere: Nowhere,
}

function App() {
  const { view } = route.value
  const Screen = SCREENS[view]
  const title = titleOf(route.value)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      <Banner />
      <main id="main" class={`view view-${view}`} tabIndex={-1}>
        <Screen />
      </main>
      <Foot />
      <Help />
    </>
  )
}

function Nowhere() {
  return (
    <div class="empty">
      <h1>There is nothing at this address</h1>
      <p>
        <a
          href="/"
          onClick={(event) => {
            event.preventDefault()
            go({ view: 'search', panes: [], focus: 0, more: {} })
          }}
        >
          To the first page
        </a>
      </p>
    </div>
  )
}

/** What one looks at, first: a window has many tabs. */
function titleOf({ view, panes, focus, q, more }: Route): string {
  const id = panes[focus]?.id
  const name =
    view === 'search'
      ? id === undefined
        ? q.trim()
        : (titles.value.get(id) ?? id)
      : view === 'browse'
        ? titleOfList(more)
        : `${view.charAt(0).toUpperCase()}${view.slice(1)}`
  return name === '' ? 'Cairn' : `${clean(name)} · Cairn`
}

function Banner() {
  if (refused.value !== undefined) {
    return (
      <p class="banner warn" role="alert">
        {refused.value}
      </p>
    )
  }
  if (lost.value) {
    return (
      <p class="banner warn" role="alert">
        The server does not answer. This page looks for it again by itself.
      </p>
    )
  }
  if (signedOut.value) {
    return (
      <p class="banner warn" role="alert">
        You are signed out. <a href={signInAddress()}>Sign in again</a>
      </p>
    )
  }
  if (!outdated.value) return null
  return (
    <p class="banner" role="status">
      The server was updated.{' '}
      <button type="button" onClick={() => location.reload()}>
        Reload this page
      </button>
    </p>
  )
}

function signInAddress(): string {
  return `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`
}

/** The chat says what to show, and opens what leads out of the page. */
function joinChat(): void {
  void startInChat({ theme: setTheme, go })
  document.addEventListener('click', (event) => {
    const href = (event.target as Element).closest('a')?.getAttribute('href') ?? '#'
    if (event.defaultPrevented || href.startsWith('#')) return
    event.preventDefault()
    if (href.startsWith('/')) go(parseRoute(href))
    else openOutside(href)
  })
}

applyTheme()
listenToKeys()
startSearching()
keepFacts()
if (IN_CHAT) joinChat()
else followEvents()
const app = document.getElementById('app')
if (app) {
  app.replaceChildren()
  render(<App />, app)
}
