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
  route,
  startSearching,
} from './state/app.ts'
import { followEvents } from './state/events.ts'
import { applyTheme, nextTheme, theme } from './state/theme.ts'
import { Help, listenToKeys } from './parts/keys.tsx'
import { plural } from './parts/text.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { Ask } from './views/ask.tsx'
import { Graph } from './views/graph.tsx'
import { History } from './views/history.tsx'
import { Inspect } from './views/inspect.tsx'
import { Live } from './views/live.tsx'
import { Reports } from './views/reports.tsx'
import { Search } from './views/search.tsx'
import type { View } from './state/route.ts'

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
  if (lost.value) {
    return (
      <p class="banner warn" role="alert">
        The server does not answer. This page looks for it again by itself.
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
        {known && !known.writes && <span class="kind">read-only</span>}
        <button type="button" class="plain" onClick={() => nextTheme()}>
          {`${theme.value} colours`}
        </button>
        <button type="button" class="plain" onClick={() => (helpOpen.value = true)}>
          keys <kbd>?</kbd>
        </button>
      </span>
    </footer>
  )
}

applyTheme()
listenToKeys()
startSearching()
keepFacts()
followEvents()
const app = document.getElementById('app')
if (app) {
  app.replaceChildren()
  render(<App />, app)
}
