/** Counts the answers still being written, so that a server can end politely. */
import { Slices } from '../../../core/kit/slices.ts'

export interface Exchanges {
  /** Runs one exchange; it lasts until the last byte of its answer was taken or given up. */
  run(answer: () => Promise<Response>, parts?: AnswerParts): Promise<Response>
  readonly open: number
  /** Resolves when none is open any more. */
  idle(): Promise<void>
}

/** What is sent in the place of a part of an answer; undefined where that is the part itself. */
export type AnswerParts = (part: Uint8Array) => Iterable<Uint8Array> | undefined

export function createExchanges(): Exchanges {
  let open = 0
  let waiting: (() => void)[] = []
  /** Opens one exchange; the function it returns ends it, and does so once. */
  const begin = () => {
    let ended = false
    open++
    return () => {
      if (ended) return
      ended = true
      if (--open > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    }
  }
  return {
    get open() {
      return open
    },
    async run(answer, parts) {
      const end = begin()
      try {
        return whenBodyEnds(await answer(), end, parts)
      } catch (error) {
        end()
        throw error
      }
    },
    idle: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/** The same response, which calls `onEnd` when its body was read, broke or was abandoned. */
function whenBodyEnds(response: Response, onEnd: () => void, parts?: AnswerParts): Response {
  if (!response.body) {
    onEnd()
    return response
  }
  const reader = response.body.getReader()
  const slices = new Slices()
  let instead: Iterator<Uint8Array> | undefined
  const body = new ReadableStream({
    async pull(controller) {
      try {
        if (instead && slices.over) await slices.pause()
        for (;;) {
          const next = instead?.next()
          if (next && !next.done) return controller.enqueue(next.value)
          instead = undefined
          const { done, value } = await reader.read()
          if (done) break
          instead = parts?.(value)?.[Symbol.iterator]()
          if (!instead) return controller.enqueue(value)
        }
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    async cancel(reason) {
      onEnd()
      await reader.cancel(reason)
    },
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}
