/** How does a person look at it? The page: one box and its views, everything in the address. */
import { render, type ComponentType } from 'preact'
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
import { followBookmarks } from './state/bookmarks.ts'
import { followEvents } from './state/events.ts'
import { applyTheme, setTheme } from './state/theme.ts'
import { Help, listenToKeys } from './parts/keys.tsx'
import { Foot } from './parts/foot.tsx'
import { clean } from './parts/text.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { parseRoute, titleOfList, type Route, type View } from './state/route.ts'

/** Which views there are; a chat has some of them, and a window loads some only when they are shown. */
export type Screens = Readonly<Record<View, ComponentType>>

export function startPage(screens: Screens): void {
  applyTheme()
  listenToKeys()
  startSearching()
  keepFacts()
  if (IN_CHAT) joinChat()
  else {
    followEvents()
    followBookmarks()
  }
  const app = document.getElementById('app')
  if (!app) return
  app.replaceChildren()
  render(<App screens={screens} />, app)
}

function App({ screens }: { readonly screens: Screens }) {
  const { view } = route.value
  const Screen = screens[view]
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

export function Nowhere() {
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
