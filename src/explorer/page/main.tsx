/** How does a person look at it? The page: one box, seven views, everything in the address. */
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import {
  facts,
  helpOpen,
  keepFacts,
  lost,
  notice,
  outdated,
  go,
  route,
  signedOut,
  startSearching,
} from './state/app.ts'
import { IN_CHAT } from './chat/in-chat.ts'
import { changeMode, openOutside, otherMode, refused, startInChat } from './chat/start.ts'
import { signOut } from './door.ts'
import { followEvents } from './state/events.ts'
import { applyTheme, nextTheme, setTheme, theme } from './state/theme.ts'
import { Help, listenToKeys } from './parts/keys.tsx'
import { clean, plural } from './parts/text.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { Ask } from './views/ask.tsx'
import { Graph } from './views/graph.tsx'
import { History } from './views/history.tsx'
import { Inspect } from './views/inspect.tsx'
import { Live } from './views/live.tsx'
import { Reports } from './views/reports.tsx'
import { Search } from './views/search.tsx'
import { parseRoute, type View } from './state/route.ts'

const SCREENS: Readonly<Record<View, () => preact.JSX.Element | null>> = {
  search: Search,
  graph: Graph,
  ask: Ask,
  reports: Reports,
  history: History,
  live: Live,
  inspect: Inspect,
}

function App() {
  const { view } = route.value
  const Screen = SCREENS[view]
  useEffect(() => {
    document.title =
      view === 'search' ? 'Cairn' : `${view.charAt(0).toUpperCase()}${view.slice(1)} · Cairn`
  }, [view])
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

function Foot() {
  const known = facts.value
  useEffect(() => {
    if (notice.value === '') return undefined
    const timer = setTimeout(() => (notice.value = ''), 4_000)
    return () => clearTimeout(timer)
  }, [notice.value])
  return (
    <footer class="foot">
      <span>
        {known
          ? `${plural(known.documents, 'note')} · ${known.indexing ?? 'index is current'}`
          : ''}
      </span>
      <span class="notice" role="status">
        {notice.value}
      </span>
      <span class="foot-tools">
        {known?.who !== undefined && !IN_CHAT && <Who name={known.who} />}
        {known && !known.writes && <span class="kind">read-only</span>}
        {!IN_CHAT && (
          <button type="button" class="plain" onClick={() => nextTheme()}>
            {`${theme.value} colours`}
          </button>
        )}
        {otherMode.value && (
          <button type="button" class="plain" onClick={() => void changeMode(otherMode.value!)}>
            {otherMode.value === 'fullscreen' ? 'larger' : 'smaller'}
          </button>
        )}
        <button type="button" class="plain" onClick={() => (helpOpen.value = true)}>
          keys <kbd>?</kbd>
        </button>
      </span>
    </footer>
  )
}

/** Who is signed in, and the way out. */
function Who({ name }: { readonly name: string }) {
  const leave = async (): Promise<void> => {
    await signOut()
    location.assign('/sign-in')
  }
  return (
    <>
      <span class="kind">{clean(name.replace(/^token:/, ''))}</span>
      <button type="button" class="plain" onClick={() => void leave()}>
        sign out
      </button>
    </>
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
