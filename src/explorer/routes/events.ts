/**
 * What happens on the base, as one stream of server-sent events. The last thousand are kept with
 * their numbers, so that a page that was cut off goes on where it was.
 */
import { randomBytes } from 'node:crypto'
import type { LiveEvent } from '../../core/domain/live.ts'
import type { LiveEvents } from '../surface/open-explorer.ts'

const KEPT = 1_000
const ALIVE_MS = 15_000
/** A page that does not read is let go before what waits for it grows. */
const BACKLOG_BYTES = 1024 * 1024

interface Numbered {
  readonly number: number
  readonly text: string
}

export interface EventHub {
  /** `last` is the id of the last event the page has seen. */
  open(last: string | null): ReadableStream<Uint8Array>
  close(): void
}

export function openEventHub(events: LiveEvents): EventHub {
  // Numbers of another start mean nothing here.
  const start = randomBytes(4).toString('hex')
  const kept: Numbered[] = []
  const pages = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const encoder = new TextEncoder()
  let next = 1
  let stop: (() => void) | undefined

  const drop = (page: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!pages.delete(page)) return
    try {
      page.close()
    } catch {
      // It is closed already.
    }
    if (pages.size > 0) return
    stop?.()
    stop = undefined
    clearInterval(alive)
    alive = undefined
  }
  const send = (page: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    if ((page.desiredSize ?? 0) < 0) drop(page)
    else page.enqueue(encoder.encode(text))
  }
  const publish = (event: LiveEvent): void => {
    const number = next++
    const text = `id: ${start}-${number}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
    kept.push({ number, text })
    if (kept.length > KEPT) kept.shift()
    for (const page of pages) send(page, text)
  }
  let alive: NodeJS.Timeout | undefined

  return {
    open(last) {
      const [from, number] = (last ?? '').split('-')
      const seen = from === start ? Number(number) || 0 : 0
      let mine: ReadableStreamDefaultController<Uint8Array> | undefined
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            mine = controller
            pages.add(controller)
            send(controller, `retry: 1500\nevent: hello\ndata: {}\n\n`)
            for (const each of kept) if (each.number > seen) send(controller, each.text)
            stop ??= events.follow(publish)
            if (alive) return
            alive = setInterval(() => {
              for (const page of pages) send(page, ': alive\n\n')
            }, ALIVE_MS)
            alive.unref()
          },
          cancel() {
            if (mine) drop(mine)
          },
        },
        { highWaterMark: BACKLOG_BYTES, size: (part) => part.byteLength },
      )
    },
    close() {
      for (const page of pages) drop(page)
    },
  }
}
