/**
 * What happens while the page is open. Browsers allow six connections to one server, so of all tabs
 * only one holds the stream and tells the others; a hidden tab holds none.
 */
import { signal } from '@preact/signals'
import type { LiveCall, LiveEvent } from '../../domain/live.ts'
import { learnFacts } from './app.ts'
import { graphChanged, noteChanged } from './changes.ts'

/** Newest first; older ones are forgotten. */
export const calls = signal<readonly LiveCall[]>([])
export const following = signal(false)

const KEPT = 500
const known = new Set<string>()
let waiting: LiveEvent[] = []
let frame = 0

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
      listChanged ||= event.listChanged
    } else if (!known.has(event.call.key)) {
      known.add(event.call.key)
      fresh.push(event.call)
    }
  }
  if (listChanged) {
    graphChanged.value++
    void learnFacts()
  }
  if (fresh.length === 0) return
  calls.value = [...fresh.toReversed(), ...calls.peek()].slice(0, KEPT)
  if (known.size > 4 * KEPT) {
    known.clear()
    for (const { key } of calls.peek()) known.add(key)
  }
}

/** An event that makes no sense is left out; the rest keeps working. */
function parse(data: unknown): LiveEvent | undefined {
  try {
    const event = (typeof data === 'string' ? JSON.parse(data) : data) as Partial<LiveEvent>
    if (event.kind === 'call' && typeof event.call?.key === 'string') return event as LiveEvent
    if (event.kind === 'change' && Array.isArray(event.put) && Array.isArray(event.removed))
      return event as LiveEvent
  } catch {
    // Not ours.
  }
  return undefined
}

export function followEvents(): void {
  const channel = new BroadcastChannel('cairn-events')
  channel.addEventListener('message', ({ data }) => {
    const event = parse(data)
    if (event) {
      following.value = true
      take(event)
    } else if (data === 'hello') following.value = true
  })
  let release: (() => void) | undefined

  const lead = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stream = new EventSource('/web/events')
    release = () => {
      stream.close()
      resolve()
    }
    stream.addEventListener('hello', () => {
      following.value = true
      channel.postMessage('hello')
    })
    stream.addEventListener('error', () => {
      following.value = false
    })
    for (const kind of ['call', 'change']) {
      stream.addEventListener(kind, (message) => {
        const event = parse((message as MessageEvent<unknown>).data)
        if (!event) return
        take(event)
        channel.postMessage(event)
      })
    }
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
    navigator.locks.request('cairn-events', { signal: wanted.signal }, lead).catch(() => {})
  }
  document.addEventListener('visibilitychange', settleDown)
  settleDown()
}
