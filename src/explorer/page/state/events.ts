/**
 * What happens while the page is open. Browsers allow six connections to one server, so of all tabs
 * only one holds the stream and tells the others; a hidden tab holds none.
 */
import { signal } from '@preact/signals'
import { liveCallIn, type LiveCall, type LiveEvent } from '../../../core/domain/live.ts'
import { learnFacts, route, signedOut } from './app.ts'
import { A_WHILE_MS, graphChanged, noteChanged, somethingChanged } from './changes.ts'

/** Newest first; older ones are forgotten. */
export const calls = signal<readonly LiveCall[]>([])
export const following = signal(false)

const KEPT = 500
const known = new Set<string>()
let waiting: LiveEvent[] = []
let frame = 0
let relinked = 0

/** Many events in one moment are one change of the page. */
function take(event: LiveEvent): void {
  waiting.push(event)
  if (waiting.length > 5 * KEPT) waiting = waiting.slice(-KEPT)
  frame ||= setTimeout(settle, 100) as unknown as number
}

function settle(): void {
  frame = 0
  const events = waiting
  waiting = []
  const fresh: LiveCall[] = []
  let listChanged = false
  for (const event of events) {
    if (event.kind === 'change') {
      noteChanged([...event.put, ...event.removed])
      somethingChanged()
      listChanged ||= event.listChanged
    } else if (!known.has(event.call.key)) {
      known.add(event.call.key)
      fresh.push(event.call)
    }
  }
  if (listChanged) {
    graphChanged.value++
    void learnFacts()
    // What is open may have links to what came or went.
    relinked ||= setTimeout(() => {
      relinked = 0
      noteChanged(route.peek().panes.map(({ id }) => id))
    }, A_WHILE_MS) as unknown as number
  }
  if (fresh.length === 0) return
  calls.value = [...fresh.toReversed(), ...calls.peek()]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, KEPT)
  if (known.size > 4 * KEPT) {
    known.clear()
    for (const { key } of calls.peek()) known.add(key)
  }
}

/** An event that makes no sense is left out; the rest keeps working. */
function parse(data: unknown): LiveEvent | undefined {
  try {
    const event = (typeof data === 'string' ? JSON.parse(data) : data) as Partial<LiveEvent>
    if (event.kind === 'call') {
      const call = liveCallIn(event.call)
      return call && { kind: 'call', call }
    }
    if (event.kind !== 'change') return undefined
    const ids = (list: unknown): string[] =>
      Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []
    return {
      kind: 'change',
      put: ids(event.put),
      removed: ids(event.removed),
      listChanged: event.listChanged === true,
    }
  } catch {
    return undefined
  }
}

/** What one tab says to the others, besides events as they come. */
type Told =
  | { readonly tab: 'asks' }
  | { readonly tab: 'knows'; readonly following: boolean; readonly calls: readonly LiveCall[] }

function tellOf(data: unknown): Told | undefined {
  const told = data as Partial<Told> | null
  if (told?.tab === 'asks') return { tab: 'asks' }
  if (told?.tab !== 'knows' || !Array.isArray(told.calls)) return undefined
  return { tab: 'knows', following: told.following === true, calls: told.calls }
}

/** A server that says no is asked again after a while; one that is not there the browser looks for. */
const AGAIN_MS = 3_000

let wasFollowing = false

/** What was missed while the server was away nobody tells, so what is shown is looked at again. */
function found(): void {
  following.value = true
  if (wasFollowing) {
    noteChanged(route.peek().panes.map(({ id }) => id))
    graphChanged.value++
    somethingChanged()
    void learnFacts()
  }
  wasFollowing = true
}

function gone(): void {
  if (!following.peek()) return
  following.value = false
  // Whether the server is there at all: then the page says so, and looks for it.
  void learnFacts()
}

export function followEvents(): void {
  const channel = new BroadcastChannel('cairn-events')
  let release: (() => void) | undefined
  const tell = (told: Told): void => channel.postMessage(told)

  channel.addEventListener('message', ({ data }) => {
    const told = tellOf(data)
    if (told?.tab === 'asks') {
      if (release) tell({ tab: 'knows', following: following.peek(), calls: calls.peek() })
    } else if (told) {
      for (const call of told.calls.toReversed()) take({ kind: 'call', call })
      if (!told.following) gone()
      else if (!following.peek()) found()
    } else {
      const event = parse(data)
      if (event) take(event)
    }
  })

  const lead = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let stream: EventSource | undefined
    let again = 0
    release = () => {
      clearTimeout(again)
      stream?.close()
      resolve()
    }
    const open = (): void => {
      stream = new EventSource('/web/events')
      stream.addEventListener('hello', () => {
        found()
        tell({ tab: 'knows', following: true, calls: [] })
      })
      stream.addEventListener('error', () => {
        gone()
        tell({ tab: 'knows', following: false, calls: [] })
        if (stream?.readyState === EventSource.CLOSED)
          again = setTimeout(reopen, AGAIN_MS) as unknown as number
      })
      for (const kind of ['call', 'change']) {
        stream.addEventListener(kind, (message) => {
          const event = parse((message as MessageEvent<unknown>).data)
          if (!event) return
          take(event)
          channel.postMessage(event)
        })
      }
    }
    // Whoever is signed out is not let in by asking again.
    const reopen = (): void => {
      if (!signedOut.peek()) open()
    }
    open()
    return promise
  }
  let wanted: AbortController | undefined
  const settleDown = (): void => {
    if (document.hidden) {
      wanted?.abort()
      wanted = undefined
      release?.()
      release = undefined
      return
    }
    if (wanted) return
    wanted = new AbortController()
    // Browsers have locks for pages of this machine and over TLS; elsewhere each tab has its own stream.
    void (
      navigator.locks?.request('cairn-events', { signal: wanted.signal }, lead) ?? lead()
    ).catch(() => {})
    // Another tab may hold the stream: it says what it knows.
    tell({ tab: 'asks' })
  }
  document.addEventListener('visibilitychange', settleDown)
  settleDown()
}
